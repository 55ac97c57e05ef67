// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Progress.h"
#include "core/Result.h"
#include "profile/Profile.h"

#include <memory>
#include <string>

namespace stepscope
{

/// Opens a file, or a folder whose profile files (ranks of one job) become one profile. Detection is by content.
/// The pointer is null if progress.cancel() was called. Blocks; meant for a worker thread. Never throws.
[[nodiscard]] Result<std::shared_ptr<const Profile>> openProfile(const std::string& path, LoadProgress& progress);

} // namespace stepscope
