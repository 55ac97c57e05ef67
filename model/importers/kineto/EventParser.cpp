// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/EventParser.h"

#include "core/DecimalTime.h"
#include "core/StringPool.h"
#include "importers/kineto/EventFields.h"
#include "io/JsonText.h"

#include <algorithm>
#include <simdjson.h>
#include <unordered_map>

namespace stepscope::kineto
{

namespace
{

namespace od = simdjson::ondemand;

/// True if the raw key (which ends in a quote) is `expected`.
bool keyIs(const char* raw, std::string_view expected)
{
    return std::char_traits<char>::compare(raw, expected.data(), expected.size()) == 0 && raw[expected.size()] == '"';
}

/// How deep to look into `args`.
enum class ArgDepth : std::uint8_t { Skip, Correlation, All };

/// Events without duration: instants, samples and snapshots of objects.
bool isMark(char phase) { return phase == 'i' || phase == 'I' || phase == 'R' || phase == 'P' || phase == 'O'; }

std::optional<std::int64_t> numberOf(const Token& token)
{
    return token.present ? integerOf<std::int64_t>(token.text) : std::nullopt;
}

std::string_view trimStreamWord(std::string_view tid)
{
    if (tid.starts_with("stream ")) tid.remove_prefix(7);
    return json::trimmed(tid);
}

} // namespace

PaddedText::PaddedText(std::size_t room)
    : m_bytes(std::make_unique_for_overwrite<char[]>(room + 2 + simdjson::SIMDJSON_PADDING)),
      m_capacity(room + 2 + simdjson::SIMDJSON_PADDING)
{
    m_bytes[0] = '[';
}

struct EventParser::State {
    od::parser parser;
    od::parser eventParser;
    EventBatch batch;
    const Window* window = nullptr;
    std::string padded;

    std::unordered_map<std::string_view, std::uint32_t> textIds;
    /// The last lane of each place with the very tokens that named it: neighbours mostly share a thread.
    struct LastLane {
        std::uint32_t lane = UINT32_MAX;
        std::string_view pid, tid, device, stream;
    };
    std::array<LastLane, 4> lastLanes{};

    void reset(const Window& next)
    {
        batch = {};
        window = &next;
        textIds.clear();
        textIds.reserve(2048);
        lastLanes.fill({});
        batch.slices.reserve(next.size / 300);
        batch.flows.reserve(next.size / 1500);
        textId({});
    }

    std::uint32_t textId(std::string_view text)
    {
        const auto [place, added] = textIds.try_emplace(text, static_cast<std::uint32_t>(batch.texts.size()));
        if (added) batch.texts.push_back(text);
        return place->second;
    }
    /// `stable` tells that the token's bytes live as long as the window.
    std::uint32_t nameId(const Token& token, bool stable)
    {
        if (const auto known = textIds.find(token.text);
            known != textIds.end() && token.text.find('\\') == std::string_view::npos)
            return known->second;
        if (stable && token.text.find('\\') == std::string_view::npos) return textId(token.text);
        return keptTextId(json::unescaped(token.text));
    }
    /// For texts whose bytes do not live as long as the batch.
    std::uint32_t keptTextId(std::string_view text)
    {
        if (const auto known = textIds.find(text); known != textIds.end()) return known->second;
        batch.unescapedTexts.emplace_back(text);
        return textId(batch.unescapedTexts.back());
    }

    void notice(Notice what, std::uint64_t offset)
    {
        const auto index = static_cast<std::size_t>(what);
        if (batch.notices[index]++ == 0) batch.firstPlace[index] = offset;
    }

    std::uint16_t categoryId(const Token& token, bool stable)
    {
        for (std::size_t index = 0; index < batch.categories.size(); ++index)
            if (batch.categories[index].text == token.text) return static_cast<std::uint16_t>(index);
        if (batch.categories.size() == 0xffff) return 0xfffe;
        batch.categories.push_back(classifyCategory(batch.texts[nameId(token, stable)]));
        return static_cast<std::uint16_t>(batch.categories.size() - 1);
    }

    std::uint32_t laneId(const LaneKey& key)
    {
        const auto known = std::find(batch.lanes.begin(), batch.lanes.end(), key);
        const auto lane = static_cast<std::uint32_t>(known - batch.lanes.begin());
        if (known == batch.lanes.end()) batch.lanes.push_back(key);
        return lane;
    }

    std::uint32_t laneOf(const Fields& fields, const CategoryEntry& category, Place place, bool stable)
    {
        LastLane& last = lastLanes[static_cast<std::size_t>(place)];
        const bool same =
            stable && last.lane != UINT32_MAX && last.pid == fields.pid.text && last.tid == fields.tid.text &&
            (place == Place::Thread || (last.device == fields.device.text && last.stream == fields.stream.text &&
                                        category.kind != SliceKind::DeviceOther));
        if (same) return last.lane;
        const std::uint32_t lane = laneId(laneKey(fields, category, place, stable));
        if (stable && category.kind != SliceKind::DeviceOther)
            last = {lane, fields.pid.text, fields.tid.text, fields.device.text, fields.stream.text};
        return lane;
    }

    // The three readers below return false if the JSON is broken.
    bool readFields(od::object object, Fields& fields);
    bool readArgs(od::object args, Fields& fields, ArgDepth depth) const;
    bool readCounter(std::string_view args, std::int64_t timeNs, std::uint32_t pid, std::uint32_t name);

    void take(const Fields& fields, std::uint64_t offset, std::uint64_t length, bool stable);
    void takeSlice(const Fields& fields, std::int64_t timeNs, std::uint64_t offset, std::uint64_t length, bool stable);
    void takeAsync(const Fields& fields, std::int64_t timeNs, std::uint64_t offset, std::uint64_t length, bool stable);
    void takeFlow(const Fields& fields, std::int64_t timeNs, std::uint64_t offset, bool stable);
    void takeMemory(const Fields& fields, std::int64_t timeNs, bool stable);
    void takeMeta(const Fields& fields, bool stable);
    [[nodiscard]] ArgDepth argDepth(const Fields& fields) const;
    LaneKey laneKey(const Fields& fields, const CategoryEntry& category, Place place, bool stable);

    /// Reads at the speed of simdjson; returns the place after the last event that was read whole.
    std::size_t parseFast();
    /// Reads event by event from `at`, mending what is broken.
    void parseSlowly(std::size_t at);
    void parseOne(std::string_view text, std::size_t at);
};

ArgDepth EventParser::State::argDepth(const Fields& fields) const
{
    if (fields.ph.text != "X" && fields.ph.text != "B" && fields.ph.present) return ArgDepth::All;
    if (!fields.cat.present) return ArgDepth::All;
    for (const CategoryEntry& category : batch.categories) {
        if (category.text != fields.cat.text) continue;
        if (!category.known) return ArgDepth::All;
        if (category.place != Place::Thread) return ArgDepth::All;
        return category.kind == SliceKind::Runtime ? ArgDepth::Correlation : ArgDepth::Skip;
    }
    return ArgDepth::All;
}

bool EventParser::State::readArgs(od::object args, Fields& fields, ArgDepth depth) const
{
    for (auto field : args) {
        od::raw_json_string key;
        if (field.key().get(key) != simdjson::SUCCESS) return false;
        const char* raw = key.raw();
        Token* target = nullptr;
        switch (raw[0]) {
        case 'c':
            target = keyIs(raw, "correlation")      ? &fields.correlation
                     : keyIs(raw, "correlation_id") ? &fields.correlationText
                                                    : nullptr;
            break;
        case 'd':
            target = depth == ArgDepth::All && keyIs(raw, "device") ? &fields.device : nullptr;
            break;
        case 's':
            if (depth != ArgDepth::All) break;
            target = keyIs(raw, "stream")       ? &fields.stream
                     : keyIs(raw, "sort_index") ? &fields.argSortIndex
                     : keyIs(raw, "step")       ? &fields.argStep
                     : keyIs(raw, "step_num")   ? &fields.argStepNumber
                                                : nullptr;
            break;
        case 'g':
            target = keyIs(raw, "group_id") ? &fields.argGroup : nullptr;
            break;
        case 'n':
            target = keyIs(raw, "name") ? &fields.argName : nullptr;
            break;
        case 'l':
            target = keyIs(raw, "labels") ? &fields.argLabels : nullptr;
            break;
        case 'B':
            target = keyIs(raw, "Bytes") ? &fields.bytes : nullptr;
            break;
        case 'T':
            target = keyIs(raw, "Total Allocated")  ? &fields.allocated
                     : keyIs(raw, "Total Reserved") ? &fields.reserved
                                                    : nullptr;
            break;
        case 'D':
            target = keyIs(raw, "Device Type") ? &fields.deviceType
                     : keyIs(raw, "Device Id") ? &fields.deviceId
                                               : nullptr;
            break;
        default:
            break;
        }
        if (target == nullptr) continue;
        od::value value;
        if (field.value().get(value) != simdjson::SUCCESS) return false;
        *target = tokenOf(value.raw_json_token());
    }
    return true;
}

bool EventParser::State::readFields(od::object object, Fields& fields)
{
    for (auto field : object) {
        fields.empty = false;
        od::raw_json_string key;
        if (field.key().get(key) != simdjson::SUCCESS) return false;
        const char* raw = key.raw();
        od::value value;
        if (field.value().get(value) != simdjson::SUCCESS) return false;
        if (raw[0] == 'a' && keyIs(raw, "args")) {
            const ArgDepth depth = argDepth(fields);
            if (depth == ArgDepth::Skip) continue;
            od::json_type type{};
            if (value.type().get(type) != simdjson::SUCCESS) return false;
            if (type != od::json_type::object) continue;
            od::object args;
            if (value.get_object().get(args) != simdjson::SUCCESS) return false;
            if (fields.ph.text == "E") {
                bool empty = false;
                if (args.is_empty().get(empty) != simdjson::SUCCESS) return false;
                if (args.reset().error() != simdjson::SUCCESS) return false;
                fields.hasArgs = !empty;
            }
            const bool counter = fields.ph.text == "C" || !fields.ph.present;
            if (counter) {
                if (args.raw_json().get(fields.args) != simdjson::SUCCESS) return false;
                if (fields.ph.present) continue;
                // The phase comes after the arguments: look again, as any event.
                if (args.reset().error() != simdjson::SUCCESS) return false;
            }
            if (!readArgs(args, fields, depth)) return false;
            continue;
        }
        if (raw[0] == 'i' && keyIs(raw, "id2")) {
            od::object id;
            if (value.get_object().get(id) == simdjson::SUCCESS &&
                id.raw_json().get(fields.qualifiedId) != simdjson::SUCCESS)
                return false;
            continue;
        }
        Token* target = nullptr;
        switch (raw[0]) {
        case 'p':
            target = keyIs(raw, "ph") ? &fields.ph : keyIs(raw, "pid") ? &fields.pid : nullptr;
            break;
        case 'c':
            target = keyIs(raw, "cat") ? &fields.cat : nullptr;
            break;
        case 'n':
            target = keyIs(raw, "name") ? &fields.name : nullptr;
            break;
        case 't':
            target = keyIs(raw, "ts") ? &fields.ts : keyIs(raw, "tid") ? &fields.tid : nullptr;
            break;
        case 'd':
            target = keyIs(raw, "dur") ? &fields.dur : nullptr;
            break;
        case 'i':
            target = keyIs(raw, "id") ? &fields.id : nullptr;
            break;
        case 'b':
            target = keyIs(raw, "bp") ? &fields.bp : keyIs(raw, "bind_id") ? &fields.bindId : nullptr;
            break;
        case 'f':
            target = keyIs(raw, "flow_in") ? &fields.flowIn : keyIs(raw, "flow_out") ? &fields.flowOut : nullptr;
            break;
        case 's':
            target = keyIs(raw, "scope") ? &fields.scope : nullptr;
            break;
        default:
            break;
        }
        if (target != nullptr) *target = tokenOf(value.raw_json_token());
    }
    return true;
}

LaneKey EventParser::State::laneKey(const Fields& fields, const CategoryEntry& category, Place place, bool stable)
{
    LaneKey key;
    key.place = place;
    key.pid = nameId(fields.pid, stable);
    Token tid = fields.tid.present ? fields.tid : fields.pid;
    if (key.place != Place::Thread) {
        tid.text = trimStreamWord(tid.text);
        if (fields.device.present) key.device = integerOf<std::int64_t>(fields.device.text);
        // Devices without runs of the usual kinds number their queues as they like; their tid tells them apart.
        if (fields.stream.present && category.kind != SliceKind::DeviceOther)
            key.stream = integerOf<std::int64_t>(fields.stream.text);
    }
    key.tid = nameId(tid, stable);
    return key;
}

void EventParser::State::takeSlice(const Fields& fields, std::int64_t timeNs, std::uint64_t offset,
                                   std::uint64_t length, bool stable)
{
    SliceRecord record;
    record.phase = isMark(fields.ph.text.front()) ? 'i' : fields.ph.text.front();
    record.hasArgs = fields.hasArgs;
    record.category = categoryId(fields.cat, stable);
    const CategoryEntry category = batch.categories[record.category];
    const bool onDevice = !category.known && fields.device.present && fields.stream.present;
    record.kind = onDevice ? SliceKind::DeviceOther : category.kind;
    record.lane = laneOf(fields, category, onDevice ? Place::Stream : category.place, stable);
    record.name = nameId(fields.name, stable);
    record.startNs = timeNs;
    record.offset = offset;
    record.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(length, UINT32_MAX));
    if (record.phase == 'X') {
        const auto dur = fields.dur.present ? nsFromMicroseconds(fields.dur.text) : std::nullopt;
        if (!dur) notice(Notice::MissingDuration, offset);
        else if (*dur < 0) notice(Notice::NegativeDuration, offset);
        if (fields.dur.quoted) notice(Notice::TextTime, offset);
        record.durNs = std::max<std::int64_t>(0, dur.value_or(0));
        // Nothing real lasts longer than the time that is left until the end of 64 bits.
        record.durNs = std::min(record.durNs, INT64_MAX - std::max<std::int64_t>(0, timeNs));
    }
    if (fields.correlation.present) {
        record.correlation = idOf(fields.correlation);
        record.hasCorrelation = true;
        if (fields.correlation.quoted) notice(Notice::TextId, offset);
    } else if (fields.correlationText.present && !category.known) {
        record.correlation = idOf(fields.correlationText);
        record.hasCorrelation = true;
    }
    if (!category.known && (fields.argStepNumber.present || fields.argGroup.present))
        batch.groups.push_back({static_cast<std::uint32_t>(batch.slices.size()), numberOf(fields.argGroup),
                                numberOf(fields.argStepNumber)});
    batch.slices.push_back(record);
    if (fields.bindId.present) {
        const auto index = static_cast<std::uint32_t>(batch.slices.size() - 1);
        batch.binds.push_back(
            {idOf(fields.bindId), index, fields.flowIn.text == "true", fields.flowOut.text == "true"});
    }
}

void EventParser::State::takeAsync(const Fields& fields, std::int64_t timeNs, std::uint64_t offset,
                                   std::uint64_t length, bool stable)
{
    AsyncRecord record;
    record.phase = fields.ph.text.front();
    record.category = categoryId(fields.cat, stable);
    record.name = nameId(fields.name, stable);
    record.step = fields.argStep.present ? nameId(fields.argStep, stable) : record.name;
    record.lane = laneOf(fields, {}, Place::Thread, stable);
    record.timeNs = timeNs;
    record.offset = offset;
    record.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(length, UINT32_MAX));
    // The text of an `id2` tells by its key whether the id is that of one process.
    record.local = fields.qualifiedId.find("\"local\"") != std::string_view::npos;
    record.id = fields.qualifiedId.empty() ? idOf(fields.id) : hashText(fields.qualifiedId);
    if (fields.scope.present) record.id ^= hashText(fields.scope.text) * 31;
    batch.asyncs.push_back(record);
}

void EventParser::State::takeFlow(const Fields& fields, std::int64_t timeNs, std::uint64_t offset, bool stable)
{
    FlowRecord record;
    record.category = categoryId(fields.cat, stable);
    record.lane = laneOf(fields, {}, Place::Thread, stable);
    record.timeNs = timeNs;
    record.id = idOf(fields.id);
    record.phase = fields.ph.text.front();
    record.bindEnclosing = fields.bp.text == "e";
    if (fields.id.quoted && !integerOf<std::uint64_t>(fields.id.text)) notice(Notice::TextId, offset);
    batch.flows.push_back(record);
}

void EventParser::State::takeMemory(const Fields& fields, std::int64_t timeNs, bool stable)
{
    MemoryRecord record;
    record.timeNs = timeNs;
    record.pid = nameId(fields.pid, stable);
    record.deviceType = numberOf(fields.deviceType).value_or(0);
    record.deviceId = numberOf(fields.deviceId).value_or(-1);
    record.bytes = numberOf(fields.bytes);
    record.allocated = numberOf(fields.allocated);
    record.reserved = numberOf(fields.reserved);
    batch.memory.push_back(record);
}

void EventParser::State::takeMeta(const Fields& fields, bool stable)
{
    MetaRecord record;
    record.pid = nameId(fields.pid, stable);
    record.tid = nameId({trimStreamWord(fields.tid.text), fields.tid.quoted, true}, stable);
    const bool sorting = fields.name.text.ends_with("_sort_index");
    const Token& text = sorting                                ? fields.argSortIndex
                        : fields.name.text == "process_labels" ? fields.argLabels
                                                               : fields.argName;
    if (!text.quoted && !sorting) return;
    record.text = nameId({json::trimmed(text.text), true, true}, stable);
    if (fields.name.text == "process_name") record.what = MetaRecord::What::ProcessName;
    else if (fields.name.text == "process_labels") record.what = MetaRecord::What::ProcessLabels;
    else if (fields.name.text == "thread_name") record.what = MetaRecord::What::ThreadName;
    else if (fields.name.text == "process_sort_index") record.what = MetaRecord::What::ProcessSortIndex;
    else if (fields.name.text == "thread_sort_index") record.what = MetaRecord::What::ThreadSortIndex;
    else return;
    batch.metas.push_back(record);
}

bool EventParser::State::readCounter(std::string_view args, std::int64_t timeNs, std::uint32_t pid, std::uint32_t name)
{
    padded.assign(args);
    padded.resize(args.size() + simdjson::SIMDJSON_PADDING);
    od::document document;
    od::object object;
    if (eventParser.iterate(padded.data(), args.size(), padded.size()).get(document) != simdjson::SUCCESS ||
        document.get_object().get(object) != simdjson::SUCCESS)
        return false;
    for (auto field : object) {
        std::string_view key;
        od::value value;
        if (field.unescaped_key().get(key) != simdjson::SUCCESS || field.value().get(value) != simdjson::SUCCESS)
            return false;
        od::json_type type{};
        if (value.type().get(type) != simdjson::SUCCESS) return false;
        if (type != od::json_type::number && type != od::json_type::string) continue;
        const Token token = tokenOf(value.raw_json_token());
        double number = 0;
        const auto [last, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
        if (error != std::errc() || last != token.text.data() + token.text.size() || !(number - number == 0)) continue;
        batch.samples.push_back({timeNs, number, pid, name, keptTextId(key)});
    }
    return true;
}

void EventParser::State::take(const Fields& fields, std::uint64_t offset, std::uint64_t length, bool stable)
{
    // TensorFlow ends its lists with an empty object, so that a comma may follow every event.
    if (fields.empty) return;
    if (!fields.ph.present || fields.ph.text.empty()) return notice(Notice::NotAnEvent, offset);
    const char phase = fields.ph.text.front();
    if (phase == 'M') return takeMeta(fields, stable);
    const auto timeNs = fields.ts.present ? nsFromMicroseconds(fields.ts.text) : std::nullopt;
    if (!timeNs) return notice(Notice::MissingTime, offset);
    if (fields.ts.quoted) notice(Notice::TextTime, offset);
    switch (phase) {
    case 'X':
    case 'B':
    case 'E':
        return takeSlice(fields, *timeNs, offset, length, stable);
    case 'i':
    case 'I':
    case 'R':
    case 'P':
    case 'O':
        if (fields.name.text == "[memory]") return takeMemory(fields, *timeNs, stable);
        return takeSlice(fields, *timeNs, offset, length, stable);
    case 's':
    case 't':
    case 'f':
        return takeFlow(fields, *timeNs, offset, stable);
    case 'b':
    case 'n':
    case 'e':
    case 'S':
    case 'T':
    case 'p':
    case 'F':
    case 'N':
    case 'D':
        return takeAsync(fields, *timeNs, offset, length, stable);
    case 'C': {
        const std::uint32_t pid = nameId(fields.pid, stable);
        if (!readCounter(fields.args, *timeNs, pid, nameId(fields.name, stable))) notice(Notice::BrokenEvent, offset);
        return;
    }
    default:
        batch.otherTimesNs.push_back(*timeNs);
        return notice(Notice::UnknownPhase, offset);
    }
}

std::size_t EventParser::State::parseFast()
{
    const char* begin = window->text.data() + 1;
    const std::string_view whole(window->text.data(), window->size + (window->cut ? 2 : 1));
    od::document document;
    od::array events;
    if (parser.iterate(whole.data(), whole.size(), window->text.capacity()).get(document) != simdjson::SUCCESS ||
        document.get_array().get(events) != simdjson::SUCCESS)
        return 0;
    std::size_t done = 0;
    for (auto element : events) {
        od::object object;
        if (element.get_object().get(object) != simdjson::SUCCESS) return done;
        Fields fields;
        if (!readFields(object, fields)) return done;
        const char* after = nullptr;
        if (document.current_location().get(after) != simdjson::SUCCESS) return done;
        while (after > begin && after[-1] != '}') --after;
        std::size_t start = done;
        while (start < window->size && begin[start] != '{') ++start;
        const auto end = static_cast<std::size_t>(after - begin);
        take(fields, window->offset + start, end - start, true);
        done = end;
    }
    return done;
}

void EventParser::State::parseOne(std::string_view text, std::size_t at)
{
    const auto attempt = [&](std::string_view event, Fields& fields) {
        padded.assign(event);
        padded.resize(event.size() + simdjson::SIMDJSON_PADDING);
        od::document document;
        od::object object;
        return eventParser.iterate(padded.data(), event.size(), padded.size()).get(document) == simdjson::SUCCESS &&
               document.get_object().get(object) == simdjson::SUCCESS && readFields(object, fields);
    };
    Fields fields;
    const std::uint64_t offset = window->offset + at;
    if (!attempt(text, fields)) {
        fields = {};
        if (!attempt(json::repaired(text), fields)) return notice(Notice::BrokenEvent, offset);
        notice(Notice::RepairedEvent, offset);
    }
    // The fields point into `padded`, which counters use as well.
    const std::string event = std::move(padded);
    take(fields, offset, text.size(), false);
}

void EventParser::State::parseSlowly(std::size_t at)
{
    const std::string_view text = window->events();
    while (true) {
        while (at < text.size() && (json::isSpace(text[at]) || text[at] == ',')) ++at;
        batch.consumed = at;
        if (at == text.size()) return;
        if (text[at] == ']') {
            batch.end = EventBatch::End::ListEnd;
            return;
        }
        if (text[at] != '{') {
            notice(Notice::BrokenEvent, window->offset + at);
            const auto next = json::nextEventStart(text, at + 1);
            // Without any event behind it, it is no use to anyone.
            at = next.value_or(text.size());
            continue;
        }
        const auto length = json::valueLength(text.substr(at));
        if (!length) {
            batch.end = EventBatch::End::Incomplete;
            return;
        }
        parseOne(text.substr(at, *length), at);
        at += *length;
    }
}

EventParser::EventParser() : m_state(std::make_unique<State>()) {}
EventParser::~EventParser() = default;

EventBatch EventParser::parse(const Window& window, bool keepText)
{
    m_state->reset(window);
    const std::size_t done = m_state->parseFast();
    m_state->parseSlowly(done);
    EventBatch batch = std::move(m_state->batch);
    if (keepText) batch.blocks = packText(window.events(), window.offset);
    return batch;
}

} // namespace stepscope::kineto
