// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/TrackLayout.h"

#include <QTreeView>

namespace stepscope
{

class TrackTreeModel;
class ViewState;

/// The tree at left of the canvas. Its rows are exactly as high as those of the layout; the pane scrolls both.
class TrackTree : public QTreeView
{
    Q_OBJECT
public:
    explicit TrackTree(ViewState& viewState, QWidget* parent = nullptr);

    /// Takes expansion and heights from a layout of the view state's profile. The layout must outlive its use here.
    void applyLayout(const TrackLayout& layout);
    void setProfile();
    [[nodiscard]] const TrackLayout* trackLayout() const { return m_layout; }
    [[nodiscard]] TrackTreeModel& trackModel() { return *m_model; }
    [[nodiscard]] ViewState& viewState() { return m_viewState; }

signals:
    /// A key that is the timeline's rather than the tree's.
    void keyForTimeline(QKeyEvent* event);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void keyboardSearch(const QString& text) override;
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;
    void wheelEvent(QWheelEvent* event) override;

private:
    ViewState& m_viewState;
    TrackTreeModel* m_model;
    const TrackLayout* m_layout = nullptr;
    bool m_applying = false;
};

} // namespace stepscope
