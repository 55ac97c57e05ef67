// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/Theme.h"
#include "timeline/TrackLayout.h"

#include <QRectF>
#include <QString>

class QPainter;

namespace stepscope
{

inline constexpr int kTreeIndentPx = 14;

/// What a row of the tree says.
struct TreeRow {
    QString name;
    QString figure; ///< "47 %", a counter's value, or ""
    bool heading = false;
    bool expandable = false;
    bool expanded = false;
    bool highlighted = false; ///< it shows the selection
    bool focused = false;
    int depth = 0;
    int firstLine = 0; ///< height of the line that the name stands in
};

/// The figure of a track over a range: mean utilisation of what keeps it busy, or the value of its counter at the end.
[[nodiscard]] QString trackFigure(const Profile& profile, const Track& track, TimeSpan range);

[[nodiscard]] TreeRow treeRow(const Profile& profile, const LayoutRow& row, TimeSpan range);

/// Paints a row with the painter's font. The name keeps to the part of the row below `visibleTop`.
void paintTreeRow(QPainter& painter, const QRectF& rect, const TreeRow& row, const Theme& theme, double visibleTop);

} // namespace stepscope
