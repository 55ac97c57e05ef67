// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/GlyphAtlas.h"

#include <QPainter>

#include <cmath>

namespace stepscope
{

void GlyphAtlas::prepare(const CanvasFonts& fonts, double pixelRatio)
{
    if (m_fonts == &fonts && std::abs(m_pixelRatio - pixelRatio) < 1e-9) return;
    m_fonts = &fonts;
    m_pixelRatio = pixelRatio;
    clear();
}

void GlyphAtlas::clear()
{
    m_image = QImage(kSide, kSide, QImage::Format_Grayscale8);
    m_image.fill(0);
    m_glyphs.clear();
    m_next = {};
    m_rowHeight = 0;
    m_changed = m_image.rect();
    ++m_generation;
}

GlyphAtlas::Glyph GlyphAtlas::glyph(TextFont font, char32_t character)
{
    const std::uint64_t key = static_cast<std::uint64_t>(font) << 32 | character;
    const auto known = m_glyphs.find(key);
    if (known != m_glyphs.end()) return known->second;
    const Glyph glyph = draw(font, character);
    m_glyphs.emplace(key, glyph);
    return glyph;
}

GlyphAtlas::Glyph GlyphAtlas::draw(TextFont font, char32_t character)
{
    const TextMeasure& measure = (*m_fonts)[font];
    Glyph glyph;
    glyph.advance = measure.advance(character);
    if (character == U' ' || character == 0xa0) return glyph;
    const auto devicePx = [&](float px) { return static_cast<int>(std::ceil(static_cast<double>(px) * m_pixelRatio)); };
    const QSize size(std::min(kSide, devicePx(glyph.advance + 2 * kPaddingPx)),
                     std::min(kSide, devicePx(std::ceil(measure.ascent()) + measure.descent() + 2 * kPaddingPx)));
    if (m_next.x() + size.width() > kSide) m_next = {0, m_next.y() + m_rowHeight};
    if (m_next.x() == 0) m_rowHeight = 0;
    if (m_next.y() + size.height() > kSide) clear();
    m_rowHeight = std::max(m_rowHeight, size.height());

    QImage picture(size, QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(m_pixelRatio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setFont(measure.font());
    painter.setPen(Qt::white);
    painter.drawText(QPointF(kPaddingPx, kPaddingPx + std::ceil(measure.ascent())), QString::fromUcs4(&character, 1));
    painter.end();
    for (int y = 0; y < size.height(); ++y) {
        const auto* from = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        uchar* to = m_image.scanLine(m_next.y() + y) + m_next.x();
        for (int x = 0; x < size.width(); ++x) to[x] = static_cast<uchar>(qAlpha(from[x]));
    }
    glyph.cell = QRect(m_next, size);
    m_changed = m_changed.united(glyph.cell);
    m_next.rx() += size.width();
    return glyph;
}

QRect GlyphAtlas::takeChanges()
{
    const QRect changed = m_changed;
    m_changed = {};
    return changed;
}

} // namespace stepscope
