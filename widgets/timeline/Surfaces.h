// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/RendererGl.h"

#include <QOpenGLWidget>

namespace stepscope
{

class TimelineView;

/// Shows the frames of a view through OpenGL.
class GlSurface : public QOpenGLWidget
{
    Q_OBJECT
public:
    explicit GlSurface(TimelineView& view);
    ~GlSurface() override;

signals:
    void failed(); ///< the context turned out not to be usable

protected:
    void initializeGL() override;
    void paintGL() override;

private:
    TimelineView& m_view;
    RendererGl m_renderer;
};

/// Shows the frames of a view through QPainter.
class RasterSurface : public QWidget
{
    Q_OBJECT
public:
    explicit RasterSurface(TimelineView& view);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TimelineView& m_view;
};

} // namespace stepscope
