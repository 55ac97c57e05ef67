// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the fast JSON parser does not do: finding where JSON values begin and end in text that may be cut off or
/// broken, and mending the faults that profilers are known to write.
namespace stepscope::json
{

[[nodiscard]] constexpr bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// The text without the white space at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Length of the object or array at the front of `text`; none if it does not end within it. Strings are respected.
[[nodiscard]] std::optional<std::size_t> valueLength(std::string_view text);

/// Place of the last comma between two events ("}, {"), searched from the end; none if there is none.
[[nodiscard]] std::optional<std::size_t> lastEventBorder(std::string_view text);

/// Place after `from` where another event seems to begin, judged by its first key; none if there is none.
[[nodiscard]] std::optional<std::size_t> nextEventStart(std::string_view text, std::size_t from);

/// Valid JSON in place of a value with the faults seen in the wild: control characters, bad escapes and bad UTF-8 in
/// strings, bare inf / nan / N/A (they become null), missing values and stray commas.
[[nodiscard]] std::string repaired(std::string_view text);

/// The characters of a JSON string (without its quotes). Bad escapes are kept as they stand.
[[nodiscard]] std::string unescaped(std::string_view raw);

struct Field {
    std::string key;
    std::string_view rawKey; ///< as it stands in the text, without quotes
    std::string_view value;  ///< as it stands in the text: a string has its quotes, a number all of its digits
};

/// The fields of the object at the front of `text`, in their order; what is broken ends the list. Values are not
/// interpreted, so nothing of them is lost.
[[nodiscard]] std::vector<Field> fieldsOf(std::string_view text);

} // namespace stepscope::json
