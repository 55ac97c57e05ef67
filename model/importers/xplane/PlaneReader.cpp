// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/PlaneReader.h"

#include "importers/xplane/StatText.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace stepscope::xplane
{

namespace
{

constexpr std::uint64_t kWindowBytes = 1u << 20;
constexpr std::uint64_t kLongestEvent = 64u << 20; ///< no event is near this; what says so is passed over
constexpr char kEventTag = 4 << 3 | 2;
constexpr std::uint64_t kPollEvery = 4096; ///< events; well under a millisecond

std::int64_t floorToNs(std::int64_t ps) { return ps >= 0 ? ps / 1000 : -((-(ps + 1)) / 1000) - 1; }

/// "GPU_3_bfc" is the allocator of device 3.
std::optional<std::int64_t> deviceOfAllocator(std::string_view name)
{
    constexpr std::string_view kGpu = "GPU_";
    std::int64_t number = 0;
    if (!name.starts_with(kGpu)) return std::nullopt;
    const auto [end, error] = std::from_chars(name.data() + kGpu.size(), name.data() + name.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::uint64_t flowKey(std::uint64_t id, std::uint64_t scope)
{
    return scope == 0 ? id : id ^ (scope + 1) * 0x9E3779B97F4A7C15u;
}

} // namespace

void ImportState::note(DiagnosticCode code, std::uint64_t offset, std::uint64_t count)
{
    DiagnosticLog& log = builder.diagnostics();
    log.add(code, count, log.wasSeen(code) ? std::string() : fileName + ", byte " + std::to_string(offset));
}

PlaneReader::PlaneReader(ImportState& state, const PlaneIndex& plane, std::string pid)
    : m_state(state), m_plane(plane), m_place(placeOfPlane(plane.name)), m_pid(std::move(pid)),
      m_metadata(state.file, plane, state.builder.strings(), state.progress)
{
    for (const LineIndex& line : plane.lines)
        if (line.hasEvents && line.name.starts_with("Stream")) m_hasStreams = true;
    if (!m_place.device.empty()) m_model = readModel();
}

std::string PlaneReader::readModel()
{
    std::string model;
    for (const ByteRange range : m_plane.stats) {
        const StatText stat = statText(textOf(m_state.file, range, 64 * 1024),
                                       [this](std::int64_t id) { return std::string(m_metadata.statName(id)); });
        const std::string_view name = m_metadata.statName(stat.id);
        if (name == "gpu_device_name" || name == "device_type_string") return stat.value;
        if (name == "device_vendor") model = stat.value;
    }
    return model;
}

void PlaneReader::run()
{
    for (const LineIndex& line : m_plane.lines) {
        if (m_state.progress.cancelled()) return;
        readLine(line);
    }
    m_state.note(DiagnosticCode::RepairedEvent, m_plane.bytes.begin, m_metadata.mendedTexts());
    m_state.note(DiagnosticCode::DanglingReference, m_plane.bytes.begin, m_metadata.unknownEvents());
}

void PlaneReader::readLine(const LineIndex& index)
{
    if (!index.hasEvents) return;
    Line line;
    line.index = &index;
    line.role = roleOfLine(m_place.role, index.name, index.id, m_hasStreams);
    line.kind = line.role == LineRole::Thread ? kindOfThread(index.name) : kindOfStream(index.name);
    line.baseNs = index.timestampNs;
    if (line.baseNs > kEarliestEpochNs) line.baseNs -= m_state.epochShiftNs;
    m_category = m_state.builder.category(m_state.builder.strings().intern(index.name));
    std::uint64_t at = index.bytes.begin;
    std::uint64_t wanted = kWindowBytes;
    while (at < index.bytes.end && !m_state.progress.cancelled()) {
        const std::string_view window = m_state.file.window(at, wanted, index.bytes.end);
        const std::uint64_t left = index.bytes.end - at;
        const bool last = window.size() == left || window.size() < std::min(wanted, left);
        const std::uint64_t eventsBefore = m_state.events;
        std::uint64_t done = readWindow(line, window, at);
        if (at == index.bytes.begin && done > 0) expectRest(line, m_state.events - eventsBefore, done, left - done);
        if (done == 0 && (last || window.size() >= kLongestEvent)) done = passBroken(window, at, left);
        // A record that is longer than the window: once more, with a larger one.
        wanted = done == 0 ? wanted * 8 : kWindowBytes;
        reportBytes(done);
        at += done;
    }
}

void PlaneReader::expectRest(const Line& line, std::uint64_t events, std::uint64_t bytes, std::uint64_t left)
{
    constexpr std::uint64_t kMost = 64u << 20; // what a broken file may make us reserve
    if (line.lane == kNone || left < bytes) return;
    m_state.builder.expectSlices(line.lane, std::min(kMost, events * (left / bytes + 1) * 21 / 20));
}

std::size_t PlaneReader::readWindow(Line& line, std::string_view window, std::uint64_t offset)
{
    Wire wire(window);
    const char* done = wire.at;
    const std::uint64_t before = m_state.events;
    std::uint64_t polled = 0;
    while (!wire.atEnd()) {
        WireField field;
        // The last bytes of a window may be the beginning of a record only.
        if (!readField(wire, field)) break;
        if (field.isBytes(4))
            readOne(line, field.bytes, offset + static_cast<std::uint64_t>(field.bytes.data() - window.data()));
        done = wire.at;
        if (++polled % kPollEvery == 0 && m_state.progress.cancelled()) break;
    }
    m_state.progress.addSlices(m_state.events - before);
    return static_cast<std::size_t>(done - window.data());
}

std::uint64_t PlaneReader::passBroken(std::string_view window, std::uint64_t offset, std::uint64_t left)
{
    Wire wire(window);
    std::uint64_t length = 0;
    const bool event = !wire.atEnd() && *wire.at == kEventTag;
    if (event) ++wire.at;
    const std::uint64_t end = offset + left;
    // At the end of the file the index has noted already that it is cut.
    if (end < m_state.file.size() || window.size() >= kLongestEvent) m_state.note(DiagnosticCode::BrokenRecord, offset);
    if (!event || !readVarint(wire, length)) return left;
    const std::uint64_t head = static_cast<std::uint64_t>(wire.at - window.data());
    return length >= left - head ? left : head + length;
}

void PlaneReader::reportBytes(std::uint64_t bytes)
{
    if (!m_state.reportsBytes) return;
    m_state.progress.addBytes(bytes);
    m_state.reportedBytes += bytes;
}

void PlaneReader::readOne(Line& line, std::string_view bytes, std::uint64_t offset)
{
    if (!readEvent(Wire(bytes), m_metadata, m_fields)) return m_state.note(DiagnosticCode::BrokenRecord, offset);
    if (m_fields.aggregate) return m_state.note(DiagnosticCode::AggregatedEvent, offset);
    RawSlice slice;
    if (!setTimes(line, offset, slice)) return;
    const EventInfo& info = m_metadata.event(m_fields.metadataId);
    m_fields.present |= info.stats & EventFields::bit(StatRole::Operation);
    slice.name = info.label;
    slice.source = SourceRef::of(offset, bytes.size());
    slice.category = m_category;
    ++m_state.events;
    if (line.role == LineRole::Counters && m_fields.has(StatRole::CounterValue)) addSample(info, slice.startNs);
    else addSlice(line, slice, info);
}

/// Both ends are floored to whole nanoseconds: so what touched or nested in picoseconds still does.
bool PlaneReader::setTimes(const Line& line, std::uint64_t offset, RawSlice& slice)
{
    std::int64_t endPs = 0;
    if (m_fields.durationPs < 0) {
        m_state.note(DiagnosticCode::NegativeDuration, offset);
        m_fields.durationPs = 0;
    }
    const bool overflow = __builtin_add_overflow(m_fields.offsetPs, m_fields.durationPs, &endPs);
    if (overflow || line.baseNs > kLatestNs || line.baseNs < -kLatestNs) {
        m_state.note(DiagnosticCode::TimeOutOfRange, offset);
        return false;
    }
    slice.startNs = line.baseNs + floorToNs(m_fields.offsetPs);
    slice.durNs = line.baseNs + floorToNs(endPs) - slice.startNs;
    return true;
}

void PlaneReader::addSlice(Line& line, RawSlice& slice, const EventInfo& info)
{
    switch (line.role) {
    case LineRole::Thread:
        slice.kind = hostKind(line, info);
        break;
    case LineRole::Operations:
        slice.kind = operationKind(line, info);
        break;
    case LineRole::AsyncOperations:
    case LineRole::DeviceWork:
        slice.kind = SliceKind::DeviceOther;
        break;
    case LineRole::Derived:
    case LineRole::Steps:
        slice.kind = SliceKind::DeviceAnnotation;
        break;
    case LineRole::Counters:
    case LineRole::Generic:
        slice.kind = SliceKind::Other;
        break;
    }
    const bool joins = line.role == LineRole::Thread || line.role == LineRole::Operations;
    if (joins && m_fields.has(StatRole::Correlation)) slice.correlation = m_fields.number(StatRole::Correlation);
    if (line.lane == kNone) line.lane = laneOf(line);
    const std::uint32_t place = m_state.builder.addSlice(line.lane, slice);
    constexpr std::uint32_t kFlows = EventFields::bit(StatRole::ProducerId) | EventFields::bit(StatRole::ConsumerId) |
                                     EventFields::bit(StatRole::Flow);
    constexpr std::uint32_t kSteps = EventFields::bit(StatRole::Root) | EventFields::bit(StatRole::GroupId);
    if ((m_fields.present & kFlows) != 0) addFlows(line.lane);
    if (line.role == LineRole::Steps || (m_fields.present & kSteps) != 0) markSteps(line, slice, place);
    if (info.memoryEvent && m_fields.has(StatRole::BytesAllocated)) addMemorySamples(slice.startNs);
}

SliceKind PlaneReader::hostKind(const Line& line, const EventInfo& info) const
{
    if (line.kind == SliceKind::Overhead) return SliceKind::Overhead;
    if (m_fields.has(StatRole::Correlation)) return SliceKind::Runtime;
    const bool step = m_fields.has(StatRole::Root) && m_fields.has(StatRole::StepNumber);
    if (step) return SliceKind::Annotation;
    if (info.onHost == SliceKind::Annotation && m_fields.has(StatRole::Operation)) return SliceKind::CpuOp;
    return info.onHost == SliceKind::Annotation ? line.kind : info.onHost;
}

SliceKind PlaneReader::operationKind(const Line& line, const EventInfo& info) const
{
    if (m_place.role == PlaneRole::Tpu)
        return info.onDevice == SliceKind::CommunicationKernel ? info.onDevice : SliceKind::Kernel;
    if (m_fields.has(StatRole::MemcpyDetails)) return SliceKind::Memcpy;
    if (m_fields.has(StatRole::MemsetDetails)) return SliceKind::Memset;
    // AMD copies by kernels of its own, which have a kernel's details.
    if (info.onDevice != SliceKind::Kernel || m_fields.has(StatRole::KernelDetails)) return info.onDevice;
    return line.kind;
}

std::uint32_t PlaneReader::laneOf(const Line& line)
{
    if (line.role == LineRole::Thread || m_place.role == PlaneRole::Generic) return threadLaneOf(line);
    const LineIndex& index = *line.index;
    const bool beside =
        line.role == LineRole::Derived || line.role == LineRole::Steps || line.role == LineRole::Counters;
    const TrackKind kind = beside ? TrackKind::StreamAnnotations : TrackKind::Stream;
    const std::string name = index.name.empty() ? "line " + std::to_string(index.id) : index.name;
    const std::string key(beside ? std::string_view(name) : streamKey(name));
    if (key != name && name.find('(') != std::string::npos)
        m_state.builder.setThreadName(m_state.fileNumber, m_plane.name, key,
                                      "Stream " + key + ' ' + name.substr(name.find('(')));
    return m_state.builder.streamLane(device(), key, kind);
}

std::uint32_t PlaneReader::threadLaneOf(const Line& line)
{
    const LineIndex& index = *line.index;
    std::string key = std::to_string(index.id);
    // Two lines of one number are two rows, unless they also have the same name.
    if (const auto known = m_threadNames.find(key); known != m_threadNames.end() && known->second != index.name)
        key += ' ' + index.name;
    m_threadNames.emplace(key, index.name);
    const std::string& name = index.displayName.empty() ? index.name : index.displayName;
    ProfileBuilder& builder = m_state.builder;
    builder.setThreadName(m_state.fileNumber, m_pid, key, name);
    return builder.threadLane(builder.process(m_state.fileNumber, m_pid), key);
}

std::uint32_t PlaneReader::device()
{
    if (m_device) return *m_device;
    constexpr std::int64_t kFirstOther = 1000; ///< numbers of what is no whole device
    std::int64_t number = m_place.ordinal.value_or(kFirstOther);
    if (m_state.deviceNumbers.contains(number)) number = kFirstOther;
    while (!m_state.deviceNumbers.insert(number).second) ++number;
    ProfileBuilder& builder = m_state.builder;
    m_device = builder.device(m_state.fileNumber, number, m_plane.name);
    builder.setDeviceName(*m_device, m_place.device, m_model);
    if (m_state.hostPid) builder.setDeviceProcess(*m_device, builder.process(m_state.fileNumber, *m_state.hostPid));
    return *m_device;
}

void PlaneReader::addSample(const EventInfo& info, std::int64_t timeNs)
{
    ProfileBuilder& builder = m_state.builder;
    const std::string name(builder.strings().view(info.label));
    const std::string owner =
        m_place.ordinal ? std::string(kDevicePidPrefix) + std::to_string(*m_place.ordinal) : m_pid;
    const double value = m_fields.real(StatRole::CounterValue);
    if (std::isfinite(value)) builder.addSample(builder.counter(m_state.fileNumber, owner, name, {}), timeNs, value);
}

/// What an allocator had given away, reserved and left after each call.
void PlaneReader::addMemorySamples(std::int64_t timeNs)
{
    constexpr std::array kRoles = {StatRole::BytesAllocated, StatRole::BytesReserved, StatRole::BytesAvailable};
    constexpr std::array<std::string_view, 3> kNames = {"allocated", "reserved", "available"};
    const std::string_view allocator = m_fields.has(StatRole::AllocatorName) ? m_fields.allocator : std::string_view();
    std::optional<std::int64_t> ordinal = deviceOfAllocator(allocator);
    if (m_fields.has(StatRole::AllocatorDevice))
        ordinal = static_cast<std::int64_t>(m_fields.number(StatRole::AllocatorDevice));
    ProfileBuilder& builder = m_state.builder;
    const std::string owner = ordinal ? std::string(kDevicePidPrefix) + std::to_string(*ordinal) : m_pid;
    const auto [counters, added] = m_memoryCounters.try_emplace(owner + '\x1f' + std::string(allocator));
    for (std::size_t which = 0; which < kRoles.size(); ++which) {
        if (added) {
            const std::string name = "memory " + std::string(kNames[which]);
            counters->second[which] = builder.counter(m_state.fileNumber, owner, name, allocator);
            builder.setCounterUnit(counters->second[which], "bytes");
        }
        if (m_fields.has(kRoles[which]))
            builder.addSample(counters->second[which], timeNs, m_fields.real(kRoles[which]));
    }
}

void PlaneReader::addFlows(std::uint32_t lane)
{
    ProfileBuilder& builder = m_state.builder;
    const auto add = [&](std::uint64_t type, std::uint64_t id, bool start) {
        const StringId category = builder.strings().intern(contextName(type));
        const std::uint64_t scope = m_fields.has(StatRole::ContextScope) ? m_fields.number(StatRole::ContextScope) : 0;
        builder.addSliceFlowEnd(lane, flowKey(id, scope), category, start);
    };
    const auto typeOf = [&](StatRole role) { return m_fields.has(role) ? m_fields.number(role) : 0; };
    if (m_fields.has(StatRole::ProducerId))
        add(typeOf(StatRole::ProducerType), m_fields.number(StatRole::ProducerId), true);
    if (m_fields.has(StatRole::ConsumerId))
        add(typeOf(StatRole::ConsumerType), m_fields.number(StatRole::ConsumerId), false);
    if (!m_fields.has(StatRole::Flow)) return;
    // Two bits of direction, 56 of id, six of category.
    const std::uint64_t flow = m_fields.number(StatRole::Flow);
    const std::uint64_t id = flow >> 2 & ((std::uint64_t{1} << 56) - 1);
    if ((flow & 2) != 0) add(flow >> 58, id, true);
    if ((flow & 1) != 0) add(flow >> 58, id, false);
}

void PlaneReader::markSteps(const Line& line, const RawSlice& slice, std::uint32_t place)
{
    const auto number = [&](StatRole role) { return static_cast<std::int64_t>(m_fields.number(role)); };
    const bool group = m_fields.has(StatRole::GroupId);
    if (line.role == LineRole::Steps) {
        const auto named = stepNumber(m_state.builder.strings().view(slice.name));
        if (named || group) m_state.steps.addLine({line.lane, place, named ? *named : number(StatRole::GroupId)});
    } else if (line.role == LineRole::Thread) {
        const bool iteration = m_fields.has(StatRole::IterationNumber);
        const bool counted = iteration || m_fields.has(StatRole::StepNumber);
        if (counted && m_fields.has(StatRole::Root) && m_fields.number(StatRole::Root) != 0)
            m_state.steps.addRoot(
                {line.lane, place, number(iteration ? StatRole::IterationNumber : StatRole::StepNumber)});
        else if (group) m_state.steps.addOfGroup({line.lane, place, number(StatRole::GroupId)}, slice.durNs);
    }
}

} // namespace stepscope::xplane
