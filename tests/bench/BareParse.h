// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace stepscope
{

/// The yardstick of the loading benchmark: one simdjson on-demand pass over a trace file in memory, on one core, that
/// looks at every event and every key of it and reads no value but skips it. Returns the number of keys.
[[nodiscard]] std::uint64_t bareSimdjsonPass(const std::string& paddedText, std::size_t size);

/// The file with the room behind it that simdjson wants.
[[nodiscard]] std::string readPadded(const std::string& path, std::size_t& size);

} // namespace stepscope
