// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/Surfaces.h"

#include "timeline/RendererRaster.h"
#include "timeline/TimelineView.h"

#include <QOpenGLContext>
#include <QPainter>

#include <array>

namespace stepscope
{

GlSurface::GlSurface(TimelineView& view) : QOpenGLWidget(&view), m_view(view)
{
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    setFormat(format);
}

GlSurface::~GlSurface()
{
    makeCurrent();
    m_renderer.release();
    doneCurrent();
}

void GlSurface::initializeGL()
{
    // Called again when the widget moves to another window; what belonged to the old context goes with it.
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] {
        makeCurrent();
        m_renderer.release();
        doneCurrent();
    });
    if (!m_renderer.initialise()) emit failed();
}

void GlSurface::paintGL()
{
    const DrawList& list = m_view.scene().drawList();
    const std::array<const DrawLayer*, 5> layers = {&list.background, &list.slices, &list.marks, &list.overlay,
                                                    &m_view.hoverLayer()};
    m_renderer.draw(layers, m_view.scene().fonts(), size(), devicePixelRatioF(), m_view.canvasColour());
}

RasterSurface::RasterSurface(TimelineView& view) : QWidget(&view), m_view(view)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void RasterSurface::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_view.canvasColour());
    paintDrawList(painter, m_view.scene().drawList(), m_view.scene().fonts());
    paintLayer(painter, m_view.hoverLayer(), m_view.scene().fonts());
}

} // namespace stepscope
