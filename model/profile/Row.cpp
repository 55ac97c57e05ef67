// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Row.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace stepscope
{

namespace
{

/// Adds neighbours one at a time, keeping the first of the longest.
class Accumulator
{
public:
    explicit Accumulator(const RowView& row, std::size_t first) : m_row(row)
    {
        m_range.longest = first;
        m_longestNs = -1;
    }
    void addSlice(std::size_t index)
    {
        const std::int64_t dur = m_row.durNs[index];
        m_range.sumNs += dur;
        if (dur > m_longestNs) {
            m_longestNs = dur;
            m_range.longest = index;
        }
    }
    void addBlock(const RowBlock& block)
    {
        m_range.sumNs += block.sumNs;
        if (m_row.durNs[block.longest] > m_longestNs) {
            m_longestNs = m_row.durNs[block.longest];
            m_range.longest = block.longest;
        }
    }
    [[nodiscard]] RowRange range() const { return m_range; }

private:
    const RowView& m_row;
    RowRange m_range;
    std::int64_t m_longestNs;
};

constexpr std::size_t blocksFor(std::size_t count) { return (count + kRowBlock - 1) / kRowBlock; }

} // namespace

std::size_t RowView::firstEndingAfter(std::int64_t ns) const
{
    std::size_t low = 0;
    std::size_t high = size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (endNs(middle) > ns) high = middle;
        else low = middle + 1;
    }
    return low;
}

std::size_t RowView::firstStartingAt(std::int64_t ns, std::size_t from) const
{
    std::size_t step = 1;
    std::size_t low = from;
    while (low + step < size() && startNs[low + step] < ns) {
        low += step;
        step *= 2;
    }
    const auto begin = startNs.begin() + static_cast<std::ptrdiff_t>(low);
    const auto end = startNs.begin() + static_cast<std::ptrdiff_t>(std::min(size(), low + step + 1));
    return static_cast<std::size_t>(std::lower_bound(begin, end, ns) - startNs.begin());
}

void appendRowBlocks(std::span<const std::int64_t> durNs, std::vector<RowBlock>& blocks)
{
    if (durNs.size() <= kRowBlock) return;
    std::size_t levelBegin = blocks.size();
    for (std::size_t begin = 0; begin < durNs.size(); begin += kRowBlock) {
        RowBlock block{0, static_cast<std::uint32_t>(begin)};
        const std::size_t end = std::min(durNs.size(), begin + kRowBlock);
        for (std::size_t index = begin; index < end; ++index) {
            block.sumNs += durNs[index];
            if (durNs[index] > durNs[block.longest]) block.longest = static_cast<std::uint32_t>(index);
        }
        blocks.push_back(block);
    }
    while (blocks.size() - levelBegin > 1) {
        const std::size_t levelEnd = blocks.size();
        for (std::size_t begin = levelBegin; begin < levelEnd; begin += kRowBlock) {
            RowBlock merged{0, blocks[begin].longest};
            const std::size_t end = std::min(levelEnd, begin + kRowBlock);
            for (std::size_t index = begin; index < end; ++index) {
                const RowBlock& part = blocks[index];
                merged.sumNs += part.sumNs;
                if (durNs[part.longest] > durNs[merged.longest]) merged.longest = part.longest;
            }
            blocks.push_back(merged);
        }
        levelBegin = levelEnd;
    }
}

RowRange summarise(const RowView& row, std::size_t begin, std::size_t end)
{
    assert(begin < end && end <= row.size());
    Accumulator total(row, begin);
    // Climb from the slices at both edges to ever larger blocks in the middle. The left edge is added on the way up,
    // the right edge on the way back down, so that the first of equally long slices wins.
    struct Level {
        std::size_t offset;
        std::size_t begin;
        std::size_t end;
    };
    std::size_t left = begin;
    std::size_t right = end;
    std::size_t levelOffset = 0;
    std::size_t levelCount = row.size();
    bool slices = true;
    std::array<Level, 8> tails{};
    std::size_t tailCount = 0;
    const auto addRange = [&](std::size_t offset, std::size_t from, std::size_t to, bool areSlices) {
        for (std::size_t index = from; index < to; ++index)
            areSlices ? total.addSlice(index) : total.addBlock(row.blocks[offset + index]);
    };
    while (true) {
        const std::size_t innerLeft = blocksFor(left) * kRowBlock;
        const std::size_t innerRight = right / kRowBlock * kRowBlock;
        if (innerLeft >= innerRight || row.blocks.empty()) {
            addRange(levelOffset, left, right, slices);
            break;
        }
        addRange(levelOffset, left, innerLeft, slices);
        tails[tailCount++] = {levelOffset, innerRight, right};
        left = innerLeft / kRowBlock;
        right = innerRight / kRowBlock;
        levelOffset = slices ? 0 : levelOffset + levelCount;
        levelCount = blocksFor(levelCount);
        slices = false;
    }
    while (tailCount > 0) {
        const Level& tail = tails[--tailCount];
        addRange(tail.offset, tail.begin, tail.end, tailCount == 0);
    }
    return total.range();
}

} // namespace stepscope
