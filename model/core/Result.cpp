// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/Result.h"

namespace stepscope
{

std::string Error::sentence() const
{
    std::string text = "Cannot open \"" + path + "\": " + what;
    if (byteOffset) text += " (at byte " + std::to_string(*byteOffset) + ")";
    text += ".";
    if (!advice.empty()) text += " " + advice;
    return text;
}

} // namespace stepscope
