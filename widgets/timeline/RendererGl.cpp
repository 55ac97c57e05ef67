// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/RendererGl.h"

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions_3_3_Core>
#include <QOpenGLVersionFunctionsFactory>
#include <QSurfaceFormat>

#include <algorithm>
#include <cmath>
#include <cstddef>

/// Resources of a static library are only linked in when they are asked for; the macro wants the global namespace.
static void initialiseShaders() { Q_INIT_RESOURCE(stepscope_shaders); }

namespace stepscope
{

namespace
{

QSurfaceFormat coreFormat()
{
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    return format;
}

bool canMakeContext()
{
    if (qEnvironmentVariableIntValue("STEPSCOPE_NO_GL") != 0) return false;
    QOpenGLContext context;
    context.setFormat(coreFormat());
    if (!context.create()) return false;
    QOffscreenSurface surface;
    surface.setFormat(context.format());
    surface.create();
    if (!surface.isValid() || !context.makeCurrent(&surface)) return false;
    const bool works = QOpenGLVersionFunctionsFactory::get<QOpenGLFunctions_3_3_Core>(&context) != nullptr;
    context.doneCurrent();
    return works;
}

} // namespace

RendererGl::RendererGl() = default;
RendererGl::~RendererGl() = default;

bool RendererGl::isAvailable()
{
    static const bool available = canMakeContext();
    return available;
}

bool RendererGl::initialise()
{
    m_gl = QOpenGLVersionFunctionsFactory::get<QOpenGLFunctions_3_3_Core>(QOpenGLContext::currentContext());
    if (!m_gl || !m_gl->initializeOpenGLFunctions()) return false;
    initialiseShaders();
    m_program = std::make_unique<QOpenGLShaderProgram>();
    const QString folder = QStringLiteral(":/stepscope/shaders/");
    if (!m_program->addShaderFromSourceFile(QOpenGLShader::Vertex, folder + QStringLiteral("timeline.vert")) ||
        !m_program->addShaderFromSourceFile(QOpenGLShader::Fragment, folder + QStringLiteral("timeline.frag")) ||
        !m_program->link())
        return false;
    m_arrays.create();
    m_arrays.bind();
    m_buffer.create();
    m_buffer.setUsagePattern(QOpenGLBuffer::StreamDraw);
    m_buffer.bind();
    const auto attribute = [this](unsigned index, int size, unsigned type, bool normalised, std::size_t offset) {
        m_gl->glEnableVertexAttribArray(index);
        m_gl->glVertexAttribPointer(index, size, type, normalised ? GL_TRUE : GL_FALSE, sizeof(Instance),
                                    reinterpret_cast<const void*>(offset));
        m_gl->glVertexAttribDivisor(index, 1);
    };
    attribute(0, 4, GL_FLOAT, false, offsetof(Instance, a));
    attribute(1, 4, GL_FLOAT, false, offsetof(Instance, b));
    attribute(2, 4, GL_UNSIGNED_BYTE, true, offsetof(Instance, colour));
    attribute(3, 1, GL_FLOAT, false, offsetof(Instance, shape));
    m_arrays.release();
    m_buffer.release();
    m_gl->glGenTextures(1, &m_texture);
    return true;
}

void RendererGl::release()
{
    if (!m_gl) return;
    m_gl->glDeleteTextures(1, &m_texture);
    m_buffer.destroy();
    m_arrays.destroy();
    m_program.reset();
    m_gl = nullptr;
}

void RendererGl::draw(std::span<const DrawLayer* const> layers, const CanvasFonts& fonts, QSizeF size,
                      double pixelRatio, const QColor& canvas)
{
    if (!m_gl) return;
    m_pixelRatio = pixelRatio;
    m_fonts = &fonts;
    m_atlas.prepare(fonts, pixelRatio);
    // Should the atlas start anew in the middle of a frame, the characters before that are collected again.
    for (int attempt = 0; attempt < 2; ++attempt) {
        const int generation = m_atlas.generation();
        m_instances.clear();
        for (const DrawLayer* layer : layers) collect(*layer);
        if (m_atlas.generation() == generation) break;
    }
    m_gl->glViewport(0, 0, static_cast<int>(std::lround(size.width() * pixelRatio)),
                     static_cast<int>(std::lround(size.height() * pixelRatio)));
    m_gl->glClearColor(canvas.redF(), canvas.greenF(), canvas.blueF(), 1);
    m_gl->glClear(GL_COLOR_BUFFER_BIT);
    m_gl->glDisable(GL_DEPTH_TEST);
    m_gl->glEnable(GL_BLEND);
    m_gl->glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    m_gl->glActiveTexture(GL_TEXTURE0);
    m_gl->glBindTexture(GL_TEXTURE_2D, m_texture);
    uploadAtlas();
    m_program->bind();
    m_program->setUniformValue("viewport", QSizeF(size));
    m_program->setUniformValue("pixelRatio", static_cast<float>(pixelRatio));
    m_program->setUniformValue("atlas", 0);
    m_arrays.bind();
    m_buffer.bind();
    m_buffer.allocate(m_instances.data(), static_cast<int>(m_instances.size() * sizeof(Instance)));
    m_gl->glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<int>(m_instances.size()));
    m_buffer.release();
    m_arrays.release();
    m_program->release();
    m_gl->glBindTexture(GL_TEXTURE_2D, 0);
}

void RendererGl::uploadAtlas()
{
    const QRect changed = m_atlas.takeChanges();
    if (changed.isEmpty()) return;
    const QImage& image = m_atlas.image();
    m_gl->glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    if (changed == image.rect()) {
        m_gl->glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, image.width(), image.height(), 0, GL_RED, GL_UNSIGNED_BYTE,
                           image.constBits());
        m_gl->glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        m_gl->glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    } else {
        m_gl->glTexSubImage2D(GL_TEXTURE_2D, 0, 0, changed.top(), image.width(), changed.height(), GL_RED,
                              GL_UNSIGNED_BYTE, image.constScanLine(changed.top()));
    }
    m_gl->glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

RendererGl::Instance& RendererGl::add(Shape shape, QRgb colour)
{
    Instance& instance = m_instances.emplace_back();
    instance.colour[0] = static_cast<std::uint8_t>(qRed(colour));
    instance.colour[1] = static_cast<std::uint8_t>(qGreen(colour));
    instance.colour[2] = static_cast<std::uint8_t>(qBlue(colour));
    instance.colour[3] = static_cast<std::uint8_t>(qAlpha(colour));
    instance.shape = static_cast<float>(shape);
    return instance;
}

void RendererGl::addRects(const std::vector<RectRecord>& rects)
{
    for (const RectRecord& rect : rects) {
        Instance& instance = add(rect.radius > 0 ? kRounded : kRect, rect.colour);
        const float a[] = {rect.x, rect.y, rect.width, rect.height};
        std::copy(std::begin(a), std::end(a), instance.a);
        instance.b[0] = rect.radius;
    }
}

void RendererGl::collect(const DrawLayer& layer)
{
    addRects(layer.rects);
    for (const LineRecord& line : layer.lines) {
        Instance& instance = add(kLine, line.colour);
        const float a[] = {line.x1, line.y1, line.x2, line.y2};
        std::copy(std::begin(a), std::end(a), instance.a);
        instance.b[0] = line.width;
    }
    for (const TriangleRecord& triangle : layer.triangles) {
        Instance& instance = add(kTriangle, triangle.colour);
        const float a[] = {triangle.x1, triangle.y1, triangle.x2, triangle.y2};
        std::copy(std::begin(a), std::end(a), instance.a);
        instance.b[0] = triangle.x3;
        instance.b[1] = triangle.y3;
    }
    addRects(layer.pills);
    for (const TextRecord& text : layer.texts) addText(text);
}

void RendererGl::addText(const TextRecord& text)
{
    const auto snapped = [this](float px) {
        return static_cast<float>(std::round(static_cast<double>(px) * m_pixelRatio) / m_pixelRatio);
    };
    const float ascent = std::ceil((*m_fonts)[text.font].ascent());
    const float top = snapped(text.baseline) - ascent - GlyphAtlas::kPaddingPx;
    float x = text.x;
    for (qsizetype at = 0; at < text.text.size(); ++at) {
        const QChar unit = text.text[at];
        char32_t character = unit.unicode();
        if (unit.isHighSurrogate() && at + 1 < text.text.size())
            character = QChar::surrogateToUcs4(unit, text.text[++at]);
        const GlyphAtlas::Glyph glyph = m_atlas.glyph(text.font, character);
        if (!glyph.cell.isEmpty()) {
            Instance& instance = add(kGlyph, text.colour);
            const float a[] = {snapped(x) - GlyphAtlas::kPaddingPx, top,
                               static_cast<float>(glyph.cell.width() / m_pixelRatio),
                               static_cast<float>(glyph.cell.height() / m_pixelRatio)};
            std::copy(std::begin(a), std::end(a), instance.a);
            instance.b[0] = static_cast<float>(glyph.cell.x());
            instance.b[1] = static_cast<float>(glyph.cell.y());
        }
        x += glyph.advance;
    }
}

} // namespace stepscope
