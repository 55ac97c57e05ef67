// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/DrawList.h"
#include "timeline/GraphPainter.h"
#include "timeline/LinkPainter.h"
#include "timeline/SceneInput.h"
#include "timeline/SliceColours.h"
#include "timeline/TextFit.h"

#include <QFont>
#include <QPointF>
#include <QRectF>

#include <memory>
#include <optional>
#include <unordered_map>

namespace stepscope
{

/// What lies at a point of the canvas.
struct SceneHit {
    TrackId track;           ///< of the row; none below the last
    SliceId slice;           ///< the longest of the pixel's slices; none beside slices
    std::uint32_t count = 0; ///< slices merged there
    double coverage = 0;     ///< share of the pixel that they cover, where they are merged
    SliceId markerTarget;    ///< of an edge marker: where a click goes
};

/// Turns what is shown into a list of rectangles, lines and texts. Same input, same list. Needs no widget and no
/// OpenGL. Time depends on rows in view and pixels, not on slices. Keeps its buffers from frame to frame.
class TimelineScene
{
public:
    explicit TimelineScene(const QFont& font);
    ~TimelineScene();

    void setFont(const QFont& font);
    [[nodiscard]] const CanvasFonts& fonts() const;

    /// The pointers of `input` are kept until the next call.
    const DrawList& build(const SceneInput& input);
    [[nodiscard]] const DrawList& drawList() const { return m_list; }
    /// Forgets the profile.
    void clear();

    /// Of the frame built last.
    [[nodiscard]] SceneHit hitAt(QPointF point) const;
    [[nodiscard]] SliceId sliceAt(QPointF point) const { return hitAt(point).slice; }
    /// Where a slice is drawn, clipped to the canvas; none if it is not. The first of several.
    [[nodiscard]] std::optional<QRectF> rectOf(SliceId slice) const;
    /// Outline of a slice wherever it is shown, for selection and hover. `strong` draws it even if it has no width.
    void appendOutline(SliceId slice, bool strong, DrawLayer& layer) const;

private:
    struct TextState;
    void adoptProfile(const Profile& profile);
    void paintRows(const SceneFrame& frame);
    void paintRowBackground(const SceneFrame& frame, const LayoutRow& row, bool selected);
    void paintGrid(const SceneFrame& frame);
    void paintSteps(const SceneFrame& frame);
    [[nodiscard]] SceneFrame frameOf(const SceneInput& input) const;
    [[nodiscard]] SceneHit hitInLine(const SceneFrame& frame, std::uint32_t row, double x) const;
    [[nodiscard]] QRectF boxOf(const SceneFrame& frame, SliceId slice, int y, int height, float leastWidth) const;

    SceneInput m_input;
    DrawList m_list;
    const Theme* m_coloursOf = nullptr;
    std::unique_ptr<SliceColours> m_colours;
    std::unique_ptr<TextState> m_text;
    GraphPainter m_graphs;
    const Profile* m_labelsOf = nullptr;
    std::unordered_map<std::uint32_t, QString> m_stepNames; ///< by slice id
    mutable std::vector<LodItem> m_hitItems;
};

} // namespace stepscope
