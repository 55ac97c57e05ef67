// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace stepscope
{

/// No clock that counts ns reaches farther from its zero (126 years). Times within it can be added and subtracted
/// without leaving 64 bits.
inline constexpr std::int64_t kFarthestNs = 4'000'000'000'000'000'000;
[[nodiscard]] constexpr bool isTimePossible(std::int64_t ns) { return ns >= -kFarthestNs && ns <= kFarthestNs; }

/// Nanoseconds since the profile's origin, half-open: [beginNs, endNs). Empty when endNs <= beginNs.
struct TimeSpan {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;

    [[nodiscard]] constexpr std::int64_t lengthNs() const { return endNs - beginNs; }
    [[nodiscard]] constexpr bool empty() const { return endNs <= beginNs; }
    [[nodiscard]] constexpr bool contains(std::int64_t ns) const { return ns >= beginNs && ns < endNs; }
    [[nodiscard]] constexpr bool overlaps(TimeSpan other) const
    {
        return beginNs < other.endNs && other.beginNs < endNs;
    }
    [[nodiscard]] constexpr TimeSpan intersected(TimeSpan other) const
    {
        return {std::max(beginNs, other.beginNs), std::min(endNs, other.endNs)};
    }
    [[nodiscard]] constexpr TimeSpan united(TimeSpan other) const
    {
        return {std::min(beginNs, other.beginNs), std::max(endNs, other.endNs)};
    }
    friend constexpr bool operator==(TimeSpan, TimeSpan) = default;
};

} // namespace stepscope
