// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "generator/ProfileGenerator.h"
#include "generator/Random.h"
#include "generator/StepTrace.h"

#include <cstdint>

namespace stepscope
{

/// Samples a rank's counters on a fixed grid of times.
class StepCounters
{
public:
    /// `cpus`: perf counters of so many CPUs of the host; 0 where another rank's file has them.
    StepCounters(const GeneratorOptions& options, int rank, int cpus);

    /// Adds the samples in [fromNs, toNs) to the step, whose runs must be final.
    void sample(StepTrace& trace, std::int64_t fromNs, std::int64_t toNs);
    [[nodiscard]] std::uint64_t seriesCount() const;

private:
    void sampleCpus(StepTrace& trace, std::int64_t timeNs);
    void sampleDevice(StepTrace& trace, std::int64_t timeNs, bool computing, std::int64_t stepPerMille);

    const GeneratorOptions& m_options;
    int m_cpus;
    Random m_random;
    std::int64_t m_nextNs;
};

} // namespace stepscope
