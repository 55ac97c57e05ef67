// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <QWidget>

class QToolButton;

namespace stepscope
{

class StepPopup;
class ViewState;

/// `[<] step_41 [>]`: walks the steps of a process; the name opens a list that can be searched, with durations, and
/// with a mark on steps that took much longer than usual.
class StepNavigator : public QWidget
{
    Q_OBJECT
public:
    explicit StepNavigator(ViewState& viewState, QWidget* parent = nullptr);
    ~StepNavigator() override;

public slots:
    void showList();

private:
    void refresh();

    ViewState& m_viewState;
    QToolButton* m_previous;
    QToolButton* m_current;
    QToolButton* m_next;
    StepPopup* m_popup;
};

} // namespace stepscope
