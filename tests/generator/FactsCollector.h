// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "generator/GeneratorFacts.h"
#include "generator/StepTrace.h"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace stepscope
{

[[nodiscard]] std::string_view categoryOf(HostKind kind);
[[nodiscard]] std::string_view categoryOf(DeviceKind kind);

/// Adds up one rank's facts, step by step, from the schedule.
class FactsCollector
{
public:
    void add(const StepTrace& trace);
    /// [startNs, endNs) is the Trace span.
    void finish(std::int64_t startNs, std::int64_t endNs);
    [[nodiscard]] RankFacts& facts() { return m_facts; }

private:
    void addHost(const StepTrace& trace);
    void addDevice(const StepTrace& trace);
    void addRun(const DeviceSlice& run);
    void addBusy(StepFacts& step);

    RankFacts m_facts;
    std::array<std::uint64_t, 5> m_hostSlices{};   ///< per HostKind
    std::array<std::uint64_t, 5> m_deviceSlices{}; ///< per DeviceKind
    std::int64_t m_lastCorrelation = -1;
    bool m_anyRun = false;
    std::unordered_set<const char*> m_kernelNames;             ///< names are constants, one address each
    std::vector<std::pair<std::int64_t, std::int64_t>> m_runs; ///< of the step being added
};

/// The step's longest collective of all ranks and the straggler's data loading; `traces` has one per rank.
[[nodiscard]] SlowStepFacts describeSlowStep(std::span<const StepTrace* const> traces, int stragglerRank);

} // namespace stepscope
