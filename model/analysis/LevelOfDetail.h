// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/TimeSpan.h"
#include "profile/Row.h"

#include <cstdint>
#include <vector>

namespace stepscope
{

/// Where the pixel columns of a view begin: column p shows [columnBegin(p), columnBegin(p + 1)).
class PixelGrid
{
public:
    PixelGrid(TimeSpan view, int widthPx);

    [[nodiscard]] TimeSpan view() const { return m_view; }
    [[nodiscard]] int widthPx() const { return m_widthPx; }
    [[nodiscard]] double nsPerPx() const { return m_nsPerPx; }
    [[nodiscard]] std::int64_t columnBegin(std::int64_t column) const;
    /// The column that shows `ns`; may lie outside the view.
    [[nodiscard]] std::int64_t columnOf(std::int64_t ns) const;
    /// Place of `ns` in px, with fraction, not clamped.
    [[nodiscard]] double xOf(std::int64_t ns) const { return static_cast<double>(ns - m_view.beginNs) / m_nsPerPx; }

private:
    TimeSpan m_view;
    int m_widthPx;
    double m_nsPerPx;
    double m_pxPerNs;
};

/// One thing to draw in a row: a slice at least one column wide, or a column with all the narrower ones in it.
struct LodItem {
    std::int64_t beginNs = 0; ///< the slice's own begin and end, or those of the column
    std::int64_t endNs = 0;
    std::uint32_t index = 0;    ///< within the row: the slice, or the longest of the column
    std::uint32_t count = 1;    ///< slices that it stands for
    std::int64_t coveredNs = 0; ///< how much of [beginNs, endNs) they cover
    bool column = false;
    std::int32_t pixel = 0; ///< number of the column; of a slice meaningless
};

/// Appends what a row shows in each pixel column, in time order. Every slice that touches the view is in exactly the
/// columns it touches: a wide one as itself, narrower ones merged. Time depends on the columns, not on the slices:
/// O(columns x log slices).
void appendVisible(const RowView& row, const PixelGrid& grid, std::vector<LodItem>& items);

} // namespace stepscope
