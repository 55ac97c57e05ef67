// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace stepscope
{

/// "stream 2" before "stream 10": runs of digits compare as numbers, all else byte by byte.
[[nodiscard]] bool naturalLess(std::string_view a, std::string_view b);

} // namespace stepscope
