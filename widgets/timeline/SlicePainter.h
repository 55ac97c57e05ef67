// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/DrawList.h"
#include "timeline/SceneInput.h"
#include "timeline/SliceColours.h"
#include "timeline/TextFit.h"

#include <unordered_map>
#include <vector>

namespace stepscope
{

/// Paints lines of slices: wide ones with their names, narrower ones merged by pixel column.
class SlicePainter
{
public:
    SlicePainter(const SliceColours& colours, const CanvasFonts& fonts, LabelCache& labels, LabelCache& denseLabels)
        : m_colours(colours), m_fonts(fonts), m_labels(labels), m_denseLabels(denseLabels)
    {
    }

    /// All lines of a layout row that are in view.
    void paintRow(const SceneFrame& frame, const LayoutRow& row, DrawList& list);

    /// Names that slices have on step rows, by slice id: "step_41" for whatever the file calls it.
    using StepNames = std::unordered_map<std::uint32_t, QString>;
    void setStepNames(const StepNames& names) { m_stepNames = &names; }

private:
    /// Where a line stands, and how far it is painted: [0, nextColumn) device pixels.
    struct Line {
        const RowView& view;
        float y = 0;
        float height = 0;
        std::int64_t nextColumn = 0;
        bool lastWasWide = false;
    };
    void paintLine(const SceneFrame& frame, Line& line, DrawList& list);
    void paintColumn(const SceneFrame& frame, Line& line, const LodItem& item, DrawList& list);
    void paintWide(const SceneFrame& frame, Line& line, const LodItem& item, DrawList& list);
    void paintLabel(const SceneFrame& frame, const Line& line, SliceId slice, float begin, float end, DrawList& list);

    const SliceColours& m_colours;
    const CanvasFonts& m_fonts;
    LabelCache& m_labels;
    LabelCache& m_denseLabels;
    std::vector<LodItem> m_items;
    StringId m_sameName; ///< of the selection: others of that name are underlined
    QRgb m_sameNameColour = 0;
    const StepNames* m_stepNames = nullptr;
    bool m_stepRow = false;
};

} // namespace stepscope
