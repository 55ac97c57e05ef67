// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/XPlaneWriter.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stepscope
{
namespace
{

// Numbers of the fields, from the format's table.
constexpr int kSpacePlane = 1;
constexpr int kSpaceHostName = 4;
constexpr int kId = 1;
constexpr int kName = 2;
constexpr int kPlaneLine = 3;
constexpr int kPlaneEventMetadata = 4;
constexpr int kPlaneStatMetadata = 5;
constexpr int kPlaneStat = 6;
constexpr int kLineTimestamp = 3;
constexpr int kEvent = 4;
constexpr int kEventOffset = 2;
constexpr int kEventDuration = 3;
constexpr int kStatReal = 2;
constexpr int kStatUnsigned = 3;
constexpr int kStatSigned = 4;
constexpr int kStatText = 5;
constexpr int kStatReference = 7;

constexpr std::int64_t kLineTimestampNs = 1000; ///< of every line, after the file's time 0
constexpr std::int64_t kLeadNs = 1'000'000'000; ///< the recording began so long before the first step

enum DeviceLine : std::size_t { kScopes, kCounters, kFirstStream };

/// What stands behind "key": up to the end of a list or a number.
std::string memberOf(std::string_view json, std::string_view key)
{
    const std::size_t at = json.find(key);
    if (at == std::string_view::npos) return "0";
    std::string_view rest = json.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_of("[0123456789"), rest.size()));
    const bool list = rest.starts_with('[');
    std::string value;
    for (const char c : rest.substr(list ? 1 : 0)) {
        if (c == ']' || (c == ',' && !list)) break;
        if (c != ' ') value += c;
    }
    return value;
}

} // namespace

std::int64_t XPlaneWriter::Plane::event(std::string_view eventName)
{
    const auto [place, added] =
        eventIds.try_emplace(std::string(eventName), static_cast<std::int64_t>(eventNames.size() + 1));
    if (added) eventNames.emplace_back(eventName);
    return place->second;
}

std::int64_t XPlaneWriter::Plane::stat(std::string_view statName)
{
    const auto [place, added] =
        statIds.try_emplace(std::string(statName), static_cast<std::int64_t>(statNames.size() + 1));
    if (added) statNames.emplace_back(statName);
    return place->second;
}

XPlaneWriter::XPlaneWriter(const GeneratorOptions& options, RankIdentity identity, std::unique_ptr<Sink> sink)
    : m_identity(std::move(identity)), m_sink(std::move(sink)), m_baseNs(options.startUnixNs - kLeadNs)
{
    m_host.name = "/host:CPU";
    m_host.lines.push_back({m_identity.pid, "main/" + std::to_string(m_identity.pid), {}});
    m_host.lines.push_back({m_identity.autogradTid, "pt_autograd_0/" + std::to_string(m_identity.autogradTid), {}});
    m_device.name = "/device:GPU:" + std::to_string(m_identity.device);
    m_device.id = m_identity.device + 1;
    m_device.lines.push_back({0xdeadbeef + 2, "Framework Name Scope", {}});
    m_device.lines.push_back({1, "_counters_", {}});
    m_spans.name = "Spans";
    m_spans.lines.push_back({1, "PyTorch Profiler", {}});
}

void XPlaneWriter::writeStep(const StepTrace& trace)
{
    for (const HostSlice& slice : trace.host) {
        const bool step = &slice == &trace.host.front();
        if (step) {
            addStat(m_host, "step_num", trace.number);
            addStat(m_host, "_r", 1);
        }
        hostSlice(slice);
    }
    for (const MemoryEvent& event : trace.memory) memoryEvent(event);
    for (const DeviceSlice& slice : trace.device) deviceSlice(slice);
    for (const CounterSample& sample : trace.counters) counter(sample);
}

void XPlaneWriter::hostSlice(const HostSlice& slice)
{
    const bool isCall = slice.kind == HostKind::Runtime || slice.kind == HostKind::Driver;
    if (isCall) {
        addStat(m_host, "device_id", m_identity.device);
        addStat(m_host, "correlation_id", slice.correlation);
    } else if (slice.kind == HostKind::CpuOp) {
        addReference(m_host, "tf_op", slice.name);
        if (slice.collective != nullptr) addStat(m_host, "bytes_transferred", slice.collective->elements * 2);
    }
    if (slice.flow != FlowEnd::None && !isCall) {
        const bool start = slice.flow == FlowEnd::Start;
        addStat(m_host, start ? "_pt" : "_ct", 0);
        addStat(m_host, start ? "_p" : "_c", slice.flowId);
    }
    const std::size_t line = slice.thread == HostThreadName::Main ? 0 : 1;
    if (slice.kind == HostKind::Python)
        addEvent(m_host, line, '$' + std::string(slice.name), slice.startNs, slice.durNs);
    else addEvent(m_host, line, slice.name, slice.startNs, slice.durNs);
}

std::size_t XPlaneWriter::streamLine(const DeviceSlice& slice)
{
    const auto [place, added] = m_streamLines.try_emplace(slice.stream, m_device.lines.size());
    if (added) {
        const std::string number = std::to_string(slice.stream);
        const bool communication = slice.stream == kNcclStream;
        m_device.lines.push_back(
            {slice.stream, "Stream #" + number + (communication ? "(Kernel)" : "(Kernel,MemcpyH2D,Memset)"), {}});
    }
    return place->second;
}

std::string_view XPlaneWriter::detailsOf(std::string_view shape)
{
    const auto [place, added] = m_details.try_emplace(shape.data());
    if (added)
        place->second = "regs:" + memberOf(shape, "registers per thread\":") +
                        " static_shared:0 dynamic_shared:" + memberOf(shape, "shared memory\":") +
                        " grid:" + memberOf(shape, "grid\":") + " block:" + memberOf(shape, "block\":") +
                        " occ_pct:" + memberOf(shape, "occupancy %\":");
    return place->second;
}

void XPlaneWriter::deviceSlice(const DeviceSlice& slice)
{
    if (slice.kind == DeviceKind::Sync) return;
    if (slice.kind == DeviceKind::Annotation)
        return addEvent(m_device, kScopes, slice.name, slice.startNs, slice.durNs);
    addStat(m_device, "correlation_id", slice.correlation);
    if (slice.kind == DeviceKind::Kernel) {
        addReference(m_device, "context_id", "$$1");
        addReference(m_device, "kernel_details", detailsOf(slice.shape));
    } else {
        const std::string bytes = std::to_string(slice.bytes);
        if (slice.kind == DeviceKind::Memcpy)
            addText(m_device, "memcpy_details", "kind_src:pageable kind_dst:device size:" + bytes + " dest:0 async:1");
        else addText(m_device, "memset_details", "kind:Device num_bytes:" + bytes + " async:1");
    }
    addEvent(m_device, streamLine(slice), slice.name, slice.startNs, slice.durNs);
}

void XPlaneWriter::memoryEvent(const MemoryEvent& event)
{
    addReference(m_host, "allocator_name", "GPU_" + std::to_string(m_identity.device) + "_bfc");
    addStat(m_host, "bytes_reserved", event.reservedBytes);
    addStat(m_host, "bytes_allocated", event.allocatedBytes);
    addStat(m_host, "allocation_bytes", event.bytes < 0 ? -event.bytes : event.bytes);
    addEvent(m_host, event.thread == HostThreadName::Main ? 0 : 1,
             event.bytes < 0 ? "MemoryDeallocation" : "MemoryAllocation", event.timeNs, 0);
}

void XPlaneWriter::counter(const CounterSample& sample)
{
    if (sample.cpu >= 0) return;
    m_stat.clear();
    m_stat.number(kId, m_device.stat("counter_value")).real(kStatReal, static_cast<double>(sample.tenths) / 10);
    m_stats.bytes(kEvent, m_stat);
    addEvent(m_device, kCounters, sample.name, sample.timeNs, 0);
}

void XPlaneWriter::addStat(Plane& plane, std::string_view name, std::int64_t value)
{
    m_stat.clear();
    m_stat.number(kId, plane.stat(name)).number(kStatSigned, value);
    m_stats.bytes(kEvent, m_stat); // field 4 of an event is its stats, as that of a line is its events
}

void XPlaneWriter::addText(Plane& plane, std::string_view name, std::string_view value)
{
    m_stat.clear();
    m_stat.number(kId, plane.stat(name)).bytes(kStatText, value);
    m_stats.bytes(kEvent, m_stat);
}

void XPlaneWriter::addReference(Plane& plane, std::string_view name, std::string_view text)
{
    m_stat.clear();
    m_stat.number(kId, plane.stat(name)).number(kStatReference, plane.stat(text));
    m_stats.bytes(kEvent, m_stat);
}

void XPlaneWriter::addEvent(Plane& plane, std::size_t line, std::string_view name, std::int64_t startNs,
                            std::int64_t durNs)
{
    constexpr std::int64_t kPsPerNs = 1000;
    m_event.clear();
    m_event.number(kId, plane.event(name)).number(kEventOffset, (startNs - m_baseNs - kLineTimestampNs) * kPsPerNs);
    if (durNs != 0) m_event.number(kEventDuration, durNs * kPsPerNs);
    XPlaneBytes& events = plane.lines[line].events;
    const std::size_t before = events.size();
    events.lengthOf(kEvent, m_event.size() + m_stats.size()).append(m_event).append(m_stats);
    m_eventBytes += events.size() - before;
    m_stats.clear();
}

bool XPlaneWriter::writePlane(const Plane& plane)
{
    XPlaneBytes head;
    if (plane.id != 0) head.number(kId, plane.id);
    head.bytes(kName, plane.name);
    std::vector<XPlaneBytes> lineHeads;
    std::uint64_t size = head.size() + plane.stats.size();
    for (const Line& line : plane.lines) {
        XPlaneBytes own;
        own.number(kId, line.id).bytes(kName, line.name).number(kLineTimestamp, kLineTimestampNs);
        XPlaneBytes lineHead;
        lineHead.lengthOf(kPlaneLine, own.size() + line.events.size()).append(own);
        size += lineHead.size() + line.events.size();
        lineHeads.push_back(std::move(lineHead));
    }
    XPlaneBytes maps;
    const auto addMap = [&maps](int field, const std::vector<std::string>& names) {
        for (std::size_t place = 0; place < names.size(); ++place) {
            const auto id = static_cast<std::int64_t>(place + 1);
            const XPlaneBytes value = XPlaneBytes().number(kId, id).bytes(kName, names[place]);
            maps.bytes(field, XPlaneBytes().number(1, id).bytes(2, value));
        }
    };
    addMap(kPlaneEventMetadata, plane.eventNames);
    addMap(kPlaneStatMetadata, plane.statNames);
    XPlaneBytes planeHead;
    planeHead.lengthOf(kSpacePlane, size + maps.size()).append(head);
    bool ok = m_sink->write(planeHead.text());
    for (std::size_t line = 0; line < plane.lines.size(); ++line)
        ok = m_sink->write(lineHeads[line].text()) && m_sink->write(plane.lines[line].events.text()) && ok;
    return m_sink->write(maps.text()) && m_sink->write(plane.stats.text()) && ok;
}

bool XPlaneWriter::finish(std::int64_t startNs, std::int64_t endNs)
{
    addEvent(m_spans, 0, "PyTorch Profiler (0)", startNs, endNs - startNs);
    const auto addPlaneStat = [](Plane& plane, std::string_view name, int field, std::uint64_t value) {
        plane.stats.bytes(kPlaneStat, XPlaneBytes().number(kId, plane.stat(name)).number(field, value));
    };
    m_device.stats.bytes(kPlaneStat,
                         XPlaneBytes().number(kId, m_device.stat("device_vendor")).bytes(kStatText, "Nvidia"));
    m_device.stats.bytes(
        kPlaneStat,
        XPlaneBytes().number(kId, m_device.stat("gpu_device_name")).bytes(kStatText, "NVIDIA H100 80GB HBM3"));
    addPlaneStat(m_device, "core_count", kStatSigned, 132);
    Plane environment;
    environment.name = "Task Environment";
    addPlaneStat(environment, "profile_start_time", kStatUnsigned, static_cast<std::uint64_t>(m_baseNs));
    addPlaneStat(environment, "profile_stop_time", kStatUnsigned, static_cast<std::uint64_t>(endNs));
    bool ok = true;
    for (const Plane* plane : std::array<const Plane*, 4>{&m_host, &m_device, &m_spans, &environment})
        ok = writePlane(*plane) && ok;
    ok = m_sink->write(XPlaneBytes().bytes(kSpaceHostName, m_identity.host).text()) && ok;
    return m_sink->close() && ok;
}

} // namespace stepscope
