// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/Format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace stepscope
{

namespace
{

struct Unit {
    std::int64_t ns;
    std::string_view name;
};
constexpr std::array kUnits = {Unit{1'000'000'000, "s"}, Unit{1'000'000, "ms"}, Unit{1'000, "µs"}, Unit{1, "ns"}};

const Unit& unitFor(std::int64_t magnitudeNs)
{
    for (const Unit& unit : kUnits)
        if (magnitudeNs >= unit.ns) return unit;
    return kUnits.back();
}

int decimalsOf(std::int64_t unitNs)
{
    int decimals = 0;
    for (; unitNs > 1; unitNs /= 10) ++decimals;
    return decimals;
}

std::string withoutTrailingZeros(std::string number)
{
    if (number.find('.') == std::string::npos) return number;
    while (number.back() == '0') number.pop_back();
    if (number.back() == '.') number.pop_back();
    return number;
}

/// ns / unit with `decimals` digits after the point, rounded half away from zero, by integer arithmetic alone.
std::string fixedPoint(std::int64_t ns, std::int64_t unitNs, int decimals)
{
    const int all = decimalsOf(unitNs);
    std::uint64_t magnitude = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    std::uint64_t scale = 1;
    for (int digit = all; digit > decimals; --digit) scale *= 10;
    magnitude = (magnitude + scale / 2) / scale;
    std::string digits = std::to_string(magnitude);
    const auto shown = static_cast<std::size_t>(std::min(all, decimals));
    if (digits.size() <= shown) digits.insert(0, shown + 1 - digits.size(), '0');
    if (shown > 0) digits.insert(digits.size() - shown, ".");
    return (ns < 0 ? "-" : "") + digits;
}

} // namespace

std::string formatDuration(std::int64_t ns, int digits)
{
    const std::int64_t magnitude = ns < 0 ? (ns == INT64_MIN ? INT64_MAX : -ns) : ns;
    const Unit& unit = unitFor(magnitude);
    int decimals = decimalsOf(unit.ns);
    if (digits > 0) {
        const auto integerDigits = static_cast<int>(std::to_string(magnitude / unit.ns).size());
        decimals = std::clamp(digits - integerDigits, 0, decimals);
    }
    return withoutTrailingZeros(fixedPoint(ns, unit.ns, decimals)) + " " + std::string(unit.name);
}

std::string formatExactTime(std::int64_t ns)
{
    std::string number = fixedPoint(ns, 1'000'000'000, 9);
    number.insert(number.size() - 3, " ");
    number.insert(number.size() - 7, " ");
    return number + " s";
}

std::string formatTick(std::int64_t ns, std::int64_t tickNs, std::int64_t farthestNs)
{
    const Unit& unit = unitFor(std::max(tickNs, std::abs(farthestNs)));
    int decimals = 0;
    for (std::int64_t step = unit.ns; step > tickNs && step > 1; step /= 10) ++decimals;
    return fixedPoint(ns, unit.ns, decimals) + " " + std::string(unit.name);
}

std::string formatBytes(double bytes)
{
    constexpr std::array<const char*, 6> names = {"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    while (std::abs(bytes) >= 1000 && unit + 1 < names.size()) {
        bytes /= 1000;
        ++unit;
    }
    std::array<char, 48> text{};
    const int decimals = unit == 0 || std::abs(bytes) >= 100 ? 0 : std::abs(bytes) >= 10 ? 1 : 2;
    std::snprintf(text.data(), text.size(), "%.*f %s", decimals, bytes, names[unit]);
    return text.data();
}

std::string formatCount(std::uint64_t count)
{
    std::string digits = std::to_string(count);
    for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3)
        digits.insert(static_cast<std::size_t>(place), ",");
    return digits;
}

std::string formatPercent(double fraction)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %%", fraction * 100);
    return text.data();
}

} // namespace stepscope
