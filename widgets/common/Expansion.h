// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <vector>

namespace stepscope
{

/// True for tracks that can be collapsed: headings, and tracks with more than one line of slices.
[[nodiscard]] bool isExpandable(const Track& track);

/// What is expanded when a profile opens, by track id: everything with one or two devices; with more, the first process
/// with steps, so that all devices fit into one window.
[[nodiscard]] std::vector<bool> defaultExpansion(const Profile& profile);

} // namespace stepscope
