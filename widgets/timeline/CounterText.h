// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <QString>

namespace stepscope
{

/// A counter's value with its unit: "1.46 GB", "47 %", "12,345".
[[nodiscard]] QString counterText(double value, const std::string& unit);
/// The value that a counter has at a moment; empty before its first sample.
[[nodiscard]] QString counterValueAt(const CounterSeries& series, std::int64_t ns);

} // namespace stepscope
