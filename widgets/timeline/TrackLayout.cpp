// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TrackLayout.h"

#include "common/Expansion.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace stepscope
{

LayoutMetrics LayoutMetrics::forFont(const QFontMetricsF& font)
{
    const int text = static_cast<int>(std::ceil(font.ascent() + font.descent()));
    LayoutMetrics metrics;
    metrics.line = std::max(16, text + 3);
    metrics.denseLine = std::max(11, text * 6 / 7);
    metrics.heading = text + 11;
    metrics.graph = 2 * text + 10;
    return metrics;
}

int LayoutRow::lineY(std::uint32_t line) const
{
    const int last = std::max(0, lines - 1);
    return y + padding + std::min(static_cast<int>(std::min<std::uint32_t>(line, 1u << 20)), last) * lineHeight;
}

namespace
{

LayoutRow rowFor(const Track& track, bool expanded, const LayoutMetrics& metrics)
{
    LayoutRow row;
    row.expandable = isExpandable(track);
    row.expanded = row.expandable && expanded;
    row.padding = metrics.padding;
    if (track.kind == TrackKind::GpuUtilisation || track.kind == TrackKind::Counter) {
        row.body = track.kind == TrackKind::Counter ? RowBody::Counter : RowBody::Utilisation;
        row.height = metrics.graph;
    } else if (track.rowCount > 0) {
        row.body = RowBody::Slices;
        row.lines = expanded ? static_cast<int>(track.rowCount) : 1;
        row.lineHeight = row.lines > static_cast<int>(kManyLines) ? metrics.denseLine : metrics.line;
        row.height = row.lines * row.lineHeight + 2 * row.padding;
    } else {
        row.height = metrics.heading;
    }
    return row;
}

} // namespace

TrackLayout::TrackLayout(const Profile& profile, const std::vector<bool>& expanded, const LayoutMetrics& metrics)
    : m_rowOfTrack(profile.tracks.size(), kNone)
{
    for (const TrackId root : profile.roots) add(profile, root, 0, expanded, metrics);
}

void TrackLayout::add(const Profile& profile, TrackId id, int depth, const std::vector<bool>& expanded,
                      const LayoutMetrics& metrics)
{
    const Track& track = profile.track(id);
    LayoutRow row = rowFor(track, expanded[id.value], metrics);
    row.track = id;
    row.y = height();
    row.depth = depth;
    const auto index = static_cast<std::uint32_t>(m_rows.size());
    m_rowOfTrack[id.value] = index;
    m_rows.push_back(row);
    for (const TrackId child : track.children) {
        if (row.expanded) add(profile, child, depth + 1, expanded, metrics);
        else hideBelow(profile, child, index);
    }
}

void TrackLayout::hideBelow(const Profile& profile, TrackId track, std::uint32_t row)
{
    m_rowOfTrack[track.value] = row;
    for (const TrackId child : profile.track(track).children) hideBelow(profile, child, row);
}

std::size_t TrackLayout::firstRowBelow(double y) const
{
    const auto row = std::upper_bound(m_rows.begin(), m_rows.end(), y,
                                      [](double value, const LayoutRow& other) { return value < other.bottom(); });
    return static_cast<std::size_t>(row - m_rows.begin());
}

std::optional<std::size_t> TrackLayout::rowAt(double y) const
{
    if (y < 0) return std::nullopt;
    const std::size_t row = firstRowBelow(y);
    return row < m_rows.size() ? std::optional(row) : std::nullopt;
}

std::optional<std::size_t> TrackLayout::rowOf(TrackId track) const
{
    if (track.value >= m_rowOfTrack.size() || m_rowOfTrack[track.value] == kNone) return std::nullopt;
    return m_rowOfTrack[track.value];
}

bool TrackLayout::isVisible(TrackId track) const
{
    const auto row = rowOf(track);
    return row && m_rows[*row].track == track;
}

} // namespace stepscope
