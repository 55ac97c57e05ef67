// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace stepscope
{

class ViewState;

/// The tab "Diagnostics": everything that was noticed while the profile was read.
class DiagnosticsPanel : public QWidget
{
    Q_OBJECT
public:
    explicit DiagnosticsPanel(ViewState& viewState, QWidget* parent = nullptr);
    [[nodiscard]] QTreeWidget& list() { return *m_list; }

signals:
    /// Entries that mean a loss or deserve a warning.
    /// `serious` of them are more than information.
    void countChanged(int count, int serious);

private:
    void refresh();

    ViewState& m_viewState;
    QTreeWidget* m_list;
    QLabel* m_hint;
};

} // namespace stepscope
