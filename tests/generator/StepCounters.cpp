// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/StepCounters.h"

namespace stepscope
{
namespace
{

constexpr std::uint64_t kSeriesPerCpu = 3;
constexpr std::uint64_t kSeriesPerDevice = 2;
constexpr std::int64_t kTscPerUs = 2'000;

} // namespace

StepCounters::StepCounters(const GeneratorOptions& options, int rank, int cpus)
    : m_options(options), m_cpus(cpus), m_random(options.seed + 0xC0FFEEu + static_cast<std::uint64_t>(rank) * 7919),
      m_nextNs(options.startUnixNs)
{
}

std::uint64_t StepCounters::seriesCount() const
{
    return static_cast<std::uint64_t>(m_cpus) * kSeriesPerCpu + (m_options.gpuCounters ? kSeriesPerDevice : 0);
}

void StepCounters::sample(StepTrace& trace, std::int64_t fromNs, std::int64_t toNs)
{
    std::size_t row = 0;
    while (m_nextNs < fromNs) m_nextNs += m_options.counterIntervalNs;
    for (; m_nextNs < toNs; m_nextNs += m_options.counterIntervalNs) {
        const auto passed = [&](const DeviceSlice& run) {
            return run.stream != kComputeStream || !run.isRun() || run.endNs() <= m_nextNs;
        };
        while (row < trace.device.size() && passed(trace.device[row])) ++row;
        const bool computing = row < trace.device.size() && trace.device[row].startNs <= m_nextNs;
        sampleCpus(trace, m_nextNs);
        if (m_options.gpuCounters) {
            sampleDevice(trace, m_nextNs, computing, (m_nextNs - fromNs) * 1000 / (toNs - fromNs));
        }
    }
}

void StepCounters::sampleCpus(StepTrace& trace, std::int64_t timeNs)
{
    for (int cpu = 0; cpu < m_cpus; ++cpu) {
        const std::int64_t utilisation = m_random.between(cpu == 0 ? 820 : 130, cpu == 0 ? 990 : 460); // 0.1 %
        const std::int64_t cycles = m_options.counterIntervalNs / 1000 * kTscPerUs / 1000 * utilisation;
        trace.counters.push_back({"clk_unhalted_ref.tsc", "value", cpu, timeNs, cycles * 10});
        trace.counters.push_back(
            {"itlb_misses.miss_causes_a_walk", "value", cpu, timeNs, m_random.between(200, 4'100) * 10});
        trace.counters.push_back({"CPU utilization", "percent", cpu, timeNs, utilisation});
    }
}

void StepCounters::sampleDevice(StepTrace& trace, std::int64_t timeNs, bool computing, std::int64_t stepPerMille)
{
    // Activations pile up until the middle of the step, and go with the backward pass.
    const std::int64_t filled = stepPerMille < 450 ? stepPerMille : (1000 - stepPerMille) * 450 / 550;
    const std::int64_t bytes = 9'663'676'416 + filled * 48'000'000;
    const std::int64_t power = computing ? m_random.between(6'310, 6'890) : m_random.between(1'980, 2'260);
    trace.counters.push_back({"power", "W", -1, timeNs, power});
    trace.counters.push_back({"memory", "bytes", -1, timeNs, bytes * 10});
}

} // namespace stepscope
