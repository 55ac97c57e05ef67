// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/SliceColours.h"

namespace stepscope
{

namespace
{

/// Opacity of what hardly covers its column. Colours drown in a dark canvas earlier than in a light one.
constexpr double kFaintestOnLight = 0.4;
constexpr double kFaintestOnDark = 0.5;
constexpr std::array<double, SliceColours::kShades> kShifts = {0.0, 0.10, -0.08, 0.18};

QColor shaded(const QColor& colour, double shift)
{
    return shift >= 0 ? blended(colour, Qt::white, shift) : blended(colour, Qt::black, -shift);
}

} // namespace

SliceColours::SliceColours(const Theme& theme)
{
    for (std::size_t kind = 0; kind < kSliceKindCount; ++kind) {
        const QColor base = theme.kinds[kind];
        for (std::size_t shade = 0; shade < kShades; ++shade) {
            const QColor fill = shaded(base, kShifts[shade]);
            m_fills[kind][shade] = fill.rgb();
            m_texts[kind][shade] = textOn(fill).rgb();
        }
        for (std::size_t level = 0; level < kLevels; ++level) {
            const double coverage = static_cast<double>(level) / (kLevels - 1);
            const double faintest = theme.dark ? kFaintestOnDark : kFaintestOnLight;
            const double opacity = faintest + (1 - faintest) * coverage;
            // Mixed here rather than by the renderer: slices stay opaque, and neighbours of one look merge.
            m_columns[kind][level] = blended(theme.canvas, base, opacity).rgb();
        }
    }
}

} // namespace stepscope
