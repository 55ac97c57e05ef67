// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <optional>
#include <span>
#include <vector>

class QFontMetricsF;

namespace stepscope
{

/// Heights of rows in px. Whole numbers, so that lines stay crisp.
struct LayoutMetrics {
    int line = 18;      ///< a line of slices with names in it
    int denseLine = 12; ///< where a track has very many lines
    int heading = 26;   ///< headings with their summary strip
    int graph = 38;     ///< utilisation and counters
    int padding = 3;    ///< above and below lines and graphs

    [[nodiscard]] static LayoutMetrics forFont(const QFontMetricsF& font);
};

/// A track with more lines than this has dense ones.
inline constexpr std::uint32_t kManyLines = 24;

enum class RowBody : std::uint8_t {
    Summary, ///< busy fraction as a thin strip
    Slices,
    Utilisation, ///< busy fraction as a graph from 0 to 100 %
    Counter,
};

struct LayoutRow {
    TrackId track;
    int y = 0; ///< from the top of the first row
    int height = 0;
    int depth = 0; ///< roots have 0
    RowBody body = RowBody::Summary;
    int lines = 0; ///< lines of slices shown: all, or the first of a collapsed track
    int lineHeight = 0;
    int padding = 0;
    bool expandable = false;
    bool expanded = false;

    [[nodiscard]] int bottom() const { return y + height; }
    /// Top of a line of slices; lines that a collapsed track hides count as its last one.
    [[nodiscard]] int lineY(std::uint32_t line) const;
};

/// The visible rows from top to bottom. Plain value.
class TrackLayout
{
public:
    TrackLayout() = default;
    /// `expanded` by track id. O(tracks).
    TrackLayout(const Profile& profile, const std::vector<bool>& expanded, const LayoutMetrics& metrics);

    [[nodiscard]] std::span<const LayoutRow> rows() const { return m_rows; }
    [[nodiscard]] int height() const { return m_rows.empty() ? 0 : m_rows.back().bottom(); }
    /// Index of the row at a height; none above, below and between. O(log rows).
    [[nodiscard]] std::optional<std::size_t> rowAt(double y) const;
    /// Index of the first row that ends below `y`; rows().size() if none.
    [[nodiscard]] std::size_t firstRowBelow(double y) const;
    /// The row of a track, or that of the collapsed heading that hides it; none for unknown tracks.
    [[nodiscard]] std::optional<std::size_t> rowOf(TrackId track) const;
    /// True if the track has its own row.
    [[nodiscard]] bool isVisible(TrackId track) const;

private:
    void add(const Profile& profile, TrackId track, int depth, const std::vector<bool>& expanded,
             const LayoutMetrics& metrics);
    void hideBelow(const Profile& profile, TrackId track, std::uint32_t row);

    std::vector<LayoutRow> m_rows;
    std::vector<std::uint32_t> m_rowOfTrack; ///< own row or that of the nearest visible ancestor
};

} // namespace stepscope
