// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/RangeAnimator.h"
#include "timeline/TimelineScene.h"

#include <QWidget>

#include <optional>

namespace stepscope
{

class ViewState;

/// The canvas: turns mouse and wheel into changes of the view state, and frames of the scene into pixels, through
/// OpenGL where there is a good enough one. It never decides about the vertical position: it asks for it.
class TimelineView : public QWidget
{
    Q_OBJECT
public:
    explicit TimelineView(ViewState& viewState, QWidget* parent = nullptr);
    ~TimelineView() override;

    [[nodiscard]] bool usesOpenGl() const { return m_usesOpenGl; }
    /// Null: nothing to show. Borrowed until the next call.
    void setTrackLayout(const TrackLayout* layout);
    void setScrollY(int y);
    [[nodiscard]] int scrollY() const { return m_scrollY; }
    void setArrowsShown(bool shown);
    [[nodiscard]] bool arrowsShown() const { return m_arrows; }

    [[nodiscard]] RangeAnimator& animator() { return m_animator; }
    [[nodiscard]] const TrackLayout* trackLayout() const { return m_layout; }
    /// The scene as it is to be shown now; built if something changed since.
    [[nodiscard]] TimelineScene& scene();
    /// What lies above the scene: hair line, outline of the slice under the cursor, tooltip.
    [[nodiscard]] const DrawLayer& hoverLayer();
    [[nodiscard]] QColor canvasColour() const;
    /// The moment that zooming by keys keeps in place: under the cursor, else the centre.
    [[nodiscard]] std::int64_t zoomCentreNs() const;
    [[nodiscard]] std::int64_t timeAt(double x) const;

public slots:
    void refresh(); ///< the scene has to be built anew

signals:
    void scrollRequested(int y);
    void cursorMoved(double x); ///< negative: it left
    void frameBuilt(double milliseconds);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void makeSurface();
    void useRaster();
    [[nodiscard]] SceneInput sceneInput() const;
    void updateHover();
    void click(QPointF point);
    void drag(QPointF point);

    struct Drag {
        QPointF from;
        TimeSpan range;
        int scrollY = 0;
        bool moving = false;
    };

    ViewState& m_viewState;
    RangeAnimator m_animator;
    TimelineScene m_scene;
    DrawLayer m_hover;
    QWidget* m_surface = nullptr;
    const TrackLayout* m_layout = nullptr;
    std::optional<QPointF> m_cursor;
    bool m_quiet = false; ///< no tooltip until the mouse moves
    std::optional<Drag> m_drag;
    int m_scrollY = 0;
    bool m_arrows = true;
    bool m_usesOpenGl = false;
    bool m_dirty = true;
};

} // namespace stepscope
