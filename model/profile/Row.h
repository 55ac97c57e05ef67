// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/StrongId.h"

#include <cstdint>
#include <span>
#include <vector>

namespace stepscope
{

/// Summary of 32 neighbours of a row (or of 32 summaries one level below).
struct RowBlock {
    std::int64_t sumNs = 0;    ///< summed durations
    std::uint32_t longest = 0; ///< index within the row of the longest slice, the first of equals
};
inline constexpr std::size_t kRowBlock = 32;

/// One line of slices on a track: starts ascending, no two overlap, so ends ascend as well. Borrowed from a Profile.
struct RowView {
    std::span<const std::int64_t> startNs;
    std::span<const std::int64_t> durNs;
    std::span<const SliceId> ids; ///< empty where the row's slices are firstId, firstId + 1, ...
    SliceId firstId;
    std::span<const RowBlock> blocks; ///< levels one behind the other, the finest first; see appendRowBlocks

    [[nodiscard]] std::size_t size() const { return startNs.size(); }
    [[nodiscard]] std::int64_t endNs(std::size_t index) const { return startNs[index] + durNs[index]; }
    [[nodiscard]] SliceId id(std::size_t index) const
    {
        return ids.empty() ? SliceId{firstId.value + static_cast<std::uint32_t>(index)} : ids[index];
    }
    /// Index of the first slice that ends after `ns`; size() if none. O(log n).
    [[nodiscard]] std::size_t firstEndingAfter(std::int64_t ns) const;
    /// Index of the first slice at or after `from` that starts at or after `ns`, searched in growing steps.
    [[nodiscard]] std::size_t firstStartingAt(std::int64_t ns, std::size_t from) const;
};

/// Appends the summaries of a row: one RowBlock for each 32 slices, then one for each 32 of those, until one is left.
/// Rows of at most 32 slices need none.
void appendRowBlocks(std::span<const std::int64_t> durNs, std::vector<RowBlock>& blocks);

/// Summed durations and longest slice of [begin, end) of a row. O(log n).
struct RowRange {
    std::int64_t sumNs = 0;
    std::size_t longest = 0;
};
[[nodiscard]] RowRange summarise(const RowView& row, std::size_t begin, std::size_t end);

} // namespace stepscope
