// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace stepscope::xplane
{

[[nodiscard]] bool isUtf8(std::string_view text);
/// The text with U+FFFD in place of each byte that is not part of valid UTF-8.
[[nodiscard]] std::string mendedUtf8(std::string_view text);
/// True if the bytes are valid UTF-8 with many U+FFFD: something that took a binary file for text has replaced all
/// bytes above 0x7f that were no UTF-8, and the lengths with them.
[[nodiscard]] bool wasDamagedAsText(std::string_view head);

} // namespace stepscope::xplane
