// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stepscope
{

/// How a slice compares with all slices of its name and kind.
struct NameStatistics {
    std::uint64_t count = 0;
    std::int64_t leastNs = 0;
    std::int64_t medianNs = 0; ///< the upper one of an even number
    std::int64_t p95Ns = 0;    ///< nearest rank
    std::int64_t greatestNs = 0;
    std::int64_t totalNs = 0;
    std::uint64_t longer = 0; ///< slices longer than this one: it is number longer + 1 by duration
    double percentile = 0;    ///< share of the slices that are no longer than this one, 0 .. 100
};
/// O(slices).
[[nodiscard]] NameStatistics compareWithName(const Profile& profile, SliceId slice);

/// Everything that the file said about a slice, read from the source again; none if the source cannot be read any more.
[[nodiscard]] std::optional<std::vector<SourceField>> sourceFieldsOf(const Profile& profile, SliceId slice);

/// The names of the tree's nodes from the host down to the track of a slice.
[[nodiscard]] std::vector<std::string> trackPathOf(const Profile& profile, SliceId slice);

/// The slices that enclose a slice on its track, the closest first.
[[nodiscard]] std::vector<SliceId> parentsOf(const Profile& profile, SliceId slice);

} // namespace stepscope
