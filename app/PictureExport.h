// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

namespace stepscope
{

class TimelinePane;

/// Draws the timeline as it is shown into a .png (twice the resolution), .svg or .pdf file. Returns what went wrong as
/// a sentence, or an empty text.
[[nodiscard]] QString writePicture(TimelinePane& timeline, QSize size, const QString& title, const QString& path);

} // namespace stepscope
