// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/Theme.h"
#include "timeline/TrackLayout.h"

#include <QFont>
#include <QSizeF>
#include <QString>

class QPainter;

namespace stepscope
{

class ViewState;

/// A picture of the timeline for a report: title, tree, ruler, rows, legend.
struct TimelineExport {
    const ViewState& viewState;
    const TrackLayout& layout;
    const Theme& theme;
    QFont font;
    QString title; ///< "": the profile's file name
    int scrollY = 0;
    int treeWidth = 300;
    bool arrows = true;
    double pixelRatio = 1;

    /// Paints onto [0, 0, size].
    void paint(QPainter& painter, QSizeF size) const;
    /// Height at which every row is shown.
    [[nodiscard]] int fullHeight(double width) const;

private:
    struct Areas;
    [[nodiscard]] Areas areasFor(QSizeF size) const;
    void paintHeader(QPainter& painter, const Areas& areas) const;
    void paintTree(QPainter& painter, const Areas& areas) const;
    void paintCanvas(QPainter& painter, const Areas& areas) const;
    void paintLegend(QPainter& painter, const Areas& areas) const;
    [[nodiscard]] double legendHeight(double width) const;
};

} // namespace stepscope
