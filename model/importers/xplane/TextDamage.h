// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace stepscope::xplane
{

/// True if the bytes are valid UTF-8 with many U+FFFD: something that took a binary file for text has replaced all
/// bytes above 0x7f that were no UTF-8, and the lengths with them.
[[nodiscard]] bool wasDamagedAsText(std::string_view head);

} // namespace stepscope::xplane
