// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/TrackLayout.h"

namespace stepscope
{

enum class WalkDirection : std::uint8_t { Left, Right, Up, Down };

/// Where an arrow key leads: left and right along the line, up to the parent and down to the first child; where there
/// is none, to the slice of the next line of visible tracks that is closest in time. Invalid at the end.
[[nodiscard]] SliceId neighbour(const Profile& profile, const TrackLayout& layout, SliceId slice,
                                WalkDirection direction);

/// The next slice of the same name anywhere in the profile, by start; the previous one if `forward` is false.
/// O(slices).
[[nodiscard]] SliceId nextOfSameName(const Profile& profile, SliceId slice, bool forward);

/// The first slice of the visible tracks that lies in a span; where walking begins without a selection.
[[nodiscard]] SliceId firstSliceIn(const Profile& profile, const TrackLayout& layout, TimeSpan span);

} // namespace stepscope
