// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "generator/GeneratorFacts.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace stepscope
{

/// The formats in which the same job can be written.
enum class GeneratorFormat : std::uint8_t { Kineto, Nsys, XPlane };

/// What to simulate. The same options give the same bytes on every machine.
struct GeneratorOptions {
    int hosts = 1;                               ///< machines, named algo-1, algo-2, ...
    int gpusPerHost = 1;                         ///< one rank (process, file) per GPU
    std::int64_t steps = 10;                     ///< training steps; ignored where targetBytes is set
    std::int64_t firstStep = 0;                  ///< N of the first ProfilerStep#N
    int eventsPerStep = 200;                     ///< compute kernels per step and rank, approximately; at least 7
    std::uint64_t seed = 1;                      ///< of every small variation
    std::int64_t stepNs = 110'000'000;           ///< aimed-at length of an ordinary step
    std::int64_t slowStep = -1;                  ///< N of the step that a straggler makes slow; -1: none
    int stragglerRank = 0;                       ///< whose data loading is late in the slow step
    std::int64_t slowExtraNs = 132'000'000;      ///< by how much
    int collectives = 4;                         ///< all-reduces per step; 0: none
    int perfCpus = 0;                            ///< CPUs with perf counters, in the first rank's file of each host
    bool gpuCounters = false;                    ///< power and memory of each rank's device
    std::int64_t counterIntervalNs = 10'000'000; ///< between two samples of a counter
    bool pythonStacks = false;                   ///< python_function frames (with_stack)
    bool memoryEvents = false;                   ///< [memory] instants (profile_memory)
    int annotationDepth = 2;       ///< 0: ProfilerStep only; 1: phases; 2: parts of forward; more: nested further
    bool cudaGraphs = false;       ///< the vision encoder runs as one cudaGraphLaunch per step
    std::uint64_t targetBytes = 0; ///< go on until the first rank's file has about this size (uncompressed); 0: off
    bool baseTimeLast = false;     ///< baseTimeNanoseconds after the events, as up to PyTorch 2.6
    GeneratorFormat format = GeneratorFormat::Kineto;
    bool gzip = false;                                    ///< .json.gz; Kineto only
    std::int64_t startUnixNs = 1'750'000'000'000'000'000; ///< wall clock of the job's first step
};

/// The bundled sample: 2 hosts x 8 GPUs, an image-text job of 50 steps whose step 41 waits for rank 11.
[[nodiscard]] GeneratorOptions sampleOptions();

/// Writes one file per rank into `folder` (created if missing), named <host>_rank<N>.<ns> and the format's ending.
/// Streams: holds one step of every rank, so any length is possible. Not ok() when a file cannot be written.
[[nodiscard]] GeneratorFacts generateProfile(const GeneratorOptions& options, const std::filesystem::path& folder);

/// The same job as Kineto JSON, with the text of each rank's file in `texts` (index = rank), never compressed.
[[nodiscard]] GeneratorFacts generateInMemory(const GeneratorOptions& options, std::vector<std::string>& texts);

} // namespace stepscope
