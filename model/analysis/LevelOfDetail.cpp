// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/LevelOfDetail.h"

#include <algorithm>
#include <cmath>

namespace stepscope
{

PixelGrid::PixelGrid(TimeSpan view, int widthPx)
    : m_view(view), m_widthPx(std::max(1, widthPx)),
      m_nsPerPx(static_cast<double>(std::max<std::int64_t>(1, view.lengthNs())) / m_widthPx), m_pxPerNs(1 / m_nsPerPx)
{
}

std::int64_t PixelGrid::columnBegin(std::int64_t column) const
{
    // Rounding up by hand: a call of std::ceil costs more than all the rest where there is no instruction for it.
    const double exact = static_cast<double>(column) * m_nsPerPx;
    const auto whole = static_cast<std::int64_t>(exact);
    return m_view.beginNs + whole + (static_cast<double>(whole) < exact ? 1 : 0);
}

std::int64_t PixelGrid::columnOf(std::int64_t ns) const
{
    const double exact = static_cast<double>(ns - m_view.beginNs) * m_pxPerNs;
    auto column = static_cast<std::int64_t>(exact) - (exact < 0 ? 1 : 0);
    // The product may be off in its last bits; the borders are what columnBegin() says.
    while (columnBegin(column) > ns) --column;
    while (columnBegin(column + 1) <= ns) ++column;
    return column;
}

namespace
{

/// The end of a narrow slice that reaches into the next column.
struct Carry {
    std::int64_t column = INT64_MIN;
    std::int64_t coveredNs = 0;
    std::uint32_t index = 0;
};

class RowWalk
{
public:
    RowWalk(const RowView& row, const PixelGrid& grid, std::vector<LodItem>& items)
        : m_row(row), m_grid(grid), m_items(items), m_wideNs(static_cast<std::int64_t>(std::ceil(grid.nsPerPx())))
    {
    }

    void run()
    {
        const TimeSpan view = m_grid.view();
        std::size_t index = m_row.firstEndingAfter(view.beginNs);
        // Slices without duration at the very beginning end there too, but belong to the first column.
        while (index > 0 && m_row.startNs[index - 1] >= view.beginNs) --index;
        while (index < m_row.size() && m_row.startNs[index] < view.endNs)
            index = isWide(index) ? addWide(index) : addColumn(index);
        flushCarry(INT64_MAX);
    }

private:
    [[nodiscard]] bool isWide(std::size_t index) const { return m_row.durNs[index] >= m_wideNs; }

    std::size_t addWide(std::size_t index)
    {
        flushCarry(INT64_MAX);
        m_items.push_back({m_row.startNs[index], m_row.endNs(index), static_cast<std::uint32_t>(index), 1,
                           m_row.durNs[index], false});
        return index + 1;
    }

    /// The narrow slices from `first` on that start before `endNs`: how far they go, what they sum up to.
    struct Group {
        std::size_t last = 0;
        RowRange range;
    };
    [[nodiscard]] Group groupFrom(std::size_t first, std::int64_t endNs) const
    {
        // A few slices are looked at one by one; many are found by search and summed by their blocks.
        constexpr std::size_t kFew = 40;
        const std::size_t stop = std::min(m_row.size(), first + kFew);
        const std::int64_t* const starts = m_row.startNs.data();
        const std::int64_t* const durations = m_row.durNs.data();
        std::int64_t sumNs = 0;
        std::int64_t longestNs = -1;
        std::size_t longest = first;
        std::size_t last = first;
        // Only the last to start can be wide: the others end before it does.
        for (; last < stop && starts[last] < endNs && durations[last] < m_wideNs; ++last) {
            const std::int64_t dur = durations[last];
            // Without a branch: which is the longest cannot be foretold.
            const bool longer = dur > longestNs;
            sumNs += dur;
            longest = longer ? last : longest;
            longestNs = longer ? dur : longestNs;
        }
        Group group{last, {sumNs, longest}};
        if (last < stop && durations[last] >= m_wideNs) return group;
        if (group.last < stop || stop == m_row.size()) return group;
        group.last = m_row.firstStartingAt(endNs, group.last - 1);
        if (isWide(group.last - 1)) --group.last;
        group.range = summarise(m_row, first, group.last);
        return group;
    }

    /// Merges the narrow slices that start in one column.
    std::size_t addColumn(std::size_t first)
    {
        const std::int64_t startNs = std::max(m_row.startNs[first], m_grid.view().beginNs);
        // Mostly the column next to the last one.
        const bool next = startNs >= m_columnEndNs && startNs < m_nextEndNs;
        const std::int64_t column = next ? m_column + 1 : m_grid.columnOf(startNs);
        const std::int64_t beginNs = next ? m_columnEndNs : m_grid.columnBegin(column);
        const std::int64_t endNs = next ? m_nextEndNs : m_grid.columnBegin(column + 1);
        m_column = column;
        m_columnEndNs = endNs;
        m_nextEndNs = m_grid.columnBegin(column + 2);
        flushCarry(column);
        const auto [last, range] = groupFrom(first, endNs);
        LodItem item{
            beginNs,     endNs, static_cast<std::uint32_t>(range.longest), static_cast<std::uint32_t>(last - first),
            range.sumNs, true,  static_cast<std::int32_t>(column)};
        item.coveredNs -= std::max<std::int64_t>(0, beginNs - m_row.startNs[first]);
        const std::int64_t overhang = m_row.endNs(last - 1) - endNs;
        if (m_carry.column == column) {
            item.coveredNs += m_carry.coveredNs;
            ++item.count;
            if (m_row.durNs[m_carry.index] >= m_row.durNs[item.index]) item.index = m_carry.index;
        }
        m_carry = {};
        if (overhang > 0) {
            item.coveredNs -= overhang;
            m_carry = {column + 1, overhang, static_cast<std::uint32_t>(last - 1)};
        }
        m_items.push_back(item);
        return last;
    }

    /// Draws what reaches into its column, unless that column is about to be drawn anyway.
    void flushCarry(std::int64_t nextColumn)
    {
        if (m_carry.column == INT64_MIN || m_carry.column == nextColumn) return;
        const std::int64_t beginNs = m_grid.columnBegin(m_carry.column);
        if (beginNs < m_grid.view().endNs)
            m_items.push_back({beginNs, m_grid.columnBegin(m_carry.column + 1), m_carry.index, 1, m_carry.coveredNs,
                               true, static_cast<std::int32_t>(m_carry.column)});
        m_carry = {};
    }

    const RowView& m_row;
    const PixelGrid& m_grid;
    std::vector<LodItem>& m_items;
    std::int64_t m_wideNs; ///< slices of this duration or more are drawn as themselves
    Carry m_carry;
    std::int64_t m_column = 0; ///< the last column, and where it and the next one end
    std::int64_t m_columnEndNs = INT64_MAX;
    std::int64_t m_nextEndNs = INT64_MAX;
};

} // namespace

void appendVisible(const RowView& row, const PixelGrid& grid, std::vector<LodItem>& items)
{
    RowWalk(row, grid, items).run();
}

} // namespace stepscope
