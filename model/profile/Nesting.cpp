// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Nesting.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace stepscope
{

namespace
{

/// Start ascending, longer first, then as given. Compares by index: sorted copies of the intervals would need more
/// memory than all else that is kept of a slice.
struct Before {
    std::span<const Interval> slices;

    bool operator()(std::uint32_t a, std::uint32_t b) const
    {
        const Interval& left = slices[a];
        const Interval& right = slices[b];
        if (left.startNs != right.startNs) return left.startNs < right.startNs;
        if (left.durNs != right.durNs) return left.durNs > right.durNs;
        return a < b;
    }
};

std::vector<std::size_t> runBorders(std::span<const Interval> slices)
{
    const Before before{slices};
    std::vector<std::size_t> borders = {0};
    for (std::uint32_t index = 1; index < slices.size(); ++index)
        if (before(index, index - 1)) borders.push_back(index);
    borders.push_back(slices.size());
    return borders;
}

/// Merges neighbouring runs until one is left.
void mergeRuns(std::vector<std::uint32_t>& order, std::vector<std::size_t> borders, const Before& before)
{
    std::vector<std::uint32_t> other(order.size());
    while (borders.size() > 2) {
        std::vector<std::size_t> merged = {0};
        for (std::size_t run = 0; run + 1 < borders.size(); run += 2) {
            const auto begin = order.begin() + static_cast<std::ptrdiff_t>(borders[run]);
            const auto middle = order.begin() + static_cast<std::ptrdiff_t>(borders[run + 1]);
            const std::size_t endIndex = run + 2 < borders.size() ? borders[run + 2] : borders[run + 1];
            const auto end = order.begin() + static_cast<std::ptrdiff_t>(endIndex);
            std::merge(begin, middle, middle, end, other.begin() + static_cast<std::ptrdiff_t>(borders[run]), before);
            merged.push_back(endIndex);
        }
        order.swap(other);
        borders = std::move(merged);
    }
}

} // namespace

std::vector<std::uint32_t> sortedOrder(std::span<const Interval> slices)
{
    std::vector<std::uint32_t> order(slices.size());
    std::iota(order.begin(), order.end(), 0u);
    auto borders = runBorders(slices);
    // Each pass over the runs halves their number; from some thousand runs on a plain sort is as fast.
    if (borders.size() > 4096) std::sort(order.begin(), order.end(), Before{slices});
    else if (borders.size() > 2) mergeRuns(order, std::move(borders), Before{slices});
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
            if (open.back().endNs < endNs) ++result.overlaps;
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
        if (!busy.empty()) ++result.overlaps;
        result.row[index] = row;
        busy.emplace(slices[index].endNs(), row);
    }
    return result;
}

} // namespace stepscope
