// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace stepscope
{

/// U+FFFD, which stands for bytes that are no text.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// True if the text is valid UTF-8 (no surrogates, no overlong forms). Fast on plain ASCII.
[[nodiscard]] bool isUtf8(std::string_view text);

/// The text with U+FFFD in place of each byte that belongs to no valid sequence.
[[nodiscard]] std::string withReplacedBytes(std::string_view text);

} // namespace stepscope
