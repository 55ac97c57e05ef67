// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TimelineView.h"

#include "common/ViewState.h"
#include "timeline/HoverOverlay.h"
#include "timeline/Surfaces.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QNativeGestureEvent>

#include <cmath>

namespace stepscope
{

namespace
{

constexpr double kZoomPerNotch = 1.25;
constexpr double kPanPerNotch = 0.12;
constexpr int kLinesPerNotch = 3;
constexpr int kLinePx = 22;

/// Notches of the wheel along its main axis; Shift and Alt may turn it, depending on the platform.
double notches(const QWheelEvent& event)
{
    const QPoint delta = event.angleDelta();
    return (std::abs(delta.y()) >= std::abs(delta.x()) ? delta.y() : delta.x()) / 120.0;
}

} // namespace

TimelineView::TimelineView(ViewState& viewState, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_animator(viewState), m_scene(font())
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(120, 60);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Arrow keys walk the slices, W and S zoom, A and D move, J follows a link."));
    // Styles that switch animations off say so by their duration.
    if (style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0) m_animator.setDuration(0);
    // What the tooltip spoke of has moved away, or is in the details now.
    const auto moveOn = [this] {
        m_quiet = true;
        refresh();
    };
    connect(&viewState, &ViewState::rangeChanged, this, moveOn);
    connect(&viewState, &ViewState::selectionChanged, this, moveOn);
    connect(&viewState, &ViewState::stepChanged, this, &TimelineView::refresh);
    connect(&viewState, &ViewState::profileChanged, this, [this] {
        m_scene.clear();
        m_layout = nullptr;
        m_drag.reset();
        refresh();
    });
    makeSurface();
}

TimelineView::~TimelineView() = default;

void TimelineView::makeSurface()
{
    m_usesOpenGl = RendererGl::isAvailable();
    if (m_usesOpenGl) {
        auto* surface = new GlSurface(*this);
        connect(surface, &GlSurface::failed, this, &TimelineView::useRaster, Qt::QueuedConnection);
        m_surface = surface;
    } else {
        m_surface = new RasterSurface(*this);
    }
    m_surface->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_surface->setGeometry(rect());
    m_surface->show();
}

/// A driver that promises more than it holds must not leave the canvas blank.
void TimelineView::useRaster()
{
    m_surface->deleteLater();
    m_usesOpenGl = false;
    m_surface = new RasterSurface(*this);
    m_surface->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_surface->setGeometry(rect());
    m_surface->show();
}

void TimelineView::setTrackLayout(const TrackLayout* layout)
{
    m_layout = layout;
    refresh();
}

void TimelineView::setScrollY(int y)
{
    if (y == m_scrollY) return;
    m_scrollY = y;
    refresh();
}

void TimelineView::setArrowsShown(bool shown)
{
    m_arrows = shown;
    refresh();
}

void TimelineView::refresh()
{
    m_dirty = true;
    m_surface->update();
}

SceneInput TimelineView::sceneInput() const
{
    SceneInput input;
    input.profile = m_layout ? m_viewState.profile().get() : nullptr;
    input.layout = m_layout;
    input.theme = &Theme::current(this);
    input.range = m_viewState.range();
    input.selection = m_viewState.selection();
    input.stepProcess = m_viewState.stepProcess();
    input.size = size();
    input.pixelRatio = devicePixelRatioF();
    input.scrollY = m_scrollY;
    input.arrows = m_arrows;
    return input;
}

TimelineScene& TimelineView::scene()
{
    if (!m_dirty) return m_scene;
    m_dirty = false;
    QElapsedTimer timer;
    timer.start();
    m_scene.build(sceneInput());
    emit frameBuilt(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    return m_scene;
}

const DrawLayer& TimelineView::hoverLayer()
{
    m_hover.clear();
    const auto& profile = m_viewState.profile();
    if (!m_cursor || !profile || !m_layout) return m_hover;
    const Theme& theme = Theme::current(this);
    const auto px = static_cast<float>(1 / devicePixelRatioF());
    const auto x = static_cast<float>(std::floor(m_cursor->x()));
    m_hover.rects.push_back({x, 0, px, static_cast<float>(height()), theme.hairline.rgba()});
    if (m_drag && m_drag->moving) return m_hover;
    const SceneHit hit = scene().hitAt(*m_cursor);
    if (hit.slice.valid() && hit.slice != m_viewState.selection()) m_scene.appendOutline(hit.slice, false, m_hover);
    const TimeSpan pixel{timeAt(std::floor(m_cursor->x())), timeAt(std::floor(m_cursor->x()) + 1)};
    if (m_quiet) return m_hover;
    appendTooltip(tooltipLines(*profile, hit, timeAt(m_cursor->x()), pixel), *m_cursor, size(), m_scene.fonts(), theme,
                  m_hover);
    return m_hover;
}

QColor TimelineView::canvasColour() const { return Theme::current(this).canvas; }

std::int64_t TimelineView::timeAt(double x) const
{
    const TimeSpan range = m_viewState.range();
    return range.beginNs + std::llround(x / std::max(1, width()) * static_cast<double>(range.lengthNs()));
}

std::int64_t TimelineView::zoomCentreNs() const { return timeAt(m_cursor ? m_cursor->x() : width() / 2.0); }

bool TimelineView::event(QEvent* event)
{
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() != Qt::ZoomNativeGesture) return QWidget::event(event);
        m_animator.finish();
        m_viewState.zoomAround(timeAt(gesture->position().x()), 1 / std::max(0.1, 1 + gesture->value()));
        return true;
    }
    return QWidget::event(event);
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    m_surface->setGeometry(rect());
    refresh();
}

void TimelineView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) m_scene.setFont(font());
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) refresh();
    QWidget::changeEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    m_animator.finish();
    const double turned = notches(*event);
    const bool sideways = std::abs(event->angleDelta().x()) > std::abs(event->angleDelta().y());
    if (event->modifiers() & Qt::ControlModifier) {
        m_viewState.zoomAround(timeAt(event->position().x()), std::pow(kZoomPerNotch, -turned));
    } else if ((event->modifiers() & Qt::ShiftModifier) || sideways) {
        m_viewState.pan(-turned * kPanPerNotch);
    } else {
        const int pixels = event->pixelDelta().isNull()
                               ? static_cast<int>(std::lround(turned * kLinesPerNotch * kLinePx))
                               : event->pixelDelta().y();
        emit scrollRequested(m_scrollY - pixels);
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return event->ignore();
    m_animator.finish();
    m_drag = Drag{event->position(), m_viewState.range(), m_scrollY};
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    m_cursor = event->position();
    m_quiet = false;
    if (m_drag) drag(event->position());
    updateHover();
}

void TimelineView::drag(QPointF point)
{
    const QPointF moved = point - m_drag->from;
    if (!m_drag->moving && moved.manhattanLength() < QApplication::startDragDistance()) return;
    if (!m_drag->moving) setCursor(Qt::ClosedHandCursor);
    m_drag->moving = true;
    const TimeSpan range = m_drag->range;
    const auto shift = std::llround(-moved.x() / std::max(1, width()) * static_cast<double>(range.lengthNs()));
    m_viewState.setRange({range.beginNs + shift, range.endNs + shift});
    emit scrollRequested(m_drag->scrollY - static_cast<int>(std::lround(moved.y())));
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_drag) return;
    const bool moved = m_drag->moving;
    m_drag.reset();
    unsetCursor();
    if (!moved && event->button() == Qt::LeftButton) click(event->position());
    updateHover();
}

void TimelineView::click(QPointF point)
{
    const SceneHit hit = scene().hitAt(point);
    if (hit.markerTarget.valid()) {
        m_viewState.select(hit.markerTarget);
        m_viewState.reveal(hit.markerTarget);
    } else {
        m_viewState.select(hit.slice);
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_viewState.profile()) return;
    const SliceId slice = scene().hitAt(event->position()).slice;
    if (!slice.valid()) return;
    m_viewState.select(slice);
    m_viewState.zoomTo(m_viewState.profile()->sliceSpan(slice));
}

void TimelineView::leaveEvent(QEvent*)
{
    m_cursor.reset();
    updateHover();
}

void TimelineView::updateHover()
{
    emit cursorMoved(m_cursor ? m_cursor->x() : -1);
    m_surface->update();
}

} // namespace stepscope
