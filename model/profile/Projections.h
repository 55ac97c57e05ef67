// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/ProfileDraft.h"

#include <vector>

namespace stepscope::draft
{

/// For each device of the profile the launches, sync calls and user annotations that address it, from every thread.
/// A launch addresses the device of its runs, a sync call that of its sync record, an annotation those of the launches
/// within it. Where a file has one device only, all of its calls and annotations address that one.
[[nodiscard]] std::vector<std::vector<SliceId>> hostSlicesOfDevices(const Draft& draft, const Profile& profile);

} // namespace stepscope::draft
