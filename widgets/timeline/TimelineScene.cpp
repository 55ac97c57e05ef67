// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TimelineScene.h"

#include "common/Text.h"
#include "timeline/SlicePainter.h"
#include "timeline/SlicePlaces.h"
#include "timeline/TimeTicks.h"

#include <algorithm>
#include <cmath>

namespace stepscope
{

namespace
{

constexpr double kGrabPx = 2; ///< narrow slices may be missed by this much
constexpr float kClosestStepsPx = 4;

} // namespace

/// All that depends on the font.
struct TimelineScene::TextState {
    explicit TextState(const QFont& font)
        : fonts(font), labels(fonts[TextFont::Normal]), denseLabels(fonts[TextFont::Dense]),
          links(fonts[TextFont::Normal])
    {
    }
    CanvasFonts fonts;
    LabelCache labels;
    LabelCache denseLabels;
    LinkPainter links;
};

TimelineScene::TimelineScene(const QFont& font) : m_text(std::make_unique<TextState>(font)) {}
TimelineScene::~TimelineScene() = default;

void TimelineScene::setFont(const QFont& font) { m_text = std::make_unique<TextState>(font); }
const CanvasFonts& TimelineScene::fonts() const { return m_text->fonts; }

void TimelineScene::clear()
{
    m_input = {};
    m_list.clear();
    m_labelsOf = nullptr;
    m_graphs = {};
}

SceneFrame TimelineScene::frameOf(const SceneInput& input) const
{
    const auto columns = static_cast<int>(std::lround(input.size.width() * input.pixelRatio));
    SceneFrame frame{input, PixelGrid(input.range, columns)};
    const auto rows = input.layout->rows();
    frame.firstRow = input.layout->firstRowBelow(input.scrollY);
    frame.lastRow = frame.firstRow;
    const double bottom = input.scrollY + input.size.height();
    while (frame.lastRow < rows.size() && rows[frame.lastRow].y < bottom) ++frame.lastRow;
    return frame;
}

const DrawList& TimelineScene::build(const SceneInput& input)
{
    m_input = input;
    m_list.clear();
    if (!input.profile || !input.layout || !input.theme || input.range.empty()) return m_list;
    if (m_coloursOf != input.theme) m_colours = std::make_unique<SliceColours>(*input.theme);
    m_coloursOf = input.theme;
    if (m_labelsOf != input.profile) adoptProfile(*input.profile);
    const SceneFrame frame = frameOf(m_input);
    paintRows(frame);
    if (input.selection.valid()) appendOutline(input.selection, true, m_list.marks);
    m_text->links.paint(frame, m_list.overlay);
    return m_list;
}

void TimelineScene::adoptProfile(const Profile& profile)
{
    m_labelsOf = &profile;
    m_text->labels.clear();
    m_text->denseLabels.clear();
    m_stepNames.clear();
    for (const Step& step : profile.steps) m_stepNames.emplace(step.slice.value, toQString(step.name()));
}

void TimelineScene::paintRows(const SceneFrame& frame)
{
    std::optional<std::size_t> selectedRow;
    if (m_input.selection.valid())
        if (const auto place = bestPlace(m_input, m_input.selection)) selectedRow = place->layoutRow;
    const auto rows = m_input.layout->rows();
    for (std::size_t index = frame.firstRow; index < frame.lastRow; ++index)
        paintRowBackground(frame, rows[index], index == selectedRow);
    paintGrid(frame);
    paintSteps(frame);
    m_graphs.prepare(frame);
    SlicePainter slices(*m_colours, m_text->fonts, m_text->labels, m_text->denseLabels);
    slices.setStepNames(m_stepNames);
    for (std::size_t index = frame.firstRow; index < frame.lastRow; ++index) {
        if (rows[index].body == RowBody::Slices) slices.paintRow(frame, rows[index], m_list);
        else m_graphs.paintRow(frame, rows[index], m_list);
    }
}

void TimelineScene::paintRowBackground(const SceneFrame& frame, const LayoutRow& row, bool selected)
{
    const float y = frame.canvasY(row.y);
    const auto height = static_cast<float>(row.height);
    auto& rects = m_list.background.rects;
    const Theme& theme = *m_input.theme;
    if (selected) rects.push_back({0, y, frame.width(), height, blended(theme.canvas, theme.rowHighlight, 0.5).rgb()});
    else if (row.body == RowBody::Summary) rects.push_back({0, y, frame.width(), height, theme.heading.rgb()});
    rects.push_back({0, y + height - 1, frame.width(), 1, theme.separator.rgb()});
}

void TimelineScene::paintGrid(const SceneFrame& frame)
{
    const float px = frame.devicePx();
    const auto ticks = timeTicks(m_input.range, m_input.size.width(), 110, m_input.profile->span.beginNs);
    for (const std::int64_t time : ticks.timesNs) {
        const float x = std::round(frame.xOf(time) / px) * px;
        m_list.background.rects.push_back({x, 0, px, frame.height(), m_input.theme->grid.rgb()});
    }
}

void TimelineScene::paintSteps(const SceneFrame& frame)
{
    const float px = frame.devicePx();
    float lastX = -2 * kClosestStepsPx;
    for (const Step& step : m_input.profile->steps) {
        if (step.process != m_input.stepProcess) continue;
        for (const std::int64_t time : {step.host.beginNs, step.host.endNs}) {
            const float x = std::round(frame.xOf(time) / px) * px;
            if (x < 0 || x >= frame.width() || x - lastX < kClosestStepsPx) continue;
            m_list.background.rects.push_back({x, 0, px, frame.height(), m_input.theme->stepBorder.rgb()});
            lastX = x;
        }
    }
}

QRectF TimelineScene::boxOf(const SceneFrame& frame, SliceId slice, int y, int height, float leastWidth) const
{
    const TimeSpan span = m_input.profile->sliceSpan(slice);
    const float px = frame.devicePx();
    const auto snapped = [&](std::int64_t ns) {
        return std::round(std::clamp(frame.xOf(ns), -9.0f, frame.width() + 9) / px) * px;
    };
    float begin = snapped(span.beginNs);
    float end = std::max(begin, snapped(span.endNs) - px);
    if (end - begin < leastWidth) {
        begin = std::floor((begin + end - leastWidth) / 2 / px) * px;
        end = begin + leastWidth;
    }
    return {begin, frame.canvasY(y), end - begin, static_cast<double>(height)};
}

void TimelineScene::appendOutline(SliceId slice, bool strong, DrawLayer& layer) const
{
    if (!m_input.profile || !slice.valid()) return;
    const SceneFrame frame = frameOf(m_input);
    const TimeSpan span = m_input.profile->sliceSpan(slice);
    if (span.beginNs > m_input.range.endNs || span.endNs < m_input.range.beginNs) return;
    const Theme& theme = *m_input.theme;
    const SliceKind kind = m_input.profile->slices.kind[slice.value];
    for (const SlicePlace& place : placesOf(*m_input.profile, *m_input.layout, slice)) {
        if (place.hidden) continue;
        const QRectF box = boxOf(frame, slice, place.y, place.height, 3);
        const auto x = static_cast<float>(box.x());
        const auto y = static_cast<float>(box.y());
        const auto w = static_cast<float>(box.width());
        const auto h = static_cast<float>(box.height());
        if (y + h < 0 || y > frame.height()) continue;
        const float line = strong ? 2 : 1;
        const auto addFrame = [&](float grow, float thickness, QRgb colour) {
            const float left = x - grow;
            const float top = y - grow;
            const float width = w + 2 * grow;
            const float height = h + 2 * grow;
            layer.rects.push_back({left, top, width, thickness, colour});
            layer.rects.push_back({left, top + height - thickness, width, thickness, colour});
            layer.rects.push_back({left, top + thickness, thickness, height - 2 * thickness, colour});
            layer.rects.push_back(
                {left + width - thickness, top + thickness, thickness, height - 2 * thickness, colour});
        };
        if (strong && w <= 3) layer.rects.push_back({x, y, w, h, theme.kindColour(kind).rgb()});
        addFrame(strong ? line : 0, line, theme.selection.rgb());
        if (strong && w > 8) addFrame(0, 1, theme.selectionGap.rgb());
    }
}

std::optional<QRectF> TimelineScene::rectOf(SliceId slice) const
{
    if (!m_input.profile || !slice.valid()) return std::nullopt;
    const auto place = bestPlace(m_input, slice);
    if (!place || place->hidden) return std::nullopt;
    const SceneFrame frame = frameOf(m_input);
    const QRectF canvas(QPointF(0, 0), m_input.size);
    const QRectF box = boxOf(frame, slice, place->y, place->height, 1).intersected(canvas);
    return box.isEmpty() ? std::nullopt : std::optional(box);
}

SceneHit TimelineScene::hitAt(QPointF point) const
{
    SceneHit hit;
    if (!m_input.profile) return hit;
    for (const EdgeMarker& marker : m_text->links.markers())
        if (marker.rect.contains(point)) hit.markerTarget = marker.target;
    const double y = point.y() + m_input.scrollY;
    const auto index = m_input.layout->rowAt(y);
    if (!index || point.y() < 0 || point.y() >= m_input.size.height()) return hit;
    const LayoutRow& row = m_input.layout->rows()[*index];
    hit.track = row.track;
    if (row.body != RowBody::Slices) return hit;
    const int line = static_cast<int>(std::floor(y)) - row.y - row.padding;
    if (line < 0 || line / row.lineHeight >= row.lines) return hit;
    const Track& track = m_input.profile->track(row.track);
    const auto lineRow = track.firstRow + static_cast<std::uint32_t>(line / row.lineHeight);
    const SceneHit found = hitInLine(frameOf(m_input), lineRow, point.x());
    hit.slice = found.slice;
    hit.count = found.count;
    hit.coverage = found.coverage;
    return hit;
}

SceneHit TimelineScene::hitInLine(const SceneFrame& frame, std::uint32_t row, double x) const
{
    SceneHit hit;
    m_hitItems.clear();
    const RowView view = m_input.profile->row(row);
    appendVisible(view, frame.grid, m_hitItems);
    const double at = x * m_input.pixelRatio;
    double closest = kGrabPx * m_input.pixelRatio;
    for (const LodItem& item : m_hitItems) {
        const double begin = std::floor(frame.grid.xOf(item.beginNs) + (item.column ? 1e-6 : 0.5));
        const double end = item.column ? begin + 1 : std::max(begin + 1, std::floor(frame.grid.xOf(item.endNs) + 0.5));
        const double distance = at < begin ? begin - at : at >= end ? at - end + 1e-9 : -1;
        if (distance >= closest) continue;
        closest = distance;
        hit.slice = view.id(item.index);
        hit.count = item.count;
        hit.coverage = item.column ? static_cast<double>(item.coveredNs) /
                                         static_cast<double>(std::max<std::int64_t>(1, item.endNs - item.beginNs))
                                   : 1;
        if (distance < 0) break;
    }
    return hit;
}

} // namespace stepscope
