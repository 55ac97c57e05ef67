// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <optional>
#include <span>
#include <vector>

namespace stepscope
{

/// The runs that a launch submitted, in order of id; empty if it is no launch or has none. O(log links).
[[nodiscard]] std::span<const SliceId> runsOf(const Profile& profile, SliceId launch);

/// The launch of a run; invalid if it is not in the profile. O(log links).
[[nodiscard]] SliceId launchOf(const Profile& profile, SliceId run);

/// Run start minus launch start; negative where the clocks disagree.
[[nodiscard]] std::int64_t launchLatencyNs(const Profile& profile, SliceId launch, SliceId run);

/// The slice of the rows above on the same track that encloses this one most closely; invalid if there is none.
[[nodiscard]] SliceId parentOf(const Profile& profile, SliceId slice);

/// The slices of the row below that start within this one and are its children, in time order.
[[nodiscard]] std::vector<SliceId> childrenOf(const Profile& profile, SliceId slice);

/// Duration minus the time that the children cover.
[[nodiscard]] std::int64_t selfTimeNs(const Profile& profile, SliceId slice);

/// The step (index into Profile::steps) that a slice belongs to: on the host the one that it starts in; a run belongs
/// to the step of its launch, else to the step whose device span it starts in.
[[nodiscard]] std::optional<std::size_t> stepOf(const Profile& profile, SliceId slice);

} // namespace stepscope
