// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Nesting.h"

#include "core/RunSort.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace stepscope
{

namespace
{

/// Drawing order of two slices; equal ones stay as given.
bool drawnBefore(const Interval& a, const Interval& b)
{
    return a.startNs != b.startNs ? a.startNs < b.startNs : a.durNs > b.durNs;
}

} // namespace

std::vector<std::uint32_t> sortedOrder(std::span<const Interval> slices)
{
    std::vector<std::uint32_t> order;
    order.resize(slices.size());
    std::iota(order.begin(), order.end(), 0u);
    sortRuns(order, [slices](std::uint32_t a, std::uint32_t b) { return drawnBefore(slices[a], slices[b]); });
    return order;
}

RowAssignment nestRows(std::span<const Interval> slices, std::span<const std::uint32_t> order)
{
    struct Open {
        std::int64_t endNs;
        std::uint32_t row;
    };
    RowAssignment result;
    result.row.resize(slices.size());
    std::vector<Open> open;
    for (const std::uint32_t index : order) {
        const auto [startNs, endNs] = std::pair(slices[index].startNs, slices[index].endNs());
        // One that ended below another that goes on stays until that one ends: the row below it is not free yet.
        while (!open.empty() && open.back().endNs <= startNs) open.pop_back();
        std::uint32_t row = 0;
        if (!open.empty()) {
            row = open.back().row + 1;
            if (open.back().endNs < endNs && result.overlaps++ == 0) result.firstOverlap = index;
        }
        result.row[index] = row;
        result.rowCount = std::max(result.rowCount, row + 1);
        open.push_back({endNs, row});
    }
    return result;
}

RowAssignment stackRows(std::span<const Interval> slices, std::span<const std::uint32_t> order)
{
    using Busy = std::pair<std::int64_t, std::uint32_t>; // end, row
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
    RowAssignment result;
    result.row.resize(slices.size());
    for (const std::uint32_t index : order) {
        while (!busy.empty() && busy.top().first <= slices[index].startNs) {
            free.push(busy.top().second);
            busy.pop();
        }
        std::uint32_t row = result.rowCount;
        if (free.empty()) {
            ++result.rowCount;
        } else {
            row = free.top();
            free.pop();
        }
        if (!busy.empty() && result.overlaps++ == 0) result.firstOverlap = index;
        result.row[index] = row;
        busy.emplace(slices[index].endNs(), row);
    }
    return result;
}

} // namespace stepscope
