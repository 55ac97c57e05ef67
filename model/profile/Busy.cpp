// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Busy.h"

#include "core/RunSort.h"

#include <algorithm>

namespace stepscope
{

BusySeries unionOf(std::vector<Interval> intervals)
{
    sortRuns(intervals, [](const Interval& a, const Interval& b) { return a.startNs < b.startNs; });
    // First the pieces, in place; then columns of the right size.
    std::size_t count = 0;
    for (const Interval& interval : intervals) {
        if (interval.durNs <= 0) continue;
        if (count > 0 && interval.startNs <= intervals[count - 1].endNs())
            intervals[count - 1].durNs =
                std::max(intervals[count - 1].endNs(), interval.endNs()) - intervals[count - 1].startNs;
        else intervals[count++] = interval;
    }
    BusySeries series;
    series.beginNs.resize(count);
    series.endNs.resize(count);
    series.coveredBeforeNs.resize(count);
    std::int64_t covered = 0;
    for (std::size_t piece = 0; piece < count; ++piece) {
        series.beginNs[piece] = intervals[piece].startNs;
        series.endNs[piece] = intervals[piece].endNs();
        series.coveredBeforeNs[piece] = covered;
        covered += intervals[piece].durNs;
    }
    return series;
}

std::int64_t coveredBefore(const BusySeries& series, std::int64_t ns)
{
    const auto after = std::upper_bound(series.beginNs.begin(), series.beginNs.end(), ns);
    if (after == series.beginNs.begin()) return 0;
    const auto index = static_cast<std::size_t>(after - series.beginNs.begin()) - 1;
    return series.coveredBeforeNs[index] + std::min(ns, series.endNs[index]) - series.beginNs[index];
}

} // namespace stepscope
