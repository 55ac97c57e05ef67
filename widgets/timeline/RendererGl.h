// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/DrawList.h"
#include "timeline/GlyphAtlas.h"

#include <QColor>
#include <QOpenGLBuffer>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QSizeF>

#include <memory>
#include <span>
#include <vector>

class QOpenGLFunctions_3_3_Core;

namespace stepscope
{

/// Paints with OpenGL 3.3: all shapes and characters of a frame are instances of one quad, drawn by one call.
/// Its functions need the context current; release() before the context goes.
class RendererGl
{
public:
    RendererGl();
    ~RendererGl();
    RendererGl(const RendererGl&) = delete;
    RendererGl& operator=(const RendererGl&) = delete;

    /// True if a context of the version that this needs can be made here. Asked once, then remembered.
    [[nodiscard]] static bool isAvailable();

    [[nodiscard]] bool initialise();
    /// Paints the layers over a clear canvas of this size in px.
    void draw(std::span<const DrawLayer* const> layers, const CanvasFonts& fonts, QSizeF size, double pixelRatio,
              const QColor& canvas);
    void release();

private:
    struct Instance {
        float a[4];
        float b[4];
        std::uint8_t colour[4];
        float shape;
    };
    enum Shape : std::uint8_t { kRect, kRounded, kLine, kTriangle, kGlyph };

    void collect(const DrawLayer& layer);
    void addRects(const std::vector<RectRecord>& rects);
    void addText(const TextRecord& text);
    Instance& add(Shape shape, QRgb colour);
    void uploadAtlas();

    QOpenGLFunctions_3_3_Core* m_gl = nullptr;
    std::unique_ptr<QOpenGLShaderProgram> m_program;
    QOpenGLBuffer m_buffer{QOpenGLBuffer::VertexBuffer};
    QOpenGLVertexArrayObject m_arrays;
    unsigned m_texture = 0;
    GlyphAtlas m_atlas;
    const CanvasFonts* m_fonts = nullptr; ///< of the frame being drawn
    std::vector<Instance> m_instances;
    double m_pixelRatio = 1;
};

} // namespace stepscope
