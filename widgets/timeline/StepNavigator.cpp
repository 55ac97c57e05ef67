// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/StepNavigator.h"

#include "common/Text.h"
#include "common/Theme.h"
#include "common/ViewState.h"
#include "timeline/StepPopup.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace stepscope
{

namespace
{

QToolButton* button(QWidget* parent, const QString& name, const QString& toolTip)
{
    auto* result = new QToolButton(parent);
    result->setAutoRaise(true);
    result->setAccessibleName(name);
    result->setToolTip(toolTip);
    return result;
}

} // namespace

StepNavigator::StepNavigator(ViewState& viewState, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_previous(button(this, tr("Previous step"), tr("Previous step  ["))),
      m_current(button(this, tr("Current step"), tr("Go to a step"))),
      m_next(button(this, tr("Next step"), tr("Next step  ]"))), m_popup(new StepPopup(viewState, this))
{
    m_previous->setArrowType(Qt::LeftArrow);
    m_next->setArrowType(Qt::RightArrow);
    m_current->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_current->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("step_1234567")) + 24);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    row->addWidget(m_previous);
    row->addWidget(m_current);
    row->addWidget(m_next);
    connect(m_previous, &QToolButton::clicked, &viewState, &ViewState::previousStep);
    connect(m_next, &QToolButton::clicked, &viewState, &ViewState::nextStep);
    connect(m_current, &QToolButton::clicked, this, &StepNavigator::showList);
    connect(&viewState, &ViewState::stepChanged, this, &StepNavigator::refresh);
    connect(&viewState, &ViewState::profileChanged, this, &StepNavigator::refresh);
    connect(&viewState, &ViewState::selectionChanged, this, &StepNavigator::refresh);
    refresh();
}

StepNavigator::~StepNavigator() = default;

void StepNavigator::showList()
{
    if (!m_current->isEnabled()) return;
    m_popup->open(m_current->mapToGlobal(QPoint(0, m_current->height() + 2)));
}

void StepNavigator::refresh()
{
    const auto [first, last] = m_viewState.stepsOf(m_viewState.stepProcess());
    const bool any = first != last;
    const auto current = m_viewState.currentStep();
    const bool known = current && *current >= first && *current < last;
    if (!any) m_current->setText(m_viewState.profile() ? tr("no steps") : QString());
    else if (!known) m_current->setText(last - first == 1 ? tr("1 step") : tr("%1 steps").arg(last - first));
    else m_current->setText(toQString(m_viewState.profile()->steps[*current].name()));
    m_current->setEnabled(any);
    m_previous->setEnabled(any && !(known && *current == first));
    m_next->setEnabled(any && !(known && *current + 1 == last));
}

} // namespace stepscope
