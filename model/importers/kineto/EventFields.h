// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stepscope::kineto
{

/// A scalar as it stands in the file: without surrounding space; quotes tell a text.
struct Token {
    std::string_view text; ///< without quotes
    bool quoted = false;
    bool present = false;
};

[[nodiscard]] Token tokenOf(std::string_view raw);

/// The whole text as a decimal integer ("7.0" is a 7); none for anything else.
template<class Integer>
[[nodiscard]] std::optional<Integer> integerOf(std::string_view text)
{
    Integer value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (!rest.empty() && rest.find_first_not_of("0", rest.front() == '.' ? 1 : 0) != std::string_view::npos)
        return std::nullopt;
    return value;
}

/// A 64-bit key for any id: a decimal or hexadecimal number, else a hash of the text.
[[nodiscard]] std::uint64_t idOf(const Token& token);

/// The fields of one event that matter to us.
struct Fields {
    Token ph, name, cat, ts, dur, pid, tid, id, scope, bp, bindId, flowIn, flowOut;
    Token argName, argLabels, argSortIndex, argStep, argStepNumber, argGroup;
    Token correlation, correlationText, device, stream, bytes, allocated, reserved, deviceType, deviceId;
    bool empty = true;            ///< the object has no member
    std::string_view args;        ///< of a counter
    std::string_view qualifiedId; ///< `id2`, an object that says whether its id is local to the process
    bool hasArgs = false;         ///< not empty
};

} // namespace stepscope::kineto
