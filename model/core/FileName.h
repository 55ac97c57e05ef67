// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace stepscope
{

/// The part of a path behind its last slash, as messages name a file.
[[nodiscard]] inline std::string baseName(std::string_view path)
{
    return std::string(path.substr(path.find_last_of('/') + 1)); // npos + 1 is 0
}

} // namespace stepscope
