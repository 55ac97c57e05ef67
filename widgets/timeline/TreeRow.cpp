// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TreeRow.h"

#include "common/Text.h"
#include "profile/Busy.h"
#include "timeline/CounterText.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace stepscope
{

namespace
{

constexpr int kChevronPx = 14;
constexpr int kLeftPx = 6;

void paintChevron(QPainter& painter, QPointF centre, bool expanded, const QColor& colour)
{
    QPainterPath path;
    if (expanded) {
        path.moveTo(centre + QPointF(-3.5, -1.75));
        path.lineTo(centre + QPointF(0, 1.75));
        path.lineTo(centre + QPointF(3.5, -1.75));
    } else {
        path.moveTo(centre + QPointF(-1.75, -3.5));
        path.lineTo(centre + QPointF(1.75, 0));
        path.lineTo(centre + QPointF(-1.75, 3.5));
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Paints the figure right-aligned in a box; returns how much of the box's width it took.
double paintFigure(QPainter& painter, const QRectF& box, const QString& figure, const Theme& theme)
{
    if (figure.isEmpty()) return 0;
    const QFont base = painter.font();
    QFont small = base;
    if (base.pointSizeF() > 0) small.setPointSizeF(base.pointSizeF() * theme.smallFontScale);
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    const double width = std::ceil(metrics.horizontalAdvance(figure)) + 10;
    const double height = std::ceil(metrics.ascent() + metrics.descent()) + 1;
    if (width > box.width() * 0.6) {
        painter.setFont(base);
        return 0;
    }
    const QRectF pill(box.right() - width, std::round(box.center().y() - height / 2), width, height);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.pill);
    painter.drawRoundedRect(pill, theme.pillRadius, theme.pillRadius);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme.pillText);
    painter.drawText(pill, Qt::AlignCenter, figure);
    painter.setFont(base);
    return width + theme.spacing;
}

} // namespace

QString trackFigure(const Profile& profile, const Track& track, TimeSpan range)
{
    if (track.counter != kNone) return counterValueAt(profile.counters[track.counter], range.endNs);
    if (track.busy.empty() || range.empty()) return {};
    // What lies beside the profile is not idle time.
    const TimeSpan seen = range.intersected(profile.span);
    if (seen.empty()) return {};
    double busyNs = 0;
    for (const std::uint32_t index : track.busy)
        busyNs += static_cast<double>(coveredWithin(profile.busy[index], seen));
    const double share = busyNs / static_cast<double>(track.busy.size()) / static_cast<double>(seen.lengthNs());
    if (share > 0 && share < 0.005) return QStringLiteral("<1 %");
    return QStringLiteral("%1 %").arg(std::lround(share * 100));
}

TreeRow treeRow(const Profile& profile, const LayoutRow& row, TimeSpan range)
{
    const Track& track = profile.track(row.track);
    TreeRow result;
    result.name = toQString(track.name);
    result.figure = trackFigure(profile, track, range);
    result.heading = row.body == RowBody::Summary;
    result.expandable = row.expandable;
    result.expanded = row.expanded;
    result.depth = row.depth;
    result.firstLine = row.body == RowBody::Slices && row.lines > 1 ? row.lineHeight + 2 * row.padding + 2 : row.height;
    return result;
}

void paintTreeRow(QPainter& painter, const QRectF& rect, const TreeRow& row, const Theme& theme, double visibleTop)
{
    painter.fillRect(rect, row.highlighted ? theme.rowHighlight : row.heading ? theme.heading : theme.panel);
    painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), theme.separator);
    if (row.focused) painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height() - 1), theme.accent);
    // The name of a tall row stays in sight while one scrolls along it.
    const double line = std::min<double>(row.firstLine, rect.height());
    const double top = std::min(std::max(rect.top(), visibleTop), rect.bottom() - line);
    QRectF box(rect.left() + kLeftPx + row.depth * kTreeIndentPx, top, 0, line - 1);
    box.setRight(rect.right() - theme.margin);
    if (row.expandable)
        paintChevron(painter, QPointF(box.left() + kChevronPx / 2.0 - 1, std::round(box.center().y()) + 0.5),
                     row.expanded, theme.textSecondary);
    box.setLeft(box.left() + kChevronPx + 1);
    box.setRight(box.right() - paintFigure(painter, box, row.figure, theme));
    const QFont base = painter.font();
    if (row.heading && row.depth == 0) {
        QFont bold = base;
        bold.setWeight(QFont::DemiBold);
        painter.setFont(bold);
    }
    painter.setPen(theme.text);
    const QString name = painter.fontMetrics().elidedText(row.name, Qt::ElideMiddle, static_cast<int>(box.width()));
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.setFont(base);
}

} // namespace stepscope
