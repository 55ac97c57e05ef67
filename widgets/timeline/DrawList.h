// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <QString>

#include <cstdint>
#include <vector>

namespace stepscope
{

/// Records of a picture, in device-independent px from the top left corner; colours are 0xAARRGGBB, not premultiplied.
struct RectRecord {
    float x = 0;
    float y = 0;
    float width = 0;
    float height = 0;
    QRgb colour = 0;
    float radius = 0; ///< of the corners; rectangles without it have whole device pixels as borders
};

struct LineRecord {
    float x1 = 0;
    float y1 = 0;
    float x2 = 0;
    float y2 = 0;
    QRgb colour = 0;
    float width = 1;
};

struct TriangleRecord {
    float x1 = 0;
    float y1 = 0;
    float x2 = 0;
    float y2 = 0;
    float x3 = 0;
    float y3 = 0;
    QRgb colour = 0;
};

enum class TextFont : std::uint8_t { Normal, Dense, Bold };
inline constexpr std::size_t kTextFontCount = 3;

struct TextRecord {
    float x = 0;
    float baseline = 0;
    QString text;
    QRgb colour = 0;
    TextFont font = TextFont::Normal;
};

/// Painted in this order: rectangles, lines, triangles, boxes behind texts, texts.
struct DrawLayer {
    std::vector<RectRecord> rects;
    std::vector<LineRecord> lines;
    std::vector<TriangleRecord> triangles;
    std::vector<RectRecord> pills;
    std::vector<TextRecord> texts;

    void clear()
    {
        rects.clear();
        lines.clear();
        triangles.clear();
        pills.clear();
        texts.clear();
    }
};

/// What a frame shows, in painting order of its layers.
struct DrawList {
    DrawLayer background; ///< rows, grid, graphs
    DrawLayer slices;
    DrawLayer marks;   ///< outlines on slices
    DrawLayer overlay; ///< arrows and their labels

    void clear()
    {
        background.clear();
        slices.clear();
        marks.clear();
        overlay.clear();
    }
};

} // namespace stepscope
