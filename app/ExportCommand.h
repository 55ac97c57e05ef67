// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace stepscope
{

/// `stepscope export PROFILE --view timeline [--step step_41 | --range A..B] --out FILE`: a picture without a window.
/// Needs an application object (the offscreen platform will do). Returns an exit code.
[[nodiscard]] int runExport(std::span<const std::string_view> arguments);

} // namespace stepscope
