// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stepscope
{

/// Profilers leave one recording in several forms beside each other: JAX an XPlane and what it made of it as JSON,
/// Nsight Systems a report and its export, rocprofv3 a database, JSON and a Perfetto trace, people a file and the same
/// one compressed. Tells for each path which other one holds the same in the fullest form, by their names alone.
[[nodiscard]] std::vector<std::optional<std::size_t>> fullerTwins(std::span<const std::string> paths);

} // namespace stepscope
