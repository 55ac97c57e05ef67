// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/DrawList.h"
#include "timeline/TextFit.h"

class QPainter;

namespace stepscope
{

/// Paints through QPainter: for machines without OpenGL, for export and for tests.
void paintLayer(QPainter& painter, const DrawLayer& layer, const CanvasFonts& fonts);
void paintDrawList(QPainter& painter, const DrawList& list, const CanvasFonts& fonts);

} // namespace stepscope
