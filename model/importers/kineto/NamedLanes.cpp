// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/NamedLanes.h"

#include "importers/kineto/EventFields.h"

namespace stepscope::kineto
{

namespace
{

using xplane::LineRole;
using xplane::PlaneRole;

constexpr std::string_view kLegacyHost = "CPU functions";
constexpr std::string_view kLegacyDevices = "CUDA functions";

bool isDeviceRole(PlaneRole role)
{
    return role == PlaneRole::Gpu || role == PlaneRole::Tpu || role == PlaneRole::OtherDevice;
}

} // namespace

void NamedLanes::learn(MetaRecord::What what, const std::string& pid, const std::string& tid, std::string_view text)
{
    if (what == MetaRecord::What::ProcessName) {
        const auto plane = xplane::placeOfPlane(text);
        if (isDeviceRole(plane.role) || plane.role == PlaneRole::Host) m_processes[pid].plane = plane;
    } else if (what == MetaRecord::What::ThreadName) {
        const auto process = m_processes.find(pid);
        if (process == m_processes.end()) return;
        process->second.lineNames[tid] = text;
        if (text.starts_with("Stream")) process->second.hasStreams = true;
    }
}

bool NamedLanes::isDevice(const std::string& pid) const
{
    if (pid == kLegacyDevices) return true;
    const auto process = m_processes.find(pid);
    return process != m_processes.end() && isDeviceRole(process->second.plane.role);
}

const NamedLane* NamedLanes::find(const std::string& pid, const std::string& tid)
{
    const bool legacy = pid == kLegacyHost || pid == kLegacyDevices;
    const auto process = m_processes.find(pid);
    if (!legacy && process == m_processes.end()) return nullptr;
    const auto [place, added] = m_lanes.try_emplace({pid, tid});
    if (added) place->second = legacy ? madeLegacy(pid, tid) : made(pid, tid, process->second);
    return &place->second;
}

NamedLane NamedLanes::madeLegacy(const std::string& pid, const std::string& tid)
{
    NamedLane lane;
    if (pid == kLegacyHost) {
        lane.role = LineRole::Thread;
        lane.kind = SliceKind::CpuOp;
        lane.lane = m_builder.threadLane(m_builder.process(m_file, pid), tid);
    } else {
        lane.role = LineRole::Operations;
        lane.kind = SliceKind::Kernel;
        const std::int64_t number = integerOf<std::int64_t>(tid).value_or(0);
        lane.lane = m_builder.streamLane(m_builder.device(m_file, number, pid), "0", TrackKind::Stream);
    }
    return lane;
}

NamedLane NamedLanes::made(const std::string& pid, const std::string& tid, Process& process)
{
    const auto named = process.lineNames.find(tid);
    const std::string line = named != process.lineNames.end() ? named->second : std::string();
    NamedLane lane;
    lane.role =
        xplane::roleOfLine(process.plane.role, line, integerOf<std::int64_t>(tid).value_or(0), process.hasStreams);
    lane.tpu = process.plane.role == PlaneRole::Tpu;
    lane.kind = lane.role == LineRole::Thread ? xplane::kindOfThread(line) : xplane::kindOfStream(line);
    lane.category = m_builder.category(m_builder.strings().intern(line));
    const bool beside =
        lane.role == LineRole::Derived || lane.role == LineRole::Steps || lane.role == LineRole::Counters;
    lane.lane = lane.role == LineRole::Thread ? m_builder.threadLane(m_builder.process(m_file, pid), tid)
                                              : streamLane(pid, process, line.empty() ? tid : line, beside);
    return lane;
}

std::uint32_t NamedLanes::streamLane(const std::string& pid, Process& process, const std::string& line, bool beside)
{
    if (!process.device) {
        const std::int64_t number = process.plane.ordinal ? *process.plane.ordinal : m_nextOther++;
        process.device = m_builder.device(m_file, number, pid);
        m_builder.setDeviceName(*process.device, process.plane.device, {});
    }
    const std::string key(beside ? std::string_view(line) : xplane::streamKey(line));
    if (key != line && line.find('(') != std::string::npos)
        m_builder.setThreadName(m_file, pid, key, "Stream " + key + ' ' + line.substr(line.find('(')));
    return m_builder.streamLane(*process.device, key, beside ? TrackKind::StreamAnnotations : TrackKind::Stream);
}

NamedLanes::NameKinds NamedLanes::kindsOf(StringId name)
{
    const auto [known, added] = m_kinds.try_emplace(name.value);
    if (added) {
        const std::string_view text = m_builder.strings().view(name);
        known->second.onHost = xplane::kindOfHostName(text);
        known->second.onDevice =
            xplane::isCollectiveOperation(text) ? SliceKind::CommunicationKernel : xplane::kindOfDeviceName(text);
    }
    return known->second;
}

void NamedLanes::refine(const NamedLane& lane, RawSlice& slice)
{
    slice.category = lane.category;
    const NameKinds kinds = kindsOf(slice.name);
    switch (lane.role) {
    case LineRole::Thread:
        slice.kind = lane.kind == SliceKind::Overhead        ? SliceKind::Overhead
                     : slice.correlation                     ? SliceKind::Runtime
                     : kinds.onHost == SliceKind::Annotation ? lane.kind
                                                             : kinds.onHost;
        break;
    case LineRole::Operations:
        if (lane.tpu)
            slice.kind = kinds.onDevice == SliceKind::CommunicationKernel ? kinds.onDevice : SliceKind::Kernel;
        else slice.kind = kinds.onDevice == SliceKind::Kernel ? lane.kind : kinds.onDevice;
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
    const bool joins = lane.role == LineRole::Thread || lane.role == LineRole::Operations;
    if (!joins) slice.correlation.reset();
}

void NamedLanes::markStep(const NamedLane& lane, const RawSlice& slice, std::uint32_t place, const GroupRecord* group)
{
    if (lane.role == LineRole::Steps) {
        const auto named = xplane::stepNumber(m_builder.strings().view(slice.name));
        if (named || (group && group->group)) m_steps.addLine({lane.lane, place, named ? *named : *group->group});
    } else if (lane.role == LineRole::Thread && group) {
        // The exporter leaves out the stat that marks a step's root; its number stands there.
        if (group->step) m_steps.addRoot({lane.lane, place, *group->step});
        else if (group->group) m_steps.addOfGroup({lane.lane, place, *group->group}, slice.durNs);
    }
}

void NamedLanes::finish()
{
    m_steps.mark(m_builder);
    std::optional<std::uint32_t> host;
    for (const auto& [pid, process] : m_processes)
        if (process.plane.role == PlaneRole::Host && !host) host = m_builder.process(m_file, pid);
    for (const auto& [pid, process] : m_processes)
        if (process.device) m_builder.setDeviceProcess(*process.device, host ? *host : m_builder.process(m_file, pid));
}

} // namespace stepscope::kineto
