// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TimelineExport.h"

#include "common/Text.h"
#include "common/ViewState.h"
#include "core/Format.h"
#include "timeline/RendererRaster.h"
#include "timeline/Ruler.h"
#include "timeline/TimelineScene.h"
#include "timeline/TreeRow.h"

#include <QFileInfo>
#include <QPainter>

#include <cmath>

namespace stepscope
{

namespace
{

constexpr double kMarginPx = 12;
constexpr double kSwatchPx = 11;

struct LegendEntry {
    QString label;
    QColor colour;
};

/// The kinds that occur in the profile, in the order of the enumeration, and what the arrows mean.
std::vector<LegendEntry> legendOf(const Profile& profile, const Theme& theme)
{
    std::array<bool, kSliceKindCount> occurs{};
    for (const SliceKind kind : profile.slices.kind) occurs[static_cast<std::size_t>(kind)] = true;
    std::vector<LegendEntry> entries;
    for (std::size_t kind = 0; kind < kSliceKindCount; ++kind)
        if (occurs[kind]) entries.push_back({toQString(kindLabel(static_cast<SliceKind>(kind))), theme.kinds[kind]});
    if (profile.links.size() > 0)
        entries.push_back({QCoreApplication::translate("stepscope::TimelineExport", "launch to run"), theme.link});
    return entries;
}

/// Lays entries out in lines and calls place(entry, x, y) for each; returns the height used.
template<class Place>
double layOut(const std::vector<LegendEntry>& entries, const QFontMetricsF& metrics, double width, Place place)
{
    double x = kMarginPx;
    double y = kMarginPx / 2;
    const double line = std::ceil(metrics.height()) + 4;
    for (const LegendEntry& entry : entries) {
        const double taken = kSwatchPx + 6 + metrics.horizontalAdvance(entry.label) + 18;
        if (x > kMarginPx && x + taken > width) {
            x = kMarginPx;
            y += line;
        }
        place(entry, x, y);
        x += taken;
    }
    return y + line + kMarginPx / 2;
}

} // namespace

struct TimelineExport::Areas {
    QRectF header;
    QRectF ruler;
    QRectF tree;
    QRectF canvas;
    QRectF legend;
};

TimelineExport::Areas TimelineExport::areasFor(QSizeF size) const
{
    const double text = std::ceil(QFontMetricsF(font).height());
    const double tree = std::min<double>(treeWidth, size.width() / 2);
    const double header = std::round(text * 2.2 + kMarginPx * 1.5);
    const double ruler = rulerHeight(font, viewState.stepProcess() != kNone);
    const double legend = legendHeight(size.width());
    const double rows = std::max(0.0, size.height() - header - ruler - legend);
    Areas areas;
    areas.header = {0, 0, size.width(), header};
    areas.ruler = {tree, header, size.width() - tree, ruler};
    areas.tree = {0, header + ruler, tree, rows};
    areas.canvas = {tree, header + ruler, size.width() - tree, rows};
    areas.legend = {0, header + ruler + rows, size.width(), legend};
    return areas;
}

double TimelineExport::legendHeight(double width) const
{
    return layOut(legendOf(*viewState.profile(), theme), QFontMetricsF(font), width,
                  [](const LegendEntry&, double, double) {});
}

int TimelineExport::fullHeight(double width) const
{
    const Areas areas = areasFor({width, 1e6});
    return static_cast<int>(areas.canvas.top() + layout.height() + areas.legend.height());
}

void TimelineExport::paint(QPainter& painter, QSizeF size) const
{
    painter.setFont(font);
    painter.fillRect(QRectF(QPointF(), size), theme.panel);
    if (!viewState.profile()) return;
    const Areas areas = areasFor(size);
    paintHeader(painter, areas);
    painter.fillRect(QRectF(0, areas.ruler.top(), areas.tree.width(), areas.ruler.height()), theme.panel);
    painter.fillRect(QRectF(0, areas.ruler.bottom() - 1, areas.tree.width(), 1), theme.separator);
    RulerInput ruler;
    ruler.profile = viewState.profile().get();
    ruler.theme = &theme;
    ruler.range = viewState.range();
    ruler.stepProcess = viewState.stepProcess();
    ruler.currentStep = viewState.currentStep();
    paintRuler(painter, areas.ruler, ruler);
    paintTree(painter, areas);
    paintCanvas(painter, areas);
    painter.fillRect(QRectF(areas.tree.right() - 1, areas.ruler.top(), 1, areas.ruler.height() + areas.tree.height()),
                     theme.separator);
    paintLegend(painter, areas);
}

void TimelineExport::paintHeader(QPainter& painter, const Areas& areas) const
{
    const Profile& profile = *viewState.profile();
    const QString file = QFileInfo(toQString(profile.path)).fileName();
    const TimeSpan range = viewState.range();
    const std::int64_t origin = profile.span.beginNs;
    const double text = std::ceil(QFontMetricsF(font).height());
    QFont bold = font;
    bold.setBold(true);
    if (font.pointSizeF() > 0) bold.setPointSizeF(font.pointSizeF() * 1.15);
    painter.setFont(bold);
    painter.setPen(theme.text);
    const QRectF first(kMarginPx, kMarginPx / 2, areas.header.width() - 2 * kMarginPx, std::round(text * 1.2));
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(bold).elidedText(title.isEmpty() ? file : title, Qt::ElideRight, first.width()));
    painter.setFont(font);
    painter.setPen(theme.textSecondary);
    QString details =
        QCoreApplication::translate("stepscope::TimelineExport", "%1 to %2 (%3)")
            .arg(toQString(formatExactTime(range.beginNs - origin)), toQString(formatExactTime(range.endNs - origin)),
                 toQString(formatDuration(range.lengthNs())));
    if (!title.isEmpty()) details.prepend(file + QStringLiteral(" · "));
    const QRectF second(kMarginPx, first.bottom() + 2, first.width(), text);
    painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(details, Qt::ElideMiddle, second.width()));
    painter.fillRect(QRectF(0, areas.header.bottom() - 1, areas.header.width(), 1), theme.separator);
}

void TimelineExport::paintTree(QPainter& painter, const Areas& areas) const
{
    painter.save();
    painter.setClipRect(areas.tree);
    const SliceId selection = viewState.selection();
    const auto selected = selection.valid() ? layout.rowOf(viewState.profile()->trackOf(selection)) : std::nullopt;
    const auto rows = layout.rows();
    for (std::size_t index = layout.firstRowBelow(scrollY); index < rows.size(); ++index) {
        const QRectF rect(0, areas.tree.top() + rows[index].y - scrollY, areas.tree.width(), rows[index].height);
        if (rect.top() >= areas.tree.bottom()) break;
        TreeRow row = treeRow(*viewState.profile(), rows[index], viewState.range());
        row.highlighted = selected == index;
        paintTreeRow(painter, rect, row, theme, areas.tree.top());
    }
    painter.restore();
}

void TimelineExport::paintCanvas(QPainter& painter, const Areas& areas) const
{
    TimelineScene scene(font);
    SceneInput input;
    input.profile = viewState.profile().get();
    input.layout = &layout;
    input.theme = &theme;
    input.range = viewState.range();
    input.selection = viewState.selection();
    input.stepProcess = viewState.stepProcess();
    input.size = areas.canvas.size();
    input.pixelRatio = pixelRatio;
    input.scrollY = scrollY;
    input.arrows = arrows;
    scene.build(input);
    painter.save();
    painter.setClipRect(areas.canvas);
    painter.fillRect(areas.canvas, theme.canvas);
    painter.translate(areas.canvas.topLeft());
    paintDrawList(painter, scene.drawList(), scene.fonts());
    painter.restore();
}

void TimelineExport::paintLegend(QPainter& painter, const Areas& areas) const
{
    painter.fillRect(areas.legend, theme.panel);
    painter.fillRect(QRectF(0, areas.legend.top(), areas.legend.width(), 1), theme.separator);
    const QFontMetricsF metrics(font);
    layOut(legendOf(*viewState.profile(), theme), metrics, areas.legend.width(),
           [&](const LegendEntry& entry, double x, double y) {
               const double line = std::ceil(metrics.height());
               const double top = areas.legend.top() + y;
               painter.fillRect(QRectF(x, std::round(top + (line - kSwatchPx) / 2), kSwatchPx, kSwatchPx),
                                entry.colour);
               painter.setPen(theme.text);
               painter.drawText(QRectF(x + kSwatchPx + 6, top, metrics.horizontalAdvance(entry.label) + 4, line),
                                Qt::AlignLeft | Qt::AlignVCenter, entry.label);
           });
}

} // namespace stepscope
