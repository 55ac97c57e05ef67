// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/TimelineScene.h"

#include <QStringList>

namespace stepscope
{

/// The lines of a tooltip for what lies at a point: the first is the headline. Empty beside everything.
[[nodiscard]] QStringList tooltipLines(const Profile& profile, const SceneHit& hit, std::int64_t atNs, TimeSpan pixel);

/// Appends a box with lines of text beside a point, kept inside the canvas.
void appendTooltip(const QStringList& lines, QPointF point, QSizeF canvas, const CanvasFonts& fonts, const Theme& theme,
                   DrawLayer& layer);

} // namespace stepscope
