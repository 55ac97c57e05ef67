// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/CounterText.h"

#include "common/Text.h"
#include "core/Format.h"

#include <algorithm>
#include <cmath>

namespace stepscope
{

QString counterText(double value, const std::string& unit)
{
    if (!std::isfinite(value)) return QStringLiteral("–");
    if (unit == "bytes") return toQString(formatBytes(value));
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    QString number;
    if (whole) {
        number = toQString(formatCount(static_cast<std::uint64_t>(std::abs(value))));
        if (value < 0) number.prepend(QLatin1Char('-'));
    } else {
        number = QString::number(value, 'g', 4);
    }
    return unit.empty() ? number : number + QLatin1Char(' ') + toQString(unit);
}

QString counterValueAt(const CounterSeries& series, std::int64_t ns)
{
    const auto after = std::upper_bound(series.timeNs.begin(), series.timeNs.end(), ns);
    if (after == series.timeNs.begin()) return {};
    return counterText(series.value[static_cast<std::size_t>(after - series.timeNs.begin() - 1)], series.unit);
}

} // namespace stepscope
