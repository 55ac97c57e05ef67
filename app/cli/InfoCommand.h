// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace stepscope
{

/// Exit codes of every command.
enum ExitCode : int { kExitDone = 0, kExitUnreadable = 1, kExitUsage = 2 };

/// `stepscope info PROFILE [--json]`: what is in it. Only the answer goes to `out`; errors are one sentence on `err`.
[[nodiscard]] int runInfo(std::span<const std::string_view> arguments, std::ostream& out, std::ostream& err);

/// The object that `info --json` prints. Keys and units are a contract: see the README.
[[nodiscard]] std::string infoJson(const Profile& profile);

} // namespace stepscope
