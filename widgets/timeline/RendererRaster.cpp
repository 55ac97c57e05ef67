// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/RendererRaster.h"

#include <QPainter>

namespace stepscope
{

namespace
{

void paintRects(QPainter& painter, const std::vector<RectRecord>& rects)
{
    for (const RectRecord& rect : rects) {
        const QRectF box(rect.x, rect.y, rect.width, rect.height);
        const QColor colour = QColor::fromRgba(rect.colour);
        if (rect.radius <= 0) {
            painter.fillRect(box, colour);
            continue;
        }
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(box, rect.radius, rect.radius);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

void paintShapes(QPainter& painter, const DrawLayer& layer)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const LineRecord& line : layer.lines) {
        painter.setPen(QPen(QColor::fromRgba(line.colour), line.width, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(line.x1, line.y1), QPointF(line.x2, line.y2));
    }
    painter.setPen(Qt::NoPen);
    for (const TriangleRecord& triangle : layer.triangles) {
        const QPointF corners[] = {{triangle.x1, triangle.y1}, {triangle.x2, triangle.y2}, {triangle.x3, triangle.y3}};
        painter.setBrush(QColor::fromRgba(triangle.colour));
        painter.drawConvexPolygon(corners, 3);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

void paintLayer(QPainter& painter, const DrawLayer& layer, const CanvasFonts& fonts)
{
    paintRects(painter, layer.rects);
    paintShapes(painter, layer);
    paintRects(painter, layer.pills);
    const TextFont none{kTextFontCount};
    TextFont current = none;
    for (const TextRecord& text : layer.texts) {
        if (text.font != current) painter.setFont(fonts[text.font].font());
        current = text.font;
        painter.setPen(QColor::fromRgba(text.colour));
        painter.drawText(QPointF(text.x, text.baseline), text.text);
    }
}

void paintDrawList(QPainter& painter, const DrawList& list, const CanvasFonts& fonts)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintLayer(painter, list.background, fonts);
    paintLayer(painter, list.slices, fonts);
    paintLayer(painter, list.marks, fonts);
    paintLayer(painter, list.overlay, fonts);
    painter.restore();
}

} // namespace stepscope
