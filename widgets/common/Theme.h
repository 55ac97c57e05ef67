// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/SliceKind.h"

#include <QColor>

#include <array>

class QPalette;
class QWidget;

namespace stepscope
{

/// All colours and measures of the timeline and the panels. Plain value; lengths in device-independent px.
struct Theme {
    bool dark = false;

    QColor window;       ///< behind everything
    QColor panel;        ///< tree, ruler, details
    QColor canvas;       ///< behind slices
    QColor heading;      ///< rows of the tree's headings
    QColor rowHighlight; ///< row of the selection
    QColor separator;    ///< between rows and panels
    QColor grid;         ///< ruler lines through the canvas
    QColor stepBorder;
    QColor stepBand; ///< every other step in the ruler
    QColor text;
    QColor textSecondary;
    QColor textDisabled;
    QColor accent; ///< focus, current item
    QColor onAccent;
    QColor selection;    ///< outline of the selected slice
    QColor selectionGap; ///< thin line inside that outline
    QColor link;         ///< launch -> run; nothing else is cyan
    QColor flow;         ///< arrows of the file's own
    QColor utilisation;
    QColor utilisationFill;
    QColor counter;
    QColor counterFill;
    QColor hairline; ///< under the cursor
    QColor pill;
    QColor pillText;
    QColor tooltip;
    QColor tooltipText;
    QColor warning; ///< outliers, data loss; readable as text on `panel`
    std::array<QColor, kSliceKindCount> kinds;

    int spacing = 4;
    int margin = 8;
    int pillRadius = 4;
    double smallFontScale = 0.9; ///< of the widget's font: pills, ruler, slices

    [[nodiscard]] QColor kindColour(SliceKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }

    [[nodiscard]] static const Theme& lightTheme();
    [[nodiscard]] static const Theme& darkTheme();
    /// The one that suits a palette: dark where text is lighter than what is behind it.
    [[nodiscard]] static const Theme& forPalette(const QPalette& palette);
    [[nodiscard]] static const Theme& current(const QWidget* widget);
};

/// Contrast ratio of two opaque colours, 1 to 21, as WCAG 2 defines it.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);
/// Black or white, whichever is easier to read on a fill. At least 4.5 : 1 on every colour.
[[nodiscard]] QColor textOn(const QColor& fill);
/// `over` at `opacity` (0 to 1) on top of `under`, both opaque.
[[nodiscard]] QColor blended(const QColor& under, const QColor& over, double opacity);

} // namespace stepscope
