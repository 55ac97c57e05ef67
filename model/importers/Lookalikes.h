// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <optional>
#include <string>
#include <string_view>

namespace stepscope
{

/// What a file is that lies beside profiles but is none, told by its first bytes: memory timelines, execution graphs,
/// system traces, pickles, closed reports. None for what is not recognised.
[[nodiscard]] std::optional<Error> recogniseLookalike(const std::string& path, std::string_view head);

} // namespace stepscope
