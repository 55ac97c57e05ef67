// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TrackTree.h"

#include "common/ViewState.h"
#include "timeline/TrackTreeModel.h"
#include "timeline/TreeRow.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

namespace stepscope
{

namespace
{

class TrackDelegate : public QStyledItemDelegate
{
public:
    explicit TrackDelegate(TrackTree& tree) : QStyledItemDelegate(&tree), m_tree(tree) {}

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        const LayoutRow* row = rowOf(index);
        return {80, row ? row->height : 20};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const LayoutRow* row = rowOf(index);
        const auto& profile = m_tree.viewState().profile();
        if (!row || !profile) return;
        TreeRow text = treeRow(*profile, *row, m_tree.viewState().range());
        const SliceId selection = m_tree.viewState().selection();
        if (selection.valid()) {
            const auto shown = m_tree.trackLayout()->rowOf(profile->trackOf(selection));
            text.highlighted = shown && m_tree.trackLayout()->rows()[*shown].track == row->track;
        }
        text.focused = m_tree.hasFocus() && m_tree.currentIndex() == index;
        painter->save();
        painter->setFont(option.font);
        // From the very left: indentation and arrow are part of the row's picture.
        const QRectF whole(0, option.rect.top(), option.rect.right() + 1, option.rect.height());
        paintTreeRow(*painter, whole, text, Theme::current(&m_tree), 0);
        painter->restore();
    }

private:
    [[nodiscard]] const LayoutRow* rowOf(const QModelIndex& index) const
    {
        const TrackLayout* layout = m_tree.trackLayout();
        if (!layout) return nullptr;
        const TrackId track = m_tree.trackModel().trackOf(index);
        const auto row = layout->rowOf(track);
        return row && layout->rows()[*row].track == track ? &layout->rows()[*row] : nullptr;
    }

    TrackTree& m_tree;
};

} // namespace

TrackTree::TrackTree(ViewState& viewState, QWidget* parent)
    : QTreeView(parent), m_viewState(viewState), m_model(new TrackTreeModel(this))
{
    setModel(m_model);
    setItemDelegate(new TrackDelegate(*this));
    setHeaderHidden(true);
    setFrameShape(QFrame::NoFrame);
    setIndentation(kTreeIndentPx);
    setUniformRowHeights(false);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setExpandsOnDoubleClick(true);
    setAnimated(false);
    header()->setSectionResizeMode(QHeaderView::Stretch);
    header()->setMinimumSectionSize(40);
    setAccessibleName(tr("Tracks"));
    const auto follow = [this](bool expanded) {
        return [this, expanded](const QModelIndex& index) {
            if (!m_applying) m_viewState.setExpanded(m_model->trackOf(index), expanded);
        };
    };
    connect(this, &QTreeView::expanded, this, follow(true));
    connect(this, &QTreeView::collapsed, this, follow(false));
    // Scrolling moves the picture of the rows, but the names of tall rows stay where they are.
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&viewState, &ViewState::rangeChanged, this, [this] {
        m_model->setRange(m_viewState.range());
        viewport()->update();
    });
    connect(&viewState, &ViewState::selectionChanged, viewport(), qOverload<>(&QWidget::update));
}

void TrackTree::setProfile()
{
    m_layout = nullptr;
    m_model->setProfile(m_viewState.profile());
    m_model->setRange(m_viewState.range());
}

void TrackTree::applyLayout(const TrackLayout& layout)
{
    m_layout = &layout;
    m_applying = true;
    for (const LayoutRow& row : layout.rows())
        if (row.expandable) setExpanded(m_model->indexOf(row.track), row.expanded);
    m_applying = false;
    doItemsLayout();
    viewport()->update();
}

void TrackTree::keyPressEvent(QKeyEvent* event)
{
    const bool plain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    const bool letter = !event->text().isEmpty() && event->text().front().isPrint() && event->key() != Qt::Key_Space &&
                        event->key() != Qt::Key_Asterisk && event->key() != Qt::Key_Plus &&
                        event->key() != Qt::Key_Minus;
    if ((plain && letter) || event->key() == Qt::Key_Escape) {
        emit keyForTimeline(event);
        if (event->isAccepted()) return;
    }
    QTreeView::keyPressEvent(event);
}

/// Letters are the timeline's keys; finding rows by their first letter would get in the way.
void TrackTree::keyboardSearch(const QString&) {}

/// Painted by the delegate, which knows where the name of a tall row stands.
void TrackTree::drawBranches(QPainter*, const QRect&, const QModelIndex&) const {}

void TrackTree::wheelEvent(QWheelEvent* event)
{
    // The pane scrolls tree and canvas together.
    event->ignore();
}

} // namespace stepscope
