// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/BareParse.h"
#include "bench/BenchFiles.h"
#include "importers/OpenProfile.h"

#include <benchmark/benchmark.h>
#include <filesystem>

namespace stepscope
{

namespace
{

void bareParse(benchmark::State& state)
{
    std::size_t size = 0;
    const std::string text = readPadded(generatedFile(benchBytes()), size);
    for (auto _ : state) benchmark::DoNotOptimize(bareSimdjsonPass(text, size));
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * size));
}
BENCHMARK(bareParse)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(2);

/// From the file to the finished Profile, with all of the machine's cores.
void openKineto(benchmark::State& state)
{
    const std::string path = generatedFile(benchBytes());
    std::size_t slices = 0;
    std::size_t indexBytes = 0;
    for (auto _ : state) {
        LoadProgress progress;
        const auto opened = openProfile(path, progress);
        if (!opened.ok()) return state.SkipWithError("cannot open the generated file");
        slices = opened.value()->slices.size();
        indexBytes = opened.value()->indexBytes();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * std::filesystem::file_size(path)));
    state.counters["slices"] = static_cast<double>(slices);
    state.counters["bytes_per_slice"] = static_cast<double>(indexBytes) / static_cast<double>(slices);
}
BENCHMARK(openKineto)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime()->MinTime(2);

} // namespace

} // namespace stepscope
