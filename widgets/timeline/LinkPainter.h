// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/DrawList.h"
#include "timeline/SceneInput.h"
#include "timeline/TextFit.h"

#include <QPointF>
#include <QRectF>

#include <array>
#include <span>
#include <vector>

namespace stepscope
{

/// A mark at the border of the canvas that points to what is out of view; a click goes there.
struct EdgeMarker {
    QRectF rect;
    SliceId target;
};

/// Paints the arrows of the selection: launch -> run, and the file's own flows.
class LinkPainter
{
public:
    /// Arrows drawn at most; the picture says so where there are more.
    static constexpr std::size_t kMostArrows = 500;

    explicit LinkPainter(const TextMeasure& measure) : m_measure(measure) {}

    void paint(const SceneFrame& frame, DrawLayer& layer);
    [[nodiscard]] const std::vector<EdgeMarker>& markers() const { return m_markers; }

private:
    enum class Side : std::uint8_t { Inside, Left, Right, Above, Below };
    struct Arrow {
        SliceId from;
        SliceId to;
        QRgb colour = 0;
        QString label;
        bool toFar = true; ///< the end that is not the selection is `to`
    };
    struct Point {
        float x = 0;
        float y = 0;
        Side side = Side::Inside;
    };
    struct Ends {
        Point from;
        Point to;
    };
    /// Targets beyond one border: one mark stands for all of them.
    struct Beyond {
        std::size_t count = 0;
        Point point;
        SliceId target;
        QString label;
        QRgb colour = 0;
    };

    void collect(const SceneFrame& frame);
    void collectFlows(const SceneFrame& frame);
    [[nodiscard]] Ends endsOf(const SceneFrame& frame, const Arrow& arrow) const;
    [[nodiscard]] static Side sideOf(const SceneFrame& frame, float x, float y);
    void paintArrow(const SceneFrame& frame, const Arrow& arrow, DrawLayer& layer);
    void paintCurve(const SceneFrame& frame, const Ends& ends, const Arrow& arrow, DrawLayer& layer);
    void paintFanLine(const Ends& ends, const Arrow& arrow, DrawLayer& layer);
    void paintFanLabel(const SceneFrame& frame, DrawLayer& layer);
    [[nodiscard]] bool isFan() const;
    /// A point of a cubic Bezier curve.
    [[nodiscard]] static QPointF pointOn(const std::array<QPointF, 4>& curve, double share);
    static void addCurve(const std::array<QPointF, 4>& curve, int segments, QRgb colour, float width, DrawLayer& layer);
    void paintMarker(const SceneFrame& frame, const Beyond& beyond, DrawLayer& layer);
    /// Paints a label centred at a point, kept inside the canvas; returns its rectangle, or none if it would cover
    /// another label.
    QRectF paintPill(const SceneFrame& frame, QPointF centre, const QString& text, QRgb border, DrawLayer& layer);

    const TextMeasure& m_measure;
    std::vector<Arrow> m_arrows;
    std::size_t m_arrowsInAll = 0;
    std::array<Beyond, 5> m_beyond;
    std::vector<EdgeMarker> m_markers;
    std::vector<QRectF> m_pills;
    std::size_t m_labelsLeft = 0;
    float m_lastFanX = 0;
};

} // namespace stepscope
