// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/TimeSpan.h"

#include <cstdint>
#include <vector>

namespace stepscope
{

/// Evenly spaced moments of a view, at 1, 2 or 5 times a power of ten ns since `originNs`.
struct TimeTicks {
    std::int64_t stepNs = 1;
    std::vector<std::int64_t> timesNs; ///< ascending, within the view
    int minorPerMajor = 5;
};

/// Ticks at least `closestPx` apart on a view of `widthPx`.
[[nodiscard]] TimeTicks timeTicks(TimeSpan view, double widthPx, double closestPx, std::int64_t originNs);

} // namespace stepscope
