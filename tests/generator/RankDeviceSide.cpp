// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/RankSimulator.h"

#include <algorithm>
#include <cstdint>

// The parts of RankSimulator that concern its device: memory, streams, and what is drawn on them.

namespace stepscope
{
namespace
{

constexpr std::int64_t kShortestRunNs = 1'200;
constexpr std::int64_t kReservedBytes = 64'424'509'440;

} // namespace

std::int64_t RankSimulator::runNs(std::int64_t phaseShare, std::int64_t weight, std::int64_t weights)
{
    const std::int64_t phaseNs = m_options.stepNs / 1000 * phaseShare;
    return std::max(kShortestRunNs, m_random.vary(phaseNs * weight / weights, 20));
}

void RankSimulator::allocate(ForwardOp& done)
{
    if (!m_options.memoryEvents) return;
    done.bytes = m_random.between(16, 512) * 512 * 1024;
    done.address = m_nextAddress;
    m_nextAddress += done.bytes;
    memoryEvent(HostThreadName::Main, m_main.nowNs(), done.address, done.bytes);
}

void RankSimulator::release(const ForwardOp& done)
{
    if (done.bytes == 0) return;
    m_nextAddress -= done.bytes; // released in reverse order: the next step reuses the addresses
    memoryEvent(HostThreadName::Autograd, m_autograd.nowNs(), done.address, -done.bytes);
}

void RankSimulator::memoryEvent(HostThreadName thread, std::int64_t timeNs, std::int64_t address, std::int64_t bytes)
{
    m_allocatedBytes += bytes;
    m_trace.memory.push_back({thread, timeNs, address, bytes, m_allocatedBytes,
                              std::max(kReservedBytes, m_allocatedBytes), ++m_counters.eventIndex});
}

DeviceSlice& RankSimulator::submit(DeviceKind kind, HostThreadName thread, const HostSlice& call, std::string_view name,
                                   std::int64_t durNs)
{
    const std::int64_t arrivedNs = call.startNs + call.durNs + m_random.between(700, 2'100);
    const std::int64_t gapNs = m_random.between(500, 1'300);
    DeviceSlice& run = m_trace.device.emplace_back();
    run.kind = kind;
    run.launchThread = thread;
    run.startNs = std::max(arrivedNs, m_computeFreeNs + gapNs);
    run.durNs = durNs;
    run.launchNs = call.startNs;
    run.name = name;
    run.externalId = call.externalId;
    run.correlation = call.correlation;
    m_computeFreeNs = run.endNs();
    return run;
}

void RankSimulator::syncRecord(std::string_view name, int stream, const HostSlice& call, std::int64_t startNs,
                               std::int64_t endNs)
{
    DeviceSlice& record = m_trace.device.emplace_back();
    record.kind = DeviceKind::Sync;
    record.stream = stream;
    record.startNs = startNs;
    record.durNs = endNs - startNs;
    record.launchNs = call.startNs;
    record.name = name;
    record.externalId = call.externalId;
    record.correlation = call.correlation;
}

void RankSimulator::mirrorAnnotations()
{
    for (const HostSlice& slice : m_trace.host) {
        if (slice.kind != HostKind::Annotation) continue;
        mirror(slice, kComputeStream);
        mirror(slice, kNcclStream);
    }
}

void RankSimulator::mirror(const HostSlice& annotation, int stream)
{
    // As Kineto does it: the hull of what the annotation's own thread launched in it, 1 ns wider at both ends.
    std::int64_t startNs = INT64_MAX;
    std::int64_t endNs = INT64_MIN;
    for (std::uint32_t row = annotation.firstRun; row < annotation.endRun; ++row) {
        const DeviceSlice& run = m_trace.device[row];
        if (!run.isRun() || run.stream != stream || run.launchThread != annotation.thread) continue;
        startNs = std::min(startNs, run.startNs);
        endNs = std::max(endNs, run.endNs());
    }
    if (endNs < startNs) return;
    DeviceSlice& hull = m_trace.device.emplace_back();
    hull.kind = DeviceKind::Annotation;
    hull.stream = stream;
    hull.startNs = startNs - 1;
    hull.durNs = endNs - startNs + 2;
    hull.name = annotation.name;
    hull.externalId = annotation.externalId;
}

} // namespace stepscope
