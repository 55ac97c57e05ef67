// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stepscope
{

/// Nanoseconds of a decimal number of microseconds, exactly: floor(1000 x text), digit by digit, never through a
/// floating-point number. Accepts a sign, a fraction and an exponent ("1.6921085481321545e+15").
/// None if the text is no number or does not fit 63 bits.
/// The trace-event format gives `ts` and `dur` in microseconds, whatever `displayTimeUnit` says.
[[nodiscard]] std::optional<std::int64_t> nsFromMicroseconds(std::string_view text);

/// The same for a number of seconds: floor(10^9 x text).
[[nodiscard]] std::optional<std::int64_t> nsFromSeconds(std::string_view text);

} // namespace stepscope
