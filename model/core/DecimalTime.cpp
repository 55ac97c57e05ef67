// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/DecimalTime.h"

#include <limits>

namespace stepscope
{

namespace
{

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The exponent after 'e', clamped to +-9999; none if malformed.
std::optional<int> parseExponent(std::string_view text)
{
    bool negative = false;
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
        negative = text[0] == '-';
        text.remove_prefix(1);
    }
    if (text.empty()) return std::nullopt;
    int exponent = 0;
    for (const char c : text) {
        if (!isDigit(c)) return std::nullopt;
        if (exponent < 9999) exponent = exponent * 10 + (c - '0');
    }
    return negative ? -exponent : exponent;
}

/// floor of 0.mantissa shifted so that `wanted` digits stand before the point; sets inexact if something is cut off.
std::optional<std::int64_t> shiftedDigits(std::string_view mantissa, std::int64_t wanted, bool& inexact)
{
    std::uint64_t value = 0;
    std::int64_t taken = 0;
    constexpr std::uint64_t kLimit = std::numeric_limits<std::int64_t>::max();
    for (const char c : mantissa) {
        if (c == '.') continue;
        const auto digit = static_cast<std::uint64_t>(c - '0');
        if (taken >= wanted) {
            inexact = inexact || digit != 0;
            continue;
        }
        if (value > (kLimit - digit) / 10) return std::nullopt;
        value = value * 10 + digit;
        ++taken;
    }
    for (; taken < wanted && value != 0; ++taken) {
        if (value > kLimit / 10) return std::nullopt;
        value *= 10;
    }
    return static_cast<std::int64_t>(value);
}

} // namespace

namespace
{

/// What profilers write nearly always: up to 15 digits, perhaps a point and up to three more. None for all else.
std::optional<std::int64_t> plainNumber(std::string_view text)
{
    std::size_t at = 0;
    std::int64_t value = 0;
    for (; at < text.size() && isDigit(text[at]); ++at) value = value * 10 + (text[at] - '0');
    if (at == 0 || at > 15) return std::nullopt;
    if (at == text.size()) return value * 1000;
    if (text[at] != '.' || text.size() - at > 4) return std::nullopt;
    int decimals = 0;
    for (++at; at < text.size(); ++at, ++decimals) {
        if (!isDigit(text[at])) return std::nullopt;
        value = value * 10 + (text[at] - '0');
    }
    for (; decimals < 3; ++decimals) value *= 10;
    return value;
}

/// floor(text x 10^decimals)
std::optional<std::int64_t> scaledNumber(std::string_view text, int decimals)
{
    const bool negative = !text.empty() && text[0] == '-';
    if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);

    std::size_t end = 0;
    std::int64_t integerDigits = 0;
    bool sawPoint = false;
    bool sawDigit = false;
    for (; end < text.size(); ++end) {
        const char c = text[end];
        if (isDigit(c)) {
            sawDigit = true;
            if (!sawPoint) ++integerDigits;
        } else if (c == '.' && !sawPoint) {
            sawPoint = true;
        } else {
            break;
        }
    }
    if (!sawDigit) return std::nullopt;
    std::int64_t exponent = 0;
    if (end < text.size()) {
        if (text[end] != 'e' && text[end] != 'E') return std::nullopt;
        const auto parsed = parseExponent(text.substr(end + 1));
        if (!parsed) return std::nullopt;
        exponent = *parsed;
    }
    bool inexact = false;
    const auto value = shiftedDigits(text.substr(0, end), integerDigits + exponent + decimals, inexact);
    if (!value) return std::nullopt;
    if (!negative) return *value;
    return -*value - (inexact ? 1 : 0);
}

} // namespace

std::optional<std::int64_t> nsFromMicroseconds(std::string_view text)
{
    if (text.size() <= 19)
        if (const auto plain = plainNumber(text)) return plain;
    return scaledNumber(text, 3);
}

std::optional<std::int64_t> nsFromSeconds(std::string_view text) { return scaledNumber(text, 9); }

} // namespace stepscope
