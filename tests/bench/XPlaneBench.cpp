// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/BenchFiles.h"
#include "importers/OpenProfile.h"
#include "importers/xplane/xplane.pb.h"

#include <benchmark/benchmark.h>
#include <fstream>
#include <google/protobuf/arena.h>

namespace stepscope
{

namespace
{

std::string contentsOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::string bytes(static_cast<std::size_t>(std::max<std::streamoff>(0, file.tellg())), '\0');
    file.seekg(0);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

/// The yardstick: the whole XSpace in memory, parsed by the generated classes into an arena.
void bareXSpaceParse(benchmark::State& state)
{
    const std::string bytes = contentsOf(generatedXPlaneFile());
    const OneCore oneCore;
    for (auto _ : state) {
        google::protobuf::Arena arena;
        auto* space = google::protobuf::Arena::CreateMessage<xplane::pb::XSpace>(&arena);
        if (!space->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
            return state.SkipWithError("cannot parse the generated file");
        benchmark::DoNotOptimize(space->planes_size());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}
BENCHMARK(bareXSpaceParse)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(2);

/// From the file to the finished Profile.
void openXPlane(benchmark::State& state)
{
    const std::string path = generatedXPlaneFile();
    const OneCore oneCore;
    std::size_t slices = 0;
    std::size_t indexBytes = 0;
    for (auto _ : state) {
        LoadProgress progress;
        const auto opened = openProfile(path, progress);
        if (!opened.ok()) return state.SkipWithError("cannot open the generated file");
        slices = opened.value()->slices.size();
        indexBytes = opened.value()->indexBytes();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * slices));
    state.counters["slices"] = static_cast<double>(slices);
    state.counters["bytes_per_slice"] = static_cast<double>(indexBytes) / static_cast<double>(slices);
}
BENCHMARK(openXPlane)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime()->MinTime(2);

} // namespace

} // namespace stepscope
