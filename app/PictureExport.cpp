// SPDX-License-Identifier: GPL-3.0-or-later
#include "PictureExport.h"

#include "timeline/TimelinePane.h"

#include <QCoreApplication>
#include <QFile>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace stepscope
{

namespace
{

QString tr(const char* text) { return QCoreApplication::translate("PictureExport", text); }

constexpr qreal kPngScale = 2;
constexpr int kPdfDotsPerInch = 96; // one px of the screen is one unit of the page

bool writeSvg(TimelinePane& timeline, QSize size, const QString& title, const QString& path)
{
    QSvgGenerator svg;
    svg.setFileName(path);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(), size));
    svg.setTitle(title);
    QPainter painter;
    if (!painter.begin(&svg)) return false;
    timeline.renderTo(painter, size, title);
    return painter.end();
}

bool writePdf(TimelinePane& timeline, QSize size, const QString& title, const QString& path)
{
    QPdfWriter pdf(path);
    pdf.setTitle(title);
    pdf.setResolution(kPdfDotsPerInch);
    pdf.setPageMargins({});
    pdf.setPageSize(QPageSize(QSizeF(size) * 72.0 / kPdfDotsPerInch, QPageSize::Point));
    QPainter painter;
    if (!painter.begin(&pdf)) return false;
    timeline.renderTo(painter, size, title);
    return painter.end();
}

} // namespace

QString writePicture(TimelinePane& timeline, QSize size, const QString& title, const QString& path)
{
    bool written = false;
    if (path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
        written = timeline.renderToImage(size, kPngScale, title).save(path, "PNG");
    else if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) written = writeSvg(timeline, size, title, path);
    else if (path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) written = writePdf(timeline, size, title, path);
    else return tr("The name of the picture must end in .png, .svg or .pdf.");
    return written ? QString() : tr("The picture cannot be written to \"%1\".").arg(path);
}

} // namespace stepscope
