// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/Theme.h"
#include "profile/ProfileBuilder.h"
#include "timeline/TimelineScene.h"
#include "timeline/TrackLayout.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <random>

namespace stepscope
{

namespace
{

constexpr int kLevels = 20; ///< from the whole profile to 1 µs
constexpr QSizeF kCanvas(1920, 1080);

/// Streams of kernels and threads of nested operators: as many slices as asked for on 60 rows, all of them in view.
std::shared_ptr<const Profile> manySlices(std::int64_t count)
{
    constexpr int kStreams = 20;
    constexpr int kThreads = 10; // of four rows each
    ProfileBuilder builder;
    const auto file = builder.addFile("bench", "kineto", 0);
    const auto process = builder.process(file, "1");
    std::vector<StringId> names;
    for (int name = 0; name < 200; ++name)
        names.push_back(builder.strings().intern("void at::native::kernel_" + std::to_string(name) + "<float>(int)"));
    std::mt19937_64 random(1);
    const auto add = [&](std::uint32_t lane, std::int64_t start, std::int64_t dur, SliceKind kind) {
        RawSlice slice;
        slice.startNs = start;
        slice.durNs = dur;
        slice.name = names[random() % names.size()];
        slice.kind = kind;
        builder.addSlice(lane, slice);
    };
    const std::int64_t perRow = count / (kStreams + kThreads * 4);
    for (int stream = 0; stream < kStreams; ++stream) {
        const auto lane =
            builder.streamLane(builder.device(file, stream / 10, "0"), std::to_string(stream), TrackKind::Stream);
        for (std::int64_t index = 0, ns = 0; index < perRow; ++index, ns += 20'000)
            add(lane, ns + std::int64_t(random() % 2000), 1000 + std::int64_t(random() % 15'000), SliceKind::Kernel);
    }
    for (int thread = 0; thread < kThreads; ++thread) {
        const auto lane = builder.threadLane(process, std::to_string(thread + 1));
        for (std::int64_t index = 0, ns = 0; index < perRow; ++index, ns += 20'000)
            for (int depth = 0; depth < 4; ++depth)
                add(lane, ns + depth * 1000, 18'000 - depth * 2000 - std::int64_t(random() % 900), SliceKind::CpuOp);
    }
    LoadProgress progress;
    return builder.finish("bench", progress);
}

/// One frame at one of twenty zoom levels, each half way between the beginning and the end.
void buildFrame(benchmark::State& state)
{
    static std::map<std::int64_t, std::shared_ptr<const Profile>> profiles;
    auto& profile = profiles[state.range(0)];
    if (!profile) profile = manySlices(state.range(0));
    const TrackLayout layout(*profile, std::vector<bool>(profile->tracks.size(), true),
                             LayoutMetrics::forFont(QFontMetricsF(QGuiApplication::font())));
    const double whole = static_cast<double>(profile->span.lengthNs());
    const double length = whole * std::pow(1000 / whole, static_cast<double>(state.range(1)) / (kLevels - 1));
    SceneInput input;
    input.profile = profile.get();
    input.layout = &layout;
    input.theme = &Theme::lightTheme();
    input.size = kCanvas;
    const auto middle = profile->span.beginNs + profile->span.lengthNs() / 2;
    input.range = {middle - static_cast<std::int64_t>(length / 2), middle + static_cast<std::int64_t>(length / 2)};
    TimelineScene scene(QGuiApplication::font());
    std::size_t rects = 0;
    for (auto _ : state) rects = scene.build(input).slices.rects.size();
    state.counters["rects"] = static_cast<double>(rects);
    state.counters["slices"] = static_cast<double>(profile->slices.size());
}

void levels(benchmark::internal::Benchmark* bench)
{
    for (const std::int64_t slices : {1'000'000, 10'000'000})
        for (int level = 0; level < kLevels; ++level) bench->Args({slices, level});
}
BENCHMARK(buildFrame)->Apply(levels)->Unit(benchmark::kMillisecond)->MinTime(0.1);

} // namespace

} // namespace stepscope
