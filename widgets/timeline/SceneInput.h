// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/LevelOfDetail.h"
#include "common/Theme.h"
#include "timeline/TrackLayout.h"

#include <QSizeF>

#include <cmath>

namespace stepscope
{

/// All that a frame depends on. Pointers are borrowed until the next frame, or until TimelineScene::clear().
struct SceneInput {
    const Profile* profile = nullptr;
    const TrackLayout* layout = nullptr;
    const Theme* theme = nullptr;
    TimeSpan range;
    SliceId selection;
    std::uint32_t stepProcess = kNone; ///< whose steps cut the canvas
    QSizeF size;                       ///< of the canvas, px
    double pixelRatio = 1;             ///< device pixels a px
    int scrollY = 0;
    bool arrows = true;
};

/// A frame's geometry, shared by all that paint into it. Columns are device pixels.
struct SceneFrame {
    const SceneInput& in;
    PixelGrid grid;
    std::size_t firstRow = 0; ///< layout rows in view: [firstRow, lastRow)
    std::size_t lastRow = 0;

    [[nodiscard]] float width() const { return static_cast<float>(in.size.width()); }
    [[nodiscard]] float height() const { return static_cast<float>(in.size.height()); }
    [[nodiscard]] float devicePx() const { return static_cast<float>(1 / in.pixelRatio); }
    /// A row's y on the canvas.
    [[nodiscard]] float canvasY(int layoutY) const { return static_cast<float>(layoutY - in.scrollY); }
    /// Place of a moment in px, not clamped but kept within what a float holds exactly.
    [[nodiscard]] float xOf(std::int64_t ns) const
    {
        return static_cast<float>(std::clamp(grid.xOf(ns), -1e6, 1e6) / in.pixelRatio);
    }
};

} // namespace stepscope
