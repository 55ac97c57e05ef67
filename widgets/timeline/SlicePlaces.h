// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/SceneInput.h"

#include <optional>
#include <vector>

namespace stepscope
{

/// Where a slice is shown: its own track, or a row that shows it again (GPU host rows, steps), in layout px.
struct SlicePlace {
    std::size_t layoutRow = 0;
    int y = 0;
    int height = 0;
    bool hidden = false; ///< its track is collapsed: this is the heading that stands for it
};

/// All places of a slice, its own first. Empty only for slices of tracks outside the tree.
[[nodiscard]] std::vector<SlicePlace> placesOf(const Profile& profile, const TrackLayout& layout, SliceId slice);

/// The place to point at: the first in view, else the first that is not hidden, else the first.
[[nodiscard]] std::optional<SlicePlace> bestPlace(const SceneInput& input, SliceId slice);

} // namespace stepscope
