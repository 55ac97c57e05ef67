// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Busy.h"

#include "core/RunSort.h"

#include <algorithm>

namespace stepscope
{

namespace
{

/// The pieces of time that intervals in order of start cover; `take` gets each. Intervals come from `at(index)`.
template<class At, class Take>
void forEachPiece(std::size_t count, At at, Take take)
{
    Interval piece{0, -1};
    for (std::size_t index = 0; index < count; ++index) {
        const Interval next = at(index);
        if (next.durNs <= 0) continue;
        if (piece.durNs >= 0 && next.startNs <= piece.endNs()) {
            piece.durNs = std::max(piece.endNs(), next.endNs()) - piece.startNs;
            continue;
        }
        if (piece.durNs >= 0) take(piece);
        piece = next;
    }
    if (piece.durNs >= 0) take(piece);
}

/// Columns of the right size in two passes: growing and shrinking them would cost more than the second pass.
template<class At>
BusySeries seriesOf(std::size_t count, At at)
{
    std::size_t pieces = 0;
    forEachPiece(count, at, [&](const Interval&) { ++pieces; });
    BusySeries series;
    series.beginNs.reserve(pieces);
    series.endNs.reserve(pieces);
    series.coveredBeforeNs.reserve(pieces);
    std::int64_t covered = 0;
    forEachPiece(count, at, [&](const Interval& piece) {
        series.beginNs.push_back(piece.startNs);
        series.endNs.push_back(piece.endNs());
        series.coveredBeforeNs.push_back(covered);
        covered += piece.durNs;
    });
    return series;
}

} // namespace

BusySeries unionOf(std::vector<Interval> intervals)
{
    sortRuns(intervals, [](const Interval& a, const Interval& b) { return a.startNs < b.startNs; });
    return seriesOf(intervals.size(), [&](std::size_t index) { return intervals[index]; });
}

BusySeries unionOfRow(const RowView& row)
{
    return seriesOf(row.size(), [&](std::size_t index) { return Interval{row.startNs[index], row.durNs[index]}; });
}

std::int64_t coveredBefore(const BusySeries& series, std::int64_t ns)
{
    const auto after = std::upper_bound(series.beginNs.begin(), series.beginNs.end(), ns);
    if (after == series.beginNs.begin()) return 0;
    const auto index = static_cast<std::size_t>(after - series.beginNs.begin()) - 1;
    return series.coveredBeforeNs[index] + std::min(ns, series.endNs[index]) - series.beginNs[index];
}

} // namespace stepscope
