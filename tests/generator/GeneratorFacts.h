// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stepscope
{

// What the generator knows about its own files, taken from the schedule and not from the text, so that a test can hold
// an importer's answer against it. All times are Unix time in ns, all ranges half-open.

/// One training step of one rank.
struct StepFacts {
    std::int64_t number = 0;      ///< N of ProfilerStep#N
    std::int64_t hostStartNs = 0; ///< of the user_annotation
    std::int64_t hostDurNs = 0;
    std::int64_t deviceStartNs = 0; ///< first run start of the work launched in the step, by any thread
    std::int64_t deviceEndNs = 0;   ///< last run end
    std::int64_t busyNs = 0;        ///< union of the step's runs
};

/// One rank's file. A "run" is a kernel, memcpy or memset; every run of a generated file has its launch.
struct RankFacts {
    std::filesystem::path file; ///< empty when generated in memory
    std::string host;
    int rank = 0;
    int device = 0;
    std::int64_t pid = 0;
    std::uint64_t bytes = 0;                               ///< uncompressed
    std::map<std::string, std::uint64_t> slicesByCategory; ///< X events per `cat`, the `Trace` span included
    std::map<std::string, std::uint64_t> annotations;      ///< user_annotation slices per name
    std::uint64_t slices = 0;
    std::uint64_t flowEvents = 0;     ///< s and f events
    std::uint64_t memoryInstants = 0; ///< [memory]
    std::uint64_t launches = 0;       ///< runtime or driver calls that submitted at least one run
    std::uint64_t linkedRuns = 0;     ///< runs whose launch is in the file: all of them
    std::uint64_t kernels = 0;        ///< communication kernels included
    std::uint64_t memcpys = 0;
    std::uint64_t memsets = 0;
    std::uint64_t communicationKernels = 0;
    std::uint64_t kernelNames = 0; ///< distinct
    std::int64_t kernelNs = 0;     ///< summed durations, communication included
    std::int64_t communicationNs = 0;
    std::int64_t busyNs = 0;       ///< union of all runs
    std::int64_t minLatencyNs = 0; ///< run start minus launch start
    std::int64_t maxLatencyNs = 0;
    std::int64_t firstNs = 0; ///< start of the Trace span, which encloses everything timed
    std::int64_t lastNs = 0;
    std::int64_t firstRunNs = 0;
    std::int64_t lastRunNs = 0;
    std::uint64_t counterSeries = 0; ///< from C events; [memory] instants are not counted here
    std::uint64_t counterSamples = 0;
    std::vector<StepFacts> steps;
};

/// Why the slow step is slow: the longest collective of all ranks, and the data loading it waited for.
struct SlowStepFacts {
    std::int64_t step = 0;
    int rank = 0; ///< that waited longest
    std::string host;
    int device = 0;
    int stream = 0;
    std::string kernel;
    std::int64_t correlation = 0;
    std::int64_t startNs = 0;
    std::int64_t durNs = 0;
    int stragglerRank = 0;
    std::int64_t loadingStartNs = 0; ///< the straggler's `dataloader.next`
    std::int64_t loadingDurNs = 0;
};

struct GeneratorFacts {
    std::string error; ///< a sentence without its end; empty when all was written
    std::vector<RankFacts> ranks;
    std::optional<SlowStepFacts> slowStep;

    [[nodiscard]] bool ok() const { return error.empty(); }
};

/// The facts as one JSON object; keys are the member names in snake case.
[[nodiscard]] std::string factsToJson(const GeneratorFacts& facts);

} // namespace stepscope
