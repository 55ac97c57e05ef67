// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Diagnostics.h"
#include "core/StrongId.h"

#include <QWidget>

class QLabel;
class QStackedLayout;

namespace stepscope
{

class FieldTable;
class ViewState;

/// The tab "Current Selection": what a slice is, what it is linked to, how it compares with its namesakes, and
/// everything that the file says about it.
class DetailsPanel : public QWidget
{
    Q_OBJECT
public:
    explicit DetailsPanel(ViewState& viewState, QWidget* parent = nullptr);

    [[nodiscard]] FieldTable& sliceTable() { return *m_slice; }
    [[nodiscard]] FieldTable& relationTable() { return *m_relations; }
    [[nodiscard]] FieldTable& sourceTable() { return *m_source; }

signals:
    /// The user wants to know why a figure is marked as doubtful.
    void diagnosticsRequested();

private:
    void addDoubts(FieldTable& table, FigureSet figures) const;
    void refresh();
    void showSlice(SliceId slice);
    void showLinks(SliceId slice);
    void showComparison(SliceId slice);
    void showSource(SliceId slice);
    void goTo(SliceId slice);

    ViewState& m_viewState;
    QStackedLayout* m_pages = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_chip = nullptr;
    FieldTable* m_slice = nullptr;
    FieldTable* m_relations = nullptr;
    FieldTable* m_source = nullptr;
};

} // namespace stepscope
