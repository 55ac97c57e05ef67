// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace stepscope::xplane
{

/// A stat for people.
struct StatText {
    std::int64_t id = 0;   ///< of its metadata, which has the name
    std::string value;     ///< valid UTF-8; references resolved, opaque bytes told by their number
    bool isNumber = false; ///< as against a text
};

/// The name of a stat metadata, which texts may be written as; "" where there is none.
using StatNames = std::function<std::string(std::int64_t id)>;

/// Reads the bytes of an XStat; an empty value where they are none.
[[nodiscard]] StatText statText(std::string_view bytes, const StatNames& names);

} // namespace stepscope::xplane
