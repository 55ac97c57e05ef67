// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace stepscope
{

/// A duration for people, in the unit that suits it: "812 ns", "3.402 µs", "12.5 ms", "1.204 s". `digits` significant
/// digits at most; 0 gives every nanosecond there is.
[[nodiscard]] std::string formatDuration(std::int64_t ns, int digits = 4);

/// A moment with all its digits, grouped for reading: "1.204 560 221 s".
[[nodiscard]] std::string formatExactTime(std::int64_t ns);

/// A moment on a ruler whose ticks are `tickNs` apart and reach as far as `farthestNs`: in the one unit that suits the
/// whole ruler, with as many digits as tell neighbours apart.
[[nodiscard]] std::string formatTick(std::int64_t ns, std::int64_t tickNs, std::int64_t farthestNs);

/// "1.46 GB" (powers of 1000).
[[nodiscard]] std::string formatBytes(double bytes);

/// "12,345,678".
[[nodiscard]] std::string formatCount(std::uint64_t count);

/// "43.7 %" of a fraction.
[[nodiscard]] std::string formatPercent(double fraction);

} // namespace stepscope
