// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/TrackLayout.h"

#include <QImage>
#include <QWidget>

class QLabel;
class QPainter;
class QScrollBar;
class QSplitter;

namespace stepscope
{

class RangeAnimator;
class Ruler;
class TimelineView;
class TrackTree;
class ViewState;

/// The whole timeline: ruler on top, tree of tracks at left, canvas at right, scrolled as one.
class TimelinePane : public QWidget
{
    Q_OBJECT
public:
    explicit TimelinePane(ViewState& viewState, QWidget* parent = nullptr);
    ~TimelinePane() override;

    [[nodiscard]] TimelineView& view() { return *m_view; }
    [[nodiscard]] TrackTree& tree() { return *m_tree; }
    [[nodiscard]] const TrackLayout& trackLayout() const { return m_layout; }
    [[nodiscard]] bool usesOpenGl() const;
    [[nodiscard]] int scrollY() const;
    [[nodiscard]] bool arrowsShown() const;

    /// The picture for a report: title, tree, ruler, rows from the current scroll position on, and the legend. Needs
    /// neither a screen nor OpenGL. `scale` is device pixels a px.
    [[nodiscard]] QImage renderToImage(QSize size, qreal scale, const QString& title = {});
    /// The same through any painter (SVG, PDF), onto [0, 0, size].
    void renderTo(QPainter& painter, QSizeF size, const QString& title = {});
    /// Height that shows every row, for renderToImage().
    [[nodiscard]] int fullHeight(const QString& title = {}) const;

public slots:
    void setScrollY(int y);
    void setArrowsShown(bool shown);
    /// Scrolls so that a slice's line is in view; does not change the time range.
    void scrollToSlice(stepscope::SliceId slice);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] int treeWidth() const;
    void buildWidgets();
    void connectState();
    void connectWidgets();
    void refreshProfile();
    void refreshLayout();
    void refreshTheme();
    void updateScrollRange();
    void updateRangeLabel();

    ViewState& m_viewState;
    TrackLayout m_layout;
    QSplitter* m_splitter = nullptr;
    QLabel* m_corner = nullptr;
    TrackTree* m_tree = nullptr;
    Ruler* m_ruler = nullptr;
    TimelineView* m_view = nullptr;
    QScrollBar* m_scrollBar = nullptr;
};

} // namespace stepscope
