// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/FactsCollector.h"

#include <algorithm>

namespace stepscope
{

std::string_view categoryOf(HostKind kind)
{
    constexpr std::string_view kNames[] = {"cpu_op", "user_annotation", "cuda_runtime", "cuda_driver",
                                           "python_function"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view categoryOf(DeviceKind kind)
{
    constexpr std::string_view kNames[] = {"kernel", "gpu_memcpy", "gpu_memset", "gpu_user_annotation", "cuda_sync"};
    return kNames[static_cast<std::size_t>(kind)];
}

void FactsCollector::add(const StepTrace& trace)
{
    addHost(trace);
    addDevice(trace);
    m_facts.memoryInstants += trace.memory.size();
    m_facts.counterSamples += trace.counters.size();
}

void FactsCollector::addHost(const StepTrace& trace)
{
    for (const HostSlice& slice : trace.host) {
        ++m_hostSlices[static_cast<std::size_t>(slice.kind)];
        if (slice.flow != FlowEnd::None) ++m_facts.flowEvents;
        if (slice.kind == HostKind::Annotation) ++m_facts.annotations[std::string(slice.name)];
    }
    const HostSlice& step = trace.host.front(); // its annotation is the first thing that a step opens
    m_facts.steps.push_back({.number = trace.number, .hostStartNs = step.startNs, .hostDurNs = step.durNs});
}

void FactsCollector::addDevice(const StepTrace& trace)
{
    m_runs.clear();
    for (const DeviceSlice& slice : trace.device) {
        ++m_deviceSlices[static_cast<std::size_t>(slice.kind)];
        if (slice.isRun()) addRun(slice);
    }
    addBusy(m_facts.steps.back());
}

void FactsCollector::addRun(const DeviceSlice& run)
{
    m_runs.emplace_back(run.startNs, run.endNs());
    ++m_facts.linkedRuns;
    ++m_facts.flowEvents; // the finish of its launch's ac2g
    // All runs of one launch follow each other.
    if (run.correlation != m_lastCorrelation) ++m_facts.launches;
    m_lastCorrelation = run.correlation;
    const std::int64_t latencyNs = run.startNs - run.launchNs;
    m_facts.minLatencyNs = m_anyRun ? std::min(m_facts.minLatencyNs, latencyNs) : latencyNs;
    m_facts.maxLatencyNs = m_anyRun ? std::max(m_facts.maxLatencyNs, latencyNs) : latencyNs;
    m_anyRun = true;
    if (run.kind != DeviceKind::Kernel) return;
    m_kernelNames.insert(run.name.data());
    m_facts.kernelNs += run.durNs;
    if (run.collective == nullptr) return;
    ++m_facts.communicationKernels;
    m_facts.communicationNs += run.durNs;
}

void FactsCollector::addBusy(StepFacts& step)
{
    std::sort(m_runs.begin(), m_runs.end());
    step.deviceStartNs = m_runs.front().first;
    std::int64_t coveredNs = step.deviceStartNs;
    for (const auto& [startNs, endNs] : m_runs) {
        step.busyNs += std::max<std::int64_t>(0, endNs - std::max(startNs, coveredNs));
        coveredNs = std::max(coveredNs, endNs);
    }
    step.deviceEndNs = coveredNs;
    // A step ends with cudaDeviceSynchronize, so the runs of two steps never overlap and their unions add up.
    m_facts.busyNs += step.busyNs;
}

void FactsCollector::finish(std::int64_t startNs, std::int64_t endNs)
{
    const auto put = [this](std::string_view category, std::uint64_t count) {
        if (count > 0) m_facts.slicesByCategory[std::string(category)] = count;
        m_facts.slices += count;
    };
    for (std::size_t kind = 0; kind < m_hostSlices.size(); ++kind) {
        put(categoryOf(static_cast<HostKind>(kind)), m_hostSlices[kind]);
    }
    for (std::size_t kind = 0; kind < m_deviceSlices.size(); ++kind) {
        put(categoryOf(static_cast<DeviceKind>(kind)), m_deviceSlices[kind]);
    }
    put("Trace", 1);
    m_facts.kernels = m_deviceSlices[static_cast<std::size_t>(DeviceKind::Kernel)];
    m_facts.memcpys = m_deviceSlices[static_cast<std::size_t>(DeviceKind::Memcpy)];
    m_facts.memsets = m_deviceSlices[static_cast<std::size_t>(DeviceKind::Memset)];
    m_facts.kernelNames = m_kernelNames.size();
    if (m_facts.counterSamples == 0) m_facts.counterSeries = 0;
    m_facts.firstNs = startNs;
    m_facts.lastNs = endNs;
    if (m_facts.steps.empty()) return;
    m_facts.firstRunNs = m_facts.steps.front().deviceStartNs;
    m_facts.lastRunNs = m_facts.steps.back().deviceEndNs;
}

SlowStepFacts describeSlowStep(std::span<const StepTrace* const> traces, int stragglerRank)
{
    SlowStepFacts facts;
    facts.step = traces.front()->number;
    facts.stragglerRank = stragglerRank;
    for (std::size_t rank = 0; rank < traces.size(); ++rank) {
        for (const DeviceSlice& run : traces[rank]->device) {
            if (!run.isRun() || run.collective == nullptr || run.durNs <= facts.durNs) continue;
            facts.rank = static_cast<int>(rank);
            facts.stream = run.stream;
            facts.kernel = run.name;
            facts.correlation = run.correlation;
            facts.startNs = run.startNs;
            facts.durNs = run.durNs;
        }
    }
    for (const HostSlice& slice : traces[static_cast<std::size_t>(stragglerRank)]->host) {
        if (slice.name != "dataloader.next") continue;
        facts.loadingStartNs = slice.startNs;
        facts.loadingDurNs = slice.durNs;
    }
    return facts;
}

} // namespace stepscope
