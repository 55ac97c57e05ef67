// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stepscope
{

/// Sorts what mostly consists of a few ascending pieces one behind the other, as profilers write it and as joining
/// several tracks leaves it: finds the pieces and merges neighbours until one is left. Stable. O(n) where all is
/// sorted, O(n log pieces) else; with thousands of pieces a plain sort is as fast, and is what is done.
template<class T, class Less>
void sortRuns(std::vector<T>& items, Less less)
{
    constexpr std::size_t kMostPieces = 4096;
    std::vector<std::size_t> borders = {0};
    for (std::size_t index = 1; index < items.size() && borders.size() <= kMostPieces; ++index)
        if (less(items[index], items[index - 1])) borders.push_back(index);
    if (borders.size() > kMostPieces) {
        std::stable_sort(items.begin(), items.end(), less);
        return;
    }
    borders.push_back(items.size());
    if (borders.size() == 2) return;
    std::vector<T> other;
    other.resize(items.size());
    const auto at = [](std::vector<T>& all, std::size_t index) {
        return all.begin() + static_cast<std::ptrdiff_t>(index);
    };
    while (borders.size() > 2) {
        std::vector<std::size_t> merged = {0};
        for (std::size_t piece = 0; piece + 1 < borders.size(); piece += 2) {
            const std::size_t end = piece + 2 < borders.size() ? borders[piece + 2] : borders[piece + 1];
            std::merge(at(items, borders[piece]), at(items, borders[piece + 1]), at(items, borders[piece + 1]),
                       at(items, end), at(other, borders[piece]), less);
            merged.push_back(end);
        }
        items.swap(other);
        borders.swap(merged);
    }
}

} // namespace stepscope
