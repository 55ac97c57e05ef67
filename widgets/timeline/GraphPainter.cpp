// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/GraphPainter.h"

#include <algorithm>
#include <cmath>

namespace stepscope
{

namespace
{

constexpr std::size_t kBlock = 64;

/// First index at or after `from` whose time is greater than `ns`, searched in growing steps.
std::size_t firstAfter(const std::vector<std::int64_t>& times, std::int64_t ns, std::size_t from)
{
    if (from >= times.size() || times[from] > ns) return from;
    std::size_t step = 1;
    std::size_t low = from;
    while (low + step < times.size() && times[low + step] <= ns) {
        low += step;
        step *= 2;
    }
    const auto begin = times.begin() + static_cast<std::ptrdiff_t>(low);
    const auto end = times.begin() + static_cast<std::ptrdiff_t>(std::min(times.size(), low + step + 1));
    return static_cast<std::size_t>(std::upper_bound(begin, end, ns) - times.begin());
}

/// Adds columns of equal extent, in device px above a base line, as one rectangle.
class BarRun
{
public:
    BarRun(std::vector<RectRecord>& rects, float px, float bottom, QRgb colour)
        : m_rects(rects), m_px(px), m_bottom(bottom), m_colour(colour)
    {
    }
    ~BarRun() { flush(); }
    BarRun(const BarRun&) = delete;
    BarRun& operator=(const BarRun&) = delete;

    void add(int column, int low, int high)
    {
        if (low != m_low || high != m_high || column != m_end) {
            flush();
            m_begin = column;
            m_low = low;
            m_high = high;
        }
        m_end = column + 1;
    }

private:
    void flush()
    {
        if (m_high > m_low && m_end > m_begin)
            m_rects.push_back({static_cast<float>(m_begin) * m_px, m_bottom - static_cast<float>(m_high) * m_px,
                               static_cast<float>(m_end - m_begin) * m_px, static_cast<float>(m_high - m_low) * m_px,
                               m_colour});
    }

    std::vector<RectRecord>& m_rects;
    float m_px;
    float m_bottom;
    QRgb m_colour;
    int m_begin = 0;
    int m_end = 0;
    int m_low = 0;
    int m_high = 0;
};

} // namespace

void BusyColumns::prepare(const Profile& profile, const PixelGrid& grid)
{
    const bool same = m_profile == &profile && m_grid.view() == grid.view() && m_grid.widthPx() == grid.widthPx();
    if (same) return;
    m_profile = &profile;
    m_grid = grid;
    m_columns.clear();
}

const std::vector<float>& BusyColumns::of(std::uint32_t index)
{
    const auto [place, added] = m_columns.try_emplace(index);
    std::vector<float>& columns = place->second;
    if (!added) return columns;
    const BusySeries& series = m_profile->busy[index];
    columns.assign(static_cast<std::size_t>(m_grid.widthPx()), 0.0f);
    std::size_t interval = firstAfter(series.endNs, m_grid.view().beginNs, 0);
    const auto coveredUntil = [&](std::int64_t ns) {
        return interval < series.endNs.size()
                   ? series.coveredBeforeNs[interval] + std::max<std::int64_t>(0, ns - series.beginNs[interval])
                   : series.totalNs();
    };
    std::int64_t beginNs = m_grid.columnBegin(0);
    std::int64_t before = coveredUntil(beginNs);
    for (int column = 0; column < m_grid.widthPx() && interval < series.endNs.size(); ++column) {
        const std::int64_t endNs = m_grid.columnBegin(column + 1);
        if (endNs <= beginNs) {
            // Less than a ns a column: it is busy if the ns it lies in is.
            columns[static_cast<std::size_t>(column)] = column > 0 ? columns[static_cast<std::size_t>(column - 1)] : 0;
            continue;
        }
        interval = firstAfter(series.endNs, endNs, interval);
        const std::int64_t until = coveredUntil(endNs);
        columns[static_cast<std::size_t>(column)] =
            static_cast<float>(until - before) / static_cast<float>(endNs - beginNs);
        before = until;
        beginNs = endNs;
    }
    return columns;
}

const std::vector<float>& BusyColumns::mean(const std::vector<std::uint32_t>& series)
{
    if (series.size() == 1) return of(series.front());
    m_sum.assign(static_cast<std::size_t>(m_grid.widthPx()), 0.0f);
    for (const std::uint32_t index : series) {
        const std::vector<float>& columns = of(index);
        for (std::size_t column = 0; column < m_sum.size(); ++column) m_sum[column] += columns[column];
    }
    const float share = series.empty() ? 0.0f : 1.0f / static_cast<float>(series.size());
    for (float& value : m_sum) value *= share;
    return m_sum;
}

CounterBlocks::CounterBlocks(const CounterSeries& series) : m_series(series)
{
    for (std::size_t begin = 0; begin < series.value.size(); begin += kBlock) {
        const auto first = series.value.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last =
            series.value.begin() + static_cast<std::ptrdiff_t>(std::min(series.value.size(), begin + kBlock));
        const auto [least, greatest] = std::minmax_element(first, last);
        m_blocks.push_back({*least, *greatest});
    }
}

CounterBlocks::Extremes CounterBlocks::extremes(std::size_t begin, std::size_t end) const
{
    Extremes result{m_series.value[begin], m_series.value[begin]};
    const auto include = [&](double least, double greatest) {
        result.least = std::min(result.least, least);
        result.greatest = std::max(result.greatest, greatest);
    };
    std::size_t at = begin;
    while (at < end) {
        if (at % kBlock == 0 && at + kBlock <= end) {
            include(m_blocks[at / kBlock].least, m_blocks[at / kBlock].greatest);
            at += kBlock;
        } else {
            include(m_series.value[at], m_series.value[at]);
            ++at;
        }
    }
    return result;
}

CounterBlocks::Extremes counterScale(const CounterSeries& series)
{
    CounterBlocks::Extremes scale{std::min(0.0, series.least), std::max(0.0, series.greatest)};
    if (series.unit == "%" && scale.least >= 0 && scale.greatest <= 100) scale.greatest = 100;
    if (!(scale.greatest > scale.least)) scale.greatest = scale.least + 1;
    return scale;
}

void GraphPainter::prepare(const SceneFrame& frame)
{
    m_busy.prepare(*frame.in.profile, frame.grid);
    if (m_profile != frame.in.profile) m_counters.clear();
    m_profile = frame.in.profile;
}

void GraphPainter::paintRow(const SceneFrame& frame, const LayoutRow& row, DrawList& list)
{
    const Track& track = frame.in.profile->track(row.track);
    const auto padding = static_cast<float>(row.padding);
    const float top = frame.canvasY(row.y) + padding;
    const float height = static_cast<float>(row.height) - 2 * padding - 1;
    switch (row.body) {
    case RowBody::Counter:
        if (track.counter != kNone) paintCounter(frame, track, {top, height}, list.background);
        break;
    case RowBody::Utilisation:
        paintBusy(frame, track, {top, height}, true, list.background);
        break;
    case RowBody::Summary: {
        // Open headings are only a reminder of what is below them; closed ones stand for it.
        const float share = row.expanded ? 0.45f : 1.0f;
        const float strip = std::round(height * share);
        paintBusy(frame, track, {top + height - strip, strip}, !row.expanded, list.background);
        break;
    }
    case RowBody::Slices:
        break;
    }
}

void GraphPainter::paintBusy(const SceneFrame& frame, const Track& track, Band band, bool graph, DrawLayer& layer)
{
    if (track.busy.empty()) return;
    const std::vector<float>& columns = m_busy.mean(track.busy);
    const float px = frame.devicePx();
    const auto most = static_cast<int>(std::lround(band.height / px));
    const int cap = std::max(1, static_cast<int>(std::lround(1 / px)));
    m_tops.clear();
    {
        BarRun fill(layer.rects, px, band.top + band.height, frame.in.theme->utilisationFill.rgb());
        BarRun tops(m_tops, px, band.top + band.height, frame.in.theme->utilisation.rgb());
        int before = most;
        for (int column = 0; column < frame.grid.widthPx(); ++column) {
            const float share = columns[static_cast<std::size_t>(column)];
            const auto rounded = static_cast<int>(std::lround(share * static_cast<float>(most)));
            const int height = share > 0 ? std::clamp(rounded, 1, most) : 0;
            fill.add(column, 0, height);
            // An edge reaches down to the column before, so that a ragged one does not fall apart into dots.
            if (graph) tops.add(column, std::max(0, std::min(height - cap, before)), height);
            before = height;
        }
    }
    layer.rects.insert(layer.rects.end(), m_tops.begin(), m_tops.end());
}

void GraphPainter::paintCounter(const SceneFrame& frame, const Track& track, Band band, DrawLayer& layer)
{
    const CounterSeries& series = frame.in.profile->counters[track.counter];
    if (series.timeNs.empty()) return;
    auto& blocks = m_counters[track.counter];
    if (!blocks) blocks = std::make_unique<CounterBlocks>(series);
    const auto scale = counterScale(series);
    const float px = frame.devicePx();
    const auto most = static_cast<int>(std::lround(band.height / px));
    const int cap = std::max(1, static_cast<int>(std::lround(1 / px)));
    const auto toPx = [&](double value) {
        const double share = (value - scale.least) / (scale.greatest - scale.least);
        return std::isfinite(share) ? static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * most)) : 0;
    };
    m_tops.clear();
    {
        BarRun fill(layer.rects, px, band.top + band.height, frame.in.theme->counterFill.rgb());
        BarRun tops(m_tops, px, band.top + band.height, frame.in.theme->counter.rgb());
        std::size_t next = firstAfter(series.timeNs, frame.grid.columnBegin(0) - 1, 0);
        // Beyond the end of the profile nothing was recorded.
        const std::int64_t lastColumn = frame.grid.columnOf(frame.in.profile->span.endNs);
        const int columns = static_cast<int>(std::clamp<std::int64_t>(lastColumn + 1, 0, frame.grid.widthPx()));
        for (int column = 0; column < columns; ++column) {
            const std::size_t end = firstAfter(series.timeNs, frame.grid.columnBegin(column + 1) - 1, next);
            // A counter keeps its value until the next sample; before the first one it has none.
            const std::size_t begin = next > 0 ? next - 1 : next;
            next = end;
            if (begin >= end) continue;
            const auto values = blocks->extremes(begin, end);
            const int low = toPx(values.least);
            const int high = toPx(values.greatest);
            fill.add(column, 0, low);
            tops.add(column, std::max(0, std::min(low, high - cap)), std::max(high, cap));
        }
    }
    layer.rects.insert(layer.rects.end(), m_tops.begin(), m_tops.end());
}

} // namespace stepscope
