// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/TraceMerger.h"

#include "importers/kineto/EventFields.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace stepscope::kineto
{

namespace
{

constexpr std::array<DiagnosticCode, kNoticeCount> kNoticeCodes = {
    DiagnosticCode::BrokenEvent,      DiagnosticCode::RepairedEvent, DiagnosticCode::NotAnEvent,
    DiagnosticCode::UnknownPhase,     DiagnosticCode::MissingTime,   DiagnosticCode::MissingDuration,
    DiagnosticCode::NegativeDuration, DiagnosticCode::TextTime,      DiagnosticCode::BareTextId,
};

TrackKind trackKindOf(Place place)
{
    switch (place) {
    case Place::Thread:
        return TrackKind::Thread;
    case Place::Stream:
        return TrackKind::Stream;
    case Place::StreamAnnotations:
        return TrackKind::StreamAnnotations;
    case Place::StreamSync:
        return TrackKind::StreamSync;
    }
    return TrackKind::Thread;
}

/// The categories under which profilers write their own arrow from a launch to its run; the last one before 2021.
bool isLaunchArrow(std::string_view category)
{
    return category == "ac2g" || category == "async_cpu_to_gpu" || category == "async_gpu" || category == "async" ||
           category == "cpu_to_cuda";
}

/// The unit that a counter's only value is named after: {"bytes": 17}. "" for other names.
std::string_view unitOf(std::string_view series)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kUnits = {{{"bytes", "bytes"},
                                                                                      {"W", "W"},
                                                                                      {"watts", "W"},
                                                                                      {"percent", "%"},
                                                                                      {"%", "%"},
                                                                                      {"MHz", "MHz"},
                                                                                      {"Hz", "Hz"},
                                                                                      {"C", "°C"}}};
    for (const auto& [name, unit] : kUnits)
        if (series == name) return unit;
    return {};
}

/// The number at the end of a pid text, for devices that are only named ("/device:GPU:1"); 0 if there is none.
std::int64_t trailingNumber(std::string_view text)
{
    std::size_t begin = text.size();
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
    std::int64_t number = 0;
    std::from_chars(text.data() + begin, text.data() + text.size(), number);
    return begin == 1 && text.front() == '-' ? -number : number;
}

} // namespace

/// Ids of a batch's texts and categories in the builder, looked up once each.
class TraceMerger::Names
{
public:
    Names(const EventBatch& batch, ProfileBuilder& builder)
        : m_batch(batch), m_builder(builder), m_texts(batch.texts.size()), m_lanes(batch.lanes.size(), kNone),
          m_named(batch.lanes.size())
    {
        for (const CategoryEntry& category : batch.categories) {
            m_categoryTexts.push_back(builder.strings().intern(category.text));
            m_categories.push_back(builder.category(m_categoryTexts.back()));
        }
    }
    StringId text(std::uint32_t id)
    {
        if (!m_texts[id].valid()) m_texts[id] = m_builder.strings().intern(m_batch.texts[id]);
        return m_texts[id];
    }
    [[nodiscard]] std::uint16_t category(std::uint16_t id) const { return m_categories[id]; }
    [[nodiscard]] StringId categoryText(std::uint16_t id) const { return m_categoryTexts[id]; }
    std::uint32_t& lane(std::uint32_t id) { return m_lanes[id]; }
    /// What the lane stands for, if it is no ordinary thread. Set when the lane is first asked for.
    const NamedLane*& named(std::uint32_t id) { return m_named[id]; }

private:
    const EventBatch& m_batch;
    ProfileBuilder& m_builder;
    std::vector<StringId> m_texts;
    std::vector<StringId> m_categoryTexts;
    std::vector<std::uint16_t> m_categories;
    std::vector<std::uint32_t> m_lanes;
    std::vector<const NamedLane*> m_named;
};

TraceMerger::TraceMerger(ProfileBuilder& builder, std::uint32_t file, std::string fileName)
    : m_builder(builder), m_file(file), m_fileName(std::move(fileName)),
      m_bindCategory(builder.strings().intern("flow")), m_named(builder, file)
{
}

void TraceMerger::add(const EventBatch& batch)
{
    Names names(batch, m_builder);
    for (const CategoryEntry& category : batch.categories)
        m_sawProfilerCategories = m_sawProfilerCategories || (category.known && category.place != Place::Thread) ||
                                  category.kind == SliceKind::CpuOp || category.kind == SliceKind::Runtime;
    addMetas(batch);
    addSlices(batch, names);
    addAsyncs(batch, names);
    addFlows(batch, names);
    addSamples(batch);
    addMemory(batch);
    addNotices(batch);
    for (const std::int64_t timeNs : batch.otherTimesNs) {
        note(timeNs);
        m_builder.touch(m_file, timeNs);
    }
}

void TraceMerger::addSample(const StackSample& sample, std::string_view name)
{
    note(sample.timeNs);
    const std::uint32_t lane = m_builder.threadLane(m_builder.process(m_file, sample.pid), sample.tid);
    m_builder.addInstant(m_file, lane, sample.timeNs, m_builder.strings().intern(name), {});
}

void TraceMerger::note(std::int64_t timeNs)
{
    ++m_timedEvents;
    m_firstNs = std::min(m_firstNs, timeNs);
}

/// The builder's lane for a key; kNone for device work whose device number is not known yet.
std::uint32_t TraceMerger::laneOf(const EventBatch& batch, const LaneKey& key)
{
    const std::string pid(batch.texts[key.pid]);
    m_pids[pid] = true;
    if (key.place == Place::Thread) {
        const NamedLane* named = m_named.find(pid, std::string(batch.texts[key.tid]));
        return named ? named->lane : m_builder.threadLane(m_builder.process(m_file, pid), batch.texts[key.tid]);
    }
    if (!key.device) return kNone;
    m_deviceOfPid.emplace(pid, *key.device);
    const std::uint32_t device = m_builder.device(m_file, *key.device, pid);
    const std::string stream = key.stream ? std::to_string(*key.stream) : std::string(batch.texts[key.tid]);
    return m_builder.streamLane(device, stream, trackKindOf(key.place));
}

void TraceMerger::addSlices(const EventBatch& batch, Names& names)
{
    std::size_t nextBind = 0;
    std::size_t nextGroup = 0;
    for (const SliceRecord& record : batch.slices) {
        RawSlice slice;
        slice.startNs = record.startNs;
        slice.durNs = record.durNs;
        slice.name = names.text(record.name);
        slice.source = SourceRef::of(record.offset, record.length);
        slice.category = names.category(record.category);
        slice.kind = record.kind;
        if (record.hasCorrelation) slice.correlation = record.correlation;
        note(record.startNs);
        const LaneKey& key = batch.lanes[record.lane];
        if (record.phase == 'i' && key.place == Place::Thread && batch.texts[key.tid].empty()) {
            m_builder.addInstant(m_file, kNone, record.startNs, slice.name, slice.source);
            continue;
        }
        std::uint32_t& lane = names.lane(record.lane);
        if (lane == kNone) {
            lane = laneOf(batch, key);
            if (key.place == Place::Thread)
                names.named(record.lane) =
                    m_named.find(std::string(batch.texts[key.pid]), std::string(batch.texts[key.tid]));
        }
        if (const NamedLane* named = names.named(record.lane)) addNamed(batch, record, slice, *named, nextGroup);
        else addSlice(batch, record, slice, lane);
        addBinds(batch, nextBind, static_cast<std::uint32_t>(&record - batch.slices.data()), lane);
    }
}

void TraceMerger::addNamed(const EventBatch& batch, const SliceRecord& record, RawSlice& slice, const NamedLane& named,
                           std::size_t& nextGroup)
{
    if (record.phase != 'i') m_named.refine(named, slice);
    if (record.phase != 'X') return addSlice(batch, record, slice, named.lane);
    const std::uint32_t place = m_builder.addSlice(named.lane, slice);
    const auto index = static_cast<std::uint32_t>(&record - batch.slices.data());
    while (nextGroup < batch.groups.size() && batch.groups[nextGroup].slice < index) ++nextGroup;
    const bool grouped = nextGroup < batch.groups.size() && batch.groups[nextGroup].slice == index;
    if (place != kNone) m_named.markStep(named, slice, place, grouped ? &batch.groups[nextGroup] : nullptr);
}

/// Arrows that leave or reach the slice just added. Slices made of two events take theirs by time.
void TraceMerger::addBinds(const EventBatch& batch, std::size_t& next, std::uint32_t slice, std::uint32_t lane)
{
    for (; next < batch.binds.size() && batch.binds[next].slice == slice; ++next) {
        const BindRecord& bind = batch.binds[next];
        const SliceRecord& record = batch.slices[slice];
        if (lane == kNone) continue;
        for (const bool start : {true, false}) {
            if (start ? !bind.out : !bind.in) continue;
            if (record.phase == 'X') m_builder.addSliceFlowEnd(lane, bind.id, m_bindCategory, start);
            else
                m_builder.addFlowEnd(m_file, lane, record.startNs, bind.id, m_bindCategory, start,
                                     FlowBinding::Enclosing, false);
        }
    }
}

void TraceMerger::addAsyncs(const EventBatch& batch, Names& names)
{
    for (const AsyncRecord& record : batch.asyncs) {
        note(record.timeNs);
        AsyncEvent event;
        event.timeNs = record.timeNs;
        event.id = record.id;
        event.phase = record.phase;
        event.local = record.local;
        event.process = m_builder.process(m_file, batch.texts[batch.lanes[record.lane].pid]);
        event.name = names.text(record.name);
        event.step = names.text(record.step);
        event.categoryText = names.categoryText(record.category);
        event.category = names.category(record.category);
        event.source = SourceRef::of(record.offset, record.length);
        m_asyncs.add(event);
    }
}

void TraceMerger::addSlice(const EventBatch& batch, const SliceRecord& record, const RawSlice& slice,
                           std::uint32_t lane)
{
    const LaneKey& key = batch.lanes[record.lane];
    if (record.phase == 'i') {
        m_builder.addInstant(m_file, lane, record.startNs, slice.name, slice.source);
    } else if (lane == kNone) {
        const std::string stream = key.stream ? std::to_string(*key.stream) : std::string(batch.texts[key.tid]);
        m_waiting.push_back({slice, std::string(batch.texts[key.pid]), stream, trackKindOf(key.place)});
    } else if (record.phase == 'B') {
        m_builder.addBegin(lane, slice);
    } else if (record.phase == 'E') {
        m_builder.addEnd(lane, record.startNs, record.hasArgs ? slice.source : SourceRef{});
    } else {
        m_builder.addSlice(lane, slice);
    }
}

void TraceMerger::addFlows(const EventBatch& batch, Names& names)
{
    for (const FlowRecord& record : batch.flows) {
        note(record.timeNs);
        const bool launch = isLaunchArrow(batch.categories[record.category].text);
        std::uint32_t& lane = names.lane(record.lane);
        if (lane == kNone) lane = laneOf(batch, batch.lanes[record.lane]);
        // A step on the way ends one arrow and starts the next.
        const FlowBinding binding = record.phase == 't'                           ? FlowBinding::EnclosingOrNext
                                    : record.phase == 's' || record.bindEnclosing ? FlowBinding::Enclosing
                                                                                  : FlowBinding::Next;
        for (const bool start : {false, true}) {
            if (record.phase == (start ? 'f' : 's')) continue;
            m_builder.addFlowEnd(m_file, lane, record.timeNs, record.id, names.categoryText(record.category), start,
                                 binding, launch);
        }
    }
}

void TraceMerger::addSamples(const EventBatch& batch)
{
    for (const SampleRecord& record : batch.samples) {
        note(record.timeNs);
        const std::uint32_t counter =
            m_builder.counter(m_file, batch.texts[record.pid], batch.texts[record.name], batch.texts[record.series]);
        if (const std::string_view unit = unitOf(batch.texts[record.series]); !unit.empty())
            m_builder.setCounterUnit(counter, unit);
        m_builder.addSample(counter, record.timeNs, record.value);
    }
}

void TraceMerger::memorySample(const MemoryRecord& record, const std::string& pid, const std::string& name,
                               std::int64_t value, bool delta)
{
    const std::uint32_t counter = m_builder.counter(m_file, pid, name, {});
    m_builder.setCounterUnit(counter, "bytes");
    if (delta) m_builder.markAsChanges(counter);
    m_builder.addSample(counter, record.timeNs, static_cast<double>(value));
}

void TraceMerger::addMemory(const EventBatch& batch)
{
    for (const MemoryRecord& record : batch.memory) {
        note(record.timeNs);
        m_builder.touch(m_file, record.timeNs);
        // Device type 0 is the host in PyTorch's c10::DeviceType.
        const bool onHost = record.deviceType == 0;
        const std::string pid = onHost ? std::string(batch.texts[record.pid])
                                       : std::string(kDevicePidPrefix) + std::to_string(record.deviceId);
        const std::string where = onHost ? "host memory " : "memory ";
        if (record.allocated) memorySample(record, pid, where + "allocated", *record.allocated, false);
        if (record.reserved && !onHost) memorySample(record, pid, where + "reserved", *record.reserved, false);
        // Files of 2021 tell only the changes.
        if (!record.allocated && record.bytes) memorySample(record, pid, where + "since start", *record.bytes, true);
    }
}

void TraceMerger::addMetas(const EventBatch& batch)
{
    for (const MetaRecord& record : batch.metas) {
        m_metas.push_back({record.what, std::string(batch.texts[record.pid]), std::string(batch.texts[record.tid]),
                           std::string(batch.texts[record.text])});
        m_named.learn(record.what, m_metas.back().pid, m_metas.back().tid, m_metas.back().text);
    }
}

void TraceMerger::addNotices(const EventBatch& batch)
{
    for (std::size_t index = 0; index < kNoticeCount; ++index) {
        if (batch.notices[index] == 0) continue;
        if (static_cast<Notice>(index) == Notice::BrokenEvent) {
            if (m_brokenEvents == 0) m_firstBroken = batch.firstPlace[index];
            m_brokenEvents += batch.notices[index];
        }
        m_builder.diagnostics().add(kNoticeCodes[index], batch.notices[index],
                                    m_fileName + ", byte " + std::to_string(batch.firstPlace[index]));
    }
}

void TraceMerger::finish()
{
    for (const Meta& meta : m_metas) {
        if (m_named.isDevice(meta.pid)) continue;
        if (meta.what == MetaRecord::What::ThreadName) m_builder.setThreadName(m_file, meta.pid, meta.tid, meta.text);
        else if (meta.what == MetaRecord::What::ProcessName)
            m_builder.setProcessName(m_builder.process(m_file, meta.pid), meta.text);
        else if (meta.what == MetaRecord::What::ProcessLabels)
            m_builder.setProcessLabel(m_builder.process(m_file, meta.pid), meta.text);
        else if (const auto index = integerOf<std::int64_t>(meta.text); !index) continue;
        else if (meta.what == MetaRecord::What::ProcessSortIndex)
            m_builder.setProcessSortIndex(m_builder.process(m_file, meta.pid), *index);
        else m_builder.setThreadSortIndex(m_file, meta.pid, meta.tid, *index);
    }
    for (const WaitingSlice& waiting : m_waiting) {
        const auto known = m_deviceOfPid.find(waiting.pid);
        const std::int64_t number = known != m_deviceOfPid.end() ? known->second : trailingNumber(waiting.pid);
        const std::uint32_t device = m_builder.device(m_file, number, waiting.pid);
        m_builder.addSlice(m_builder.streamLane(device, waiting.stream, waiting.kind), waiting.slice);
    }
    m_waiting.clear();
    m_asyncs.finish(m_builder, m_file);
    m_named.finish();
}

} // namespace stepscope::kineto
