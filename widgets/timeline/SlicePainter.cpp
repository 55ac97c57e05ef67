// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/SlicePainter.h"

#include <algorithm>
#include <cmath>

namespace stepscope
{

namespace
{

constexpr float kNarrowestLabelPx = 28;
constexpr float kLabelPaddingPx = 4;
constexpr std::int64_t kNarrowestWithGap = 3; ///< device px
constexpr float kDenseBelowPx = 15;

} // namespace

void SlicePainter::paintRow(const SceneFrame& frame, const LayoutRow& row, DrawList& list)
{
    const Profile& profile = *frame.in.profile;
    const Track& track = profile.track(row.track);
    QColor mark = frame.in.theme->selection;
    mark.setAlpha(160);
    m_sameNameColour = mark.rgba();
    m_stepRow = track.kind == TrackKind::Steps;
    m_sameName = frame.in.selection.valid() ? profile.slices.name[frame.in.selection.value] : StringId{};
    for (int index = 0; index < row.lines; ++index) {
        const float y = frame.canvasY(row.lineY(static_cast<std::uint32_t>(index)));
        if (y + static_cast<float>(row.lineHeight) <= 0) continue;
        if (y >= frame.height()) break;
        const RowView view = profile.row(track.firstRow + static_cast<std::uint32_t>(index));
        Line line{view, y, static_cast<float>(row.lineHeight - 1)};
        paintLine(frame, line, list);
    }
}

void SlicePainter::paintLine(const SceneFrame& frame, Line& line, DrawList& list)
{
    m_items.clear();
    appendVisible(line.view, frame.grid, m_items);
    for (const LodItem& item : m_items) {
        if (item.column) paintColumn(frame, line, item, list);
        else paintWide(frame, line, item, list);
    }
}

void SlicePainter::paintColumn(const SceneFrame& frame, Line& line, const LodItem& item, DrawList& list)
{
    const std::int64_t column = item.pixel;
    const float px = frame.devicePx();
    auto& rects = list.slices.rects;
    if (column < line.nextColumn) {
        // Rounded, the slice before reaches into this column. It gives way if something of it is left.
        if (!line.lastWasWide || rects.back().width < 2 * px) return;
        rects.back().width = static_cast<float>(column) * px - rects.back().x;
        if (rects.back().width < px) rects.back().width = px;
    }
    const SliceId slice = line.view.id(item.index);
    const double lengthNs = static_cast<double>(std::max<std::int64_t>(1, item.endNs - item.beginNs));
    const QRgb colour =
        m_colours.column(frame.in.profile->slices.kind[slice.value], static_cast<double>(item.coveredNs) / lengthNs);
    const float x = static_cast<float>(column) * px;
    const bool continues = !line.lastWasWide && line.nextColumn == column && column > 0 && !rects.empty() &&
                           rects.back().colour == colour && rects.back().y == line.y;
    if (continues) rects.back().width += px;
    else rects.push_back({x, line.y, px, line.height, colour});
    line.nextColumn = column + 1;
    line.lastWasWide = false;
}

void SlicePainter::paintWide(const SceneFrame& frame, Line& line, const LodItem& item, DrawList& list)
{
    const auto lastColumn = static_cast<double>(frame.grid.widthPx() + 2);
    const auto column = [&](std::int64_t ns) { return std::llround(std::clamp(frame.grid.xOf(ns), -2.0, lastColumn)); };
    const std::int64_t begin = std::max<std::int64_t>(column(item.beginNs), line.nextColumn);
    const std::int64_t end = std::max<std::int64_t>(column(item.endNs), begin + 1);
    line.nextColumn = end;
    line.lastWasWide = true;
    const float px = frame.devicePx();
    const std::int64_t gap = end - begin >= kNarrowestWithGap ? 1 : 0;
    const float x = static_cast<float>(begin) * px;
    const float right = static_cast<float>(end - gap) * px;
    const SliceId slice = line.view.id(item.index);
    const SliceColumns& slices = frame.in.profile->slices;
    const StringId name = slices.name[slice.value];
    list.slices.rects.push_back({x, line.y, right - x, line.height, m_colours.fill(slices.kind[slice.value], name)});
    if (name == m_sameName && slice != frame.in.selection)
        list.marks.rects.push_back({x, line.y + line.height - 2, right - x, 2, m_sameNameColour});
    const float visibleBegin = std::max(0.0f, x);
    const float visibleEnd = std::min(frame.width(), right);
    if (visibleEnd - visibleBegin >= kNarrowestLabelPx) paintLabel(frame, line, slice, visibleBegin, visibleEnd, list);
}

void SlicePainter::paintLabel(const SceneFrame& frame, const Line& line, SliceId slice, float begin, float end,
                              DrawList& list)
{
    const bool dense = line.height < kDenseBelowPx;
    const TextFont font = dense ? TextFont::Dense : TextFont::Normal;
    const SliceColumns& slices = frame.in.profile->slices;
    const StringId name = slices.name[slice.value];
    const float room = end - begin - 2 * kLabelPaddingPx;
    const auto& fitted = (dense ? m_denseLabels : m_labels).fit(name, frame.in.profile->strings.view(name), room);
    QString text = fitted.text;
    float width = fitted.width;
    if (m_stepRow && m_stepNames)
        if (const auto step = m_stepNames->find(slice.value); step != m_stepNames->end()) {
            text = m_fonts[font].elided(step->second, room);
            width = m_fonts[font].width(text);
        }
    if (text.isEmpty()) return;
    const float x = std::round(begin + kLabelPaddingPx + (room - width) / 2);
    list.slices.texts.push_back({x, m_fonts[font].centredBaseline(line.y, line.height), text,
                                 m_colours.text(slices.kind[slice.value], name), font});
}

} // namespace stepscope
