// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/DrawList.h"
#include "timeline/SceneInput.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace stepscope
{

/// Busy share of each pixel column of a view, kept for as long as the view stays the same.
class BusyColumns
{
public:
    /// Forgets all if the profile or the grid is another one.
    void prepare(const Profile& profile, const PixelGrid& grid);
    /// 0 to 1 for each column, mean over the series.
    [[nodiscard]] const std::vector<float>& mean(const std::vector<std::uint32_t>& series);

private:
    [[nodiscard]] const std::vector<float>& of(std::uint32_t series);

    const Profile* m_profile = nullptr;
    PixelGrid m_grid{{0, 1}, 1};
    std::unordered_map<std::uint32_t, std::vector<float>> m_columns;
    std::vector<float> m_sum;
};

/// Least and greatest sample of each 64 of a counter, so that a whole profile is drawn without reading every sample.
class CounterBlocks
{
public:
    struct Extremes {
        double least = 0;
        double greatest = 0;
    };
    explicit CounterBlocks(const CounterSeries& series);
    /// Of samples [begin, end), end > begin.
    [[nodiscard]] Extremes extremes(std::size_t begin, std::size_t end) const;

private:
    const CounterSeries& m_series;
    std::vector<Extremes> m_blocks;
};

/// Value range that a counter's row shows: from 0 (or the least, if negative) to the greatest, 100 for percentages.
[[nodiscard]] CounterBlocks::Extremes counterScale(const CounterSeries& series);

/// Paints what rows without slices show: busy strips of headings, utilisation graphs, counters.
class GraphPainter
{
public:
    void prepare(const SceneFrame& frame);
    void paintRow(const SceneFrame& frame, const LayoutRow& row, DrawList& list);

private:
    struct Band {
        float top = 0;
        float height = 0;
    };
    void paintBusy(const SceneFrame& frame, const Track& track, Band band, bool graph, DrawLayer& layer);
    void paintCounter(const SceneFrame& frame, const Track& track, Band band, DrawLayer& layer);

    BusyColumns m_busy;
    std::vector<RectRecord> m_tops; ///< upper edges, painted after all fills
    const Profile* m_profile = nullptr;
    std::unordered_map<std::uint32_t, std::unique_ptr<CounterBlocks>> m_counters;
};

} // namespace stepscope
