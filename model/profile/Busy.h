// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Nesting.h"
#include "profile/Profile.h"

#include <vector>

namespace stepscope
{

/// The union of intervals, sorted here. Touching intervals become one; empty ones count for nothing.
[[nodiscard]] BusySeries unionOf(std::vector<Interval> intervals);
/// The same of a row, whose slices follow each other already.
[[nodiscard]] BusySeries unionOfRow(const RowView& row);

/// Time covered by the series before `ns`. O(log n).
[[nodiscard]] std::int64_t coveredBefore(const BusySeries& series, std::int64_t ns);

/// Time covered within a span. O(log n).
[[nodiscard]] inline std::int64_t coveredWithin(const BusySeries& series, TimeSpan span)
{
    return span.empty() ? 0 : coveredBefore(series, span.endNs) - coveredBefore(series, span.beginNs);
}

} // namespace stepscope
