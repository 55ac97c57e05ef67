// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Busy.h"

#include "core/RunSort.h"

#include <algorithm>

namespace stepscope
{

BusySeries unionOf(std::vector<Interval> intervals)
{
    sortRuns(intervals, [](const Interval& a, const Interval& b) { return a.startNs < b.startNs; });
    BusySeries series;
    std::int64_t covered = 0;
    for (const Interval& interval : intervals) {
        if (interval.durNs <= 0) continue;
        if (!series.endNs.empty() && interval.startNs <= series.endNs.back()) {
            series.endNs.back() = std::max(series.endNs.back(), interval.endNs());
            continue;
        }
        if (!series.endNs.empty()) covered += series.endNs.back() - series.beginNs.back();
        series.beginNs.push_back(interval.startNs);
        series.endNs.push_back(interval.endNs());
        series.coveredBeforeNs.push_back(covered);
    }
    series.beginNs.shrink_to_fit();
    series.endNs.shrink_to_fit();
    series.coveredBeforeNs.shrink_to_fit();
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
