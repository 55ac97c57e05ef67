// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TimeTicks.h"

namespace stepscope
{

namespace
{

std::int64_t floorDivide(std::int64_t value, std::int64_t by)
{
    return value / by - (value % by != 0 && (value < 0) != (by < 0) ? 1 : 0);
}

} // namespace

TimeTicks timeTicks(TimeSpan view, double widthPx, double closestPx, std::int64_t originNs)
{
    TimeTicks ticks;
    if (view.empty() || widthPx <= 0) return ticks;
    const double closestNs = static_cast<double>(view.lengthNs()) / widthPx * closestPx;
    std::int64_t power = 1;
    while (static_cast<double>(power) * 10 < closestNs) power *= 10;
    ticks.stepNs = power;
    for (const std::int64_t factor : {1, 2, 5, 10}) {
        ticks.stepNs = power * factor;
        ticks.minorPerMajor = factor == 2 ? 4 : 5;
        if (static_cast<double>(ticks.stepNs) >= closestNs) break;
    }
    const std::int64_t first = floorDivide(view.beginNs - originNs, ticks.stepNs);
    for (std::int64_t time = originNs + first * ticks.stepNs; time < view.endNs; time += ticks.stepNs)
        if (time >= view.beginNs) ticks.timesNs.push_back(time);
    return ticks;
}

} // namespace stepscope
