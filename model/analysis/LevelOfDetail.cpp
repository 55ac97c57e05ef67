// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/LevelOfDetail.h"

#include <algorithm>
#include <cmath>

namespace stepscope
{

PixelGrid::PixelGrid(TimeSpan view, int widthPx)
    : m_view(view), m_widthPx(std::max(1, widthPx)),
      m_nsPerPx(static_cast<double>(std::max<std::int64_t>(1, view.lengthNs())) / m_widthPx)
{
}

std::int64_t PixelGrid::columnBegin(std::int64_t column) const
{
    return m_view.beginNs + static_cast<std::int64_t>(std::ceil(static_cast<double>(column) * m_nsPerPx));
}

std::int64_t PixelGrid::columnOf(std::int64_t ns) const
{
    auto column = static_cast<std::int64_t>(std::floor(static_cast<double>(ns - m_view.beginNs) / m_nsPerPx));
    // The division may be off by one in its last bit; the borders are what columnBegin() says.
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
        : m_row(row), m_grid(grid), m_items(items)
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
    [[nodiscard]] bool isWide(std::size_t index) const
    {
        return static_cast<double>(m_row.durNs[index]) >= m_grid.nsPerPx();
    }

    std::size_t addWide(std::size_t index)
    {
        flushCarry(INT64_MAX);
        m_items.push_back({m_row.startNs[index], m_row.endNs(index), static_cast<std::uint32_t>(index), 1,
                           m_row.durNs[index], false});
        return index + 1;
    }

    /// Merges the narrow slices that start in one column.
    std::size_t addColumn(std::size_t first)
    {
        const std::int64_t viewBegin = m_grid.view().beginNs;
        const std::int64_t column = m_grid.columnOf(std::max(m_row.startNs[first], viewBegin));
        const std::int64_t beginNs = m_grid.columnBegin(column);
        const std::int64_t endNs = m_grid.columnBegin(column + 1);
        std::size_t last = m_row.firstStartingAt(endNs, first);
        // Only the last to start can be wide: the others end before it does.
        if (last - first > 1 && isWide(last - 1)) --last;
        flushCarry(column);
        const RowRange range = summarise(m_row, first, last);
        LodItem item{beginNs, endNs, static_cast<std::uint32_t>(range.longest),
                     static_cast<std::uint32_t>(last - first), range.sumNs, true};
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
                               true});
        m_carry = {};
    }

    const RowView& m_row;
    const PixelGrid& m_grid;
    std::vector<LodItem>& m_items;
    Carry m_carry;
};

} // namespace

void appendVisible(const RowView& row, const PixelGrid& grid, std::vector<LodItem>& items)
{
    RowWalk(row, grid, items).run();
}

} // namespace stepscope
