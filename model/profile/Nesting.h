// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stepscope
{

struct Interval {
    std::int64_t startNs = 0;
    std::int64_t durNs = 0;

    [[nodiscard]] constexpr std::int64_t endNs() const { return startNs + durNs; }
};

/// Positions of slices in drawing order: start ascending, longer first, then as given. Fast on what profilers write:
/// a few sorted runs one behind the other.
[[nodiscard]] std::vector<std::uint32_t> sortedOrder(std::span<const Interval> slices);

struct RowAssignment {
    std::vector<std::uint32_t> row; ///< of each slice, in the order given to the function
    std::uint32_t rowCount = 0;
    std::uint64_t overlaps = 0;     ///< slices that start within another and end after it
    std::uint32_t firstOverlap = 0; ///< the earliest of them, if there are any
};

/// Rows of a thread: a slice stands below the one that it starts in. One that outlasts the slice it starts in also
/// stands below it, and counts as an overlap. No two slices of a row overlap. `order` from sortedOrder(). O(n).
[[nodiscard]] RowAssignment nestRows(std::span<const Interval> slices, std::span<const std::uint32_t> order);

/// Rows of a stream, where slices follow each other: each takes the topmost free row. O(n log n).
[[nodiscard]] RowAssignment stackRows(std::span<const Interval> slices, std::span<const std::uint32_t> order);

} // namespace stepscope
