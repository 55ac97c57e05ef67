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

struct Key {
    std::int64_t startNs;
    std::int64_t durNs;
    std::uint32_t index;

    friend bool operator<(const Key& a, const Key& b)
    {
        if (a.startNs != b.startNs) return a.startNs < b.startNs;
        if (a.durNs != b.durNs) return a.durNs > b.durNs;
        return a.index < b.index;
    }
};

std::vector<std::size_t> runBorders(const std::vector<Key>& keys)
{
    std::vector<std::size_t> borders = {0};
    for (std::size_t index = 1; index < keys.size(); ++index)
        if (keys[index] < keys[index - 1]) borders.push_back(index);
    borders.push_back(keys.size());
    return borders;
}

/// Merges neighbouring runs until one is left.
void mergeRuns(std::vector<Key>& keys, std::vector<std::size_t> borders)
{
    std::vector<Key> other(keys.size());
    while (borders.size() > 2) {
        std::vector<std::size_t> merged = {0};
        for (std::size_t run = 0; run + 1 < borders.size(); run += 2) {
            const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(borders[run]);
            const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(borders[run + 1]);
            const std::size_t endIndex = run + 2 < borders.size() ? borders[run + 2] : borders[run + 1];
            const auto end = keys.begin() + static_cast<std::ptrdiff_t>(endIndex);
            std::merge(begin, middle, middle, end, other.begin() + static_cast<std::ptrdiff_t>(borders[run]));
            merged.push_back(endIndex);
        }
        keys.swap(other);
        borders = std::move(merged);
    }
}

} // namespace

std::vector<std::uint32_t> sortedOrder(std::span<const Interval> slices)
{
    std::vector<std::uint32_t> order(slices.size());
    std::iota(order.begin(), order.end(), 0u);
    bool sorted = true;
    for (std::size_t index = 1; index < order.size() && sorted; ++index)
        sorted = slices[index - 1].startNs < slices[index].startNs ||
                 (slices[index - 1].startNs == slices[index].startNs &&
                  slices[index - 1].durNs >= slices[index].durNs);
    if (sorted) return order;

    std::vector<Key> keys;
    keys.reserve(order.size());
    for (const std::uint32_t index : order) keys.push_back({slices[index].startNs, slices[index].durNs, index});
    auto borders = runBorders(keys);
    // Each pass over the runs halves their number; from some thousand runs on a plain sort is as fast.
    if (borders.size() > 4096) std::sort(keys.begin(), keys.end());
    else mergeRuns(keys, std::move(borders));
    for (std::size_t index = 0; index < keys.size(); ++index) order[index] = keys[index].index;
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
