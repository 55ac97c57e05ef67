// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/LinkPainter.h"

#include "analysis/LinkQuery.h"
#include "common/Text.h"
#include "core/Format.h"
#include "timeline/SlicePlaces.h"

#include <algorithm>
#include <cmath>

namespace stepscope
{

namespace
{

constexpr float kArrowWidthPx = 1.75f;
constexpr float kHaloWidthPx = 4.0f;
constexpr float kHeadLengthPx = 8;
constexpr float kHeadHalfPx = 4.5f;
constexpr float kEdgePx = 10;
constexpr std::size_t kMostLabels = 12;
/// More arrows than this are drawn as a fan: thin, translucent, one a pixel, so that one still sees what they cover.
constexpr std::size_t kFan = 24;
constexpr int kFanOpacity = 110;

QString latencyText(std::int64_t latencyNs)
{
    const QString text = toQString(formatDuration(latencyNs, 3));
    return latencyNs >= 0 ? QLatin1Char('+') + text : text;
}

QRgb withAlpha(const QColor& colour, int alpha) { return qRgba(colour.red(), colour.green(), colour.blue(), alpha); }

} // namespace

void LinkPainter::paint(const SceneFrame& frame, DrawLayer& layer)
{
    m_arrows.clear();
    m_markers.clear();
    m_pills.clear();
    m_beyond = {};
    m_labelsLeft = kMostLabels;
    m_arrowsInAll = 0;
    if (!frame.in.arrows || !frame.in.selection.valid()) return;
    m_lastFanX = -1e9f;
    collect(frame);
    for (const Arrow& arrow : m_arrows) paintArrow(frame, arrow, layer);
    if (isFan()) paintFanLabel(frame, layer);
    for (const Beyond& beyond : m_beyond)
        if (beyond.count > 0) paintMarker(frame, beyond, layer);
    if (m_arrowsInAll > m_arrows.size()) {
        const QString note = toQString(formatCount(m_arrows.size()) + " of " + formatCount(m_arrowsInAll) + " arrows");
        paintPill(frame, {frame.in.size.width(), frame.in.size.height()}, note, frame.in.theme->link.rgb(), layer);
    }
}

void LinkPainter::collect(const SceneFrame& frame)
{
    const Profile& profile = *frame.in.profile;
    const SliceId selection = frame.in.selection;
    const QRgb link = frame.in.theme->link.rgb();
    const auto add = [&](SliceId launch, SliceId run, bool toFar) {
        m_arrows.push_back({launch, run, link, latencyText(launchLatencyNs(profile, launch, run)), toFar});
    };
    const auto runs = runsOf(profile, selection);
    m_arrowsInAll = runs.size();
    for (const SliceId run : runs.first(std::min(runs.size(), kMostArrows))) add(selection, run, true);
    if (const SliceId launch = launchOf(profile, selection); launch.valid()) {
        ++m_arrowsInAll;
        add(launch, selection, false);
    }
    collectFlows(frame);
}

bool LinkPainter::isFan() const { return m_arrows.size() > kFan; }

/// One label for the whole fan: how many runs, and the least and greatest latency.
void LinkPainter::paintFanLabel(const SceneFrame& frame, DrawLayer& layer)
{
    const Profile& profile = *frame.in.profile;
    const auto runs = runsOf(profile, frame.in.selection);
    const auto place = bestPlace(frame.in, frame.in.selection);
    if (runs.empty() || !place) return;
    std::int64_t least = INT64_MAX;
    std::int64_t greatest = INT64_MIN;
    for (const SliceId run : runs) {
        const std::int64_t latency = launchLatencyNs(profile, frame.in.selection, run);
        least = std::min(least, latency);
        greatest = std::max(greatest, latency);
    }
    const QString text = QStringLiteral("%1 runs, %2 to %3")
                             .arg(toQString(formatCount(runs.size())), latencyText(least), latencyText(greatest));
    const float x = frame.xOf(profile.slices.startNs[frame.in.selection.value]);
    const float y = frame.canvasY(place->y + place->height);
    paintPill(frame, {std::clamp(x, 0.0f, frame.width()) + m_measure.width(text) / 2 + 10.0, y + 16.0}, text,
              frame.in.theme->link.rgb(), layer);
}

void LinkPainter::collectFlows(const SceneFrame& frame)
{
    const Profile& profile = *frame.in.profile;
    const SliceId selection = frame.in.selection;
    const QRgb colour = frame.in.theme->flow.rgb();
    const auto add = [&](const Flow& flow, bool toFar) {
        ++m_arrowsInAll;
        if (m_arrows.size() < kMostArrows)
            m_arrows.push_back({flow.from, flow.to, colour, toQString(profile.strings.view(flow.category)), toFar});
    };
    const auto byFrom = std::lower_bound(profile.flows.begin(), profile.flows.end(), selection,
                                         [](const Flow& flow, SliceId id) { return flow.from < id; });
    for (auto flow = byFrom; flow != profile.flows.end() && flow->from == selection; ++flow) add(*flow, true);
    const auto byTo = std::lower_bound(profile.flowsByTo.begin(), profile.flowsByTo.end(), selection,
                                       [&](std::uint32_t index, SliceId id) { return profile.flows[index].to < id; });
    for (auto at = byTo; at != profile.flowsByTo.end() && profile.flows[*at].to == selection; ++at)
        add(profile.flows[*at], false);
}

LinkPainter::Side LinkPainter::sideOf(const SceneFrame& frame, float x, float y)
{
    if (x < 0) return Side::Left;
    if (x > frame.width()) return Side::Right;
    if (y < 0) return Side::Above;
    return y > frame.height() ? Side::Below : Side::Inside;
}

LinkPainter::Ends LinkPainter::endsOf(const SceneFrame& frame, const Arrow& arrow) const
{
    const Profile& profile = *frame.in.profile;
    const SlicePlace from = bestPlace(frame.in, arrow.from).value_or(SlicePlace());
    const SlicePlace to = bestPlace(frame.in, arrow.to).value_or(SlicePlace());
    Ends ends;
    // From start to start: the arrow's width on the time axis is the latency that its label tells.
    ends.from.x = frame.xOf(profile.slices.startNs[arrow.from.value]);
    ends.to.x = frame.xOf(profile.slices.startNs[arrow.to.value]);
    const float fromMiddle = frame.canvasY(from.y) + static_cast<float>(from.height) / 2;
    ends.to.y = frame.canvasY(to.y) + static_cast<float>(to.height) / 2;
    // A fan ends at the edge of the runs, not in front of them, where it would hide their neighbours.
    if (isFan()) ends.to.y += (ends.to.y > fromMiddle ? -0.5f : 0.5f) * static_cast<float>(to.height);
    const float half = from.layoutRow == to.layoutRow && from.y == to.y ? 0 : static_cast<float>(from.height) / 2;
    ends.from.y = fromMiddle + (ends.to.y > fromMiddle ? half : -half);
    for (Point* point : {&ends.from, &ends.to}) {
        point->side = sideOf(frame, point->x, point->y);
        if (point->side == Side::Inside) continue;
        point->x = std::clamp(point->x, kEdgePx, std::max(kEdgePx, frame.width() - kEdgePx));
        point->y = std::clamp(point->y, kEdgePx, std::max(kEdgePx, frame.height() - kEdgePx));
    }
    return ends;
}

void LinkPainter::paintArrow(const SceneFrame& frame, const Arrow& arrow, DrawLayer& layer)
{
    const Ends ends = endsOf(frame, arrow);
    const Point& far = arrow.toFar ? ends.to : ends.from;
    const Point& near = arrow.toFar ? ends.from : ends.to;
    if (far.side != Side::Inside) {
        Beyond& beyond = m_beyond[static_cast<std::size_t>(far.side)];
        if (beyond.count++ > 0) return;
        beyond.point = far;
        beyond.target = arrow.toFar ? arrow.to : arrow.from;
        beyond.label = arrow.label;
        beyond.colour = arrow.colour;
        // With both ends beyond the canvas there is nothing between them to draw.
        if (near.side != Side::Inside) return;
    }
    paintCurve(frame, ends, arrow, layer);
}

void LinkPainter::paintCurve(const SceneFrame& frame, const Ends& ends, const Arrow& arrow, DrawLayer& layer)
{
    if (isFan()) return paintFanLine(ends, arrow, layer);
    const Point& a = ends.from;
    const bool headInside = ends.to.side == Side::Inside;
    const Point b{ends.to.x - (headInside ? kHeadLengthPx - 1 : 0), ends.to.y, ends.to.side};
    const float reach = std::clamp(std::abs(b.x - a.x) / 2, 14.0f, 90.0f);
    // Leaves upwards or downwards, arrives along the time axis.
    const float bend = (b.y - a.y) * 0.6f;
    const std::array<QPointF, 4> curve = {QPointF(a.x, a.y), QPointF(a.x, a.y + bend), QPointF(b.x - reach, b.y),
                                          QPointF(b.x, b.y)};
    addCurve(curve, 24, withAlpha(frame.in.theme->canvas, 190), kHaloWidthPx, layer);
    addCurve(curve, 24, arrow.colour, kArrowWidthPx, layer);
    if (headInside)
        layer.triangles.push_back({ends.to.x, b.y, ends.to.x - kHeadLengthPx, b.y - kHeadHalfPx,
                                   ends.to.x - kHeadLengthPx, b.y + kHeadHalfPx, arrow.colour});
    if (a.side == Side::Inside)
        layer.triangles.push_back({a.x - 3, a.y, a.x + 3, a.y, a.x, a.y + (b.y > a.y ? 4.0f : -4.0f), arrow.colour});
    const bool bothInside = headInside && a.side == Side::Inside;
    if (bothInside && m_labelsLeft > 0 && !arrow.label.isEmpty()) {
        --m_labelsLeft;
        paintPill(frame, pointOn(curve, 0.5), arrow.label, arrow.colour, layer);
    }
}

void LinkPainter::paintFanLine(const Ends& ends, const Arrow& arrow, DrawLayer& layer)
{
    const float farX = arrow.toFar ? ends.to.x : ends.from.x;
    if (std::abs(farX - m_lastFanX) < 2) return;
    m_lastFanX = farX;
    const Point& a = ends.from;
    const Point& b = ends.to;
    const float middle = (a.y + b.y) / 2;
    const std::array<QPointF, 4> curve = {QPointF(a.x, a.y), QPointF(a.x, middle), QPointF(b.x, middle),
                                          QPointF(b.x, b.y)};
    const QRgb colour = withAlpha(QColor(arrow.colour), kFanOpacity);
    addCurve(curve, 16, colour, 1, layer);
    const float up = b.y < a.y ? 5.0f : -5.0f;
    if (b.side == Side::Inside)
        layer.triangles.push_back({b.x, b.y, b.x - 2.5f, b.y + up, b.x + 2.5f, b.y + up, arrow.colour});
}

QPointF LinkPainter::pointOn(const std::array<QPointF, 4>& curve, double share)
{
    const double rest = 1 - share;
    return curve[0] * (rest * rest * rest) + curve[1] * (3 * rest * rest * share) +
           curve[2] * (3 * rest * share * share) + curve[3] * (share * share * share);
}

void LinkPainter::addCurve(const std::array<QPointF, 4>& curve, int segments, QRgb colour, float width,
                           DrawLayer& layer)
{
    QPointF last = curve[0];
    for (int segment = 1; segment <= segments; ++segment) {
        const QPointF next = pointOn(curve, static_cast<double>(segment) / segments);
        layer.lines.push_back({static_cast<float>(last.x()), static_cast<float>(last.y()), static_cast<float>(next.x()),
                               static_cast<float>(next.y()), colour, width});
        last = next;
    }
}

void LinkPainter::paintMarker(const SceneFrame& frame, const Beyond& beyond, DrawLayer& layer)
{
    const Point& p = beyond.point;
    const auto triangle = [&](float dx, float dy) {
        const float tipX = p.x + dx * (kEdgePx - 2);
        const float tipY = p.y + dy * (kEdgePx - 2);
        const float baseX = tipX - dx * 10;
        const float baseY = tipY - dy * 10;
        layer.triangles.push_back(
            {tipX, tipY, baseX - dy * 6, baseY - dx * 6, baseX + dy * 6, baseY + dx * 6, beyond.colour});
    };
    QString text = beyond.label;
    if (beyond.count > 1) text += QStringLiteral(" · %1 in all").arg(beyond.count);
    const float half = m_measure.width(text) / 2 + 8;
    QPointF centre(p.x, p.y);
    switch (beyond.point.side) {
    case Side::Left:
        triangle(-1, 0);
        centre.rx() += kEdgePx + half;
        break;
    case Side::Right:
        triangle(1, 0);
        centre.rx() -= kEdgePx + half;
        break;
    case Side::Above:
        triangle(0, -1);
        centre.ry() += kEdgePx + 12;
        break;
    default:
        triangle(0, 1);
        centre.ry() -= kEdgePx + 12;
        break;
    }
    const QRectF pill = paintPill(frame, centre, text, beyond.colour, layer);
    const QRectF tip(p.x - kEdgePx, p.y - kEdgePx, 2 * kEdgePx, 2 * kEdgePx);
    m_markers.push_back({pill.isEmpty() ? tip : tip.united(pill), beyond.target});
}

QRectF LinkPainter::paintPill(const SceneFrame& frame, QPointF centre, const QString& text, QRgb border,
                              DrawLayer& layer)
{
    const double width = std::ceil(m_measure.width(text)) + 12;
    const double height = std::ceil(m_measure.ascent() + m_measure.descent()) + 3;
    QRectF rect(std::round(centre.x() - width / 2), std::round(centre.y() - height / 2), width, height);
    rect.moveLeft(std::max(2.0, std::min(rect.left(), frame.in.size.width() - width - 2)));
    rect.moveTop(std::max(2.0, std::min(rect.top(), frame.in.size.height() - height - 2)));
    for (const QRectF& other : m_pills)
        if (other.intersects(rect)) return {};
    m_pills.push_back(rect);
    const auto x = static_cast<float>(rect.x());
    const auto y = static_cast<float>(rect.y());
    const auto w = static_cast<float>(width);
    const auto h = static_cast<float>(height);
    // Behind the text record of this layer, but above all lines: texts and their boxes are painted last.
    layer.pills.push_back({x, y, w, h, border, 5});
    layer.pills.push_back({x + 1, y + 1, w - 2, h - 2, frame.in.theme->canvas.rgb(), 4});
    layer.texts.push_back({x + 6, m_measure.centredBaseline(y, h), text, frame.in.theme->text.rgb(), TextFont::Normal});
    return rect;
}

} // namespace stepscope
