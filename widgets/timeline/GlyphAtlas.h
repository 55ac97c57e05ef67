// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/TextFit.h"

#include <QImage>
#include <QRect>

#include <unordered_map>

namespace stepscope
{

/// Pictures of characters, packed into one image (8 bits coverage a device pixel) that the graphics card keeps.
class GlyphAtlas
{
public:
    static constexpr int kSide = 1024;
    static constexpr int kPaddingPx = 2; ///< around a character, for what hangs over its advance

    struct Glyph {
        QRect cell;        ///< device px within the atlas; empty for blanks
        float advance = 0; ///< px
    };

    /// Forgets everything drawn for another font or resolution.
    void prepare(const CanvasFonts& fonts, double pixelRatio);
    /// The picture of a character, drawn on first use. When the atlas is full it starts anew and cleared() tells.
    [[nodiscard]] Glyph glyph(TextFont font, char32_t character);

    [[nodiscard]] const QImage& image() const { return m_image; }
    /// Rows of the image that changed since the last call.
    [[nodiscard]] QRect takeChanges();
    [[nodiscard]] int generation() const { return m_generation; }

private:
    Glyph draw(TextFont font, char32_t character);
    void clear();

    const CanvasFonts* m_fonts = nullptr;
    double m_pixelRatio = 0;
    QImage m_image;
    QPoint m_next;
    int m_rowHeight = 0;
    QRect m_changed;
    int m_generation = 0;
    std::unordered_map<std::uint64_t, Glyph> m_glyphs;
};

} // namespace stepscope
