// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/DiagnosticsPanel.h"

#include "common/Text.h"
#include "common/Theme.h"
#include "common/ViewState.h"
#include "core/Format.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace stepscope
{

DiagnosticsPanel::DiagnosticsPanel(ViewState& viewState, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_list(new QTreeWidget),
      m_hint(new QLabel(tr("Nothing unusual was noticed while reading the profile.")))
{
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_list->setHeaderLabels({tr("Severity"), tr("Count"), tr("What was noticed"), tr("Touches"), tr("First place")});
    m_list->setRootIsDecorated(false);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setWordWrap(true);
    m_list->setAccessibleName(tr("Diagnostics"));
    m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(2, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(3, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(4, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_hint);
    layout->addWidget(m_list);
    connect(&viewState, &ViewState::profileChanged, this, &DiagnosticsPanel::refresh);
    refresh();
}

void DiagnosticsPanel::refresh()
{
    m_list->clear();
    int serious = 0;
    const auto& profile = m_viewState.profile();
    for (const Diagnostic& diagnostic : profile ? profile->diagnostics : std::vector<Diagnostic>()) {
        const QString severity = diagnostic.severity == Severity::DataLoss  ? tr("data loss")
                                 : diagnostic.severity == Severity::Warning ? tr("warning")
                                                                            : tr("info");
        auto* item = new QTreeWidgetItem(
            m_list, {severity, toQString(formatCount(diagnostic.count)), toQString(diagnostic.message),
                     toQString(effectOf(diagnostic.figures)), toQString(diagnostic.firstPlace)});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignTop);
        for (const int column : {0, 2, 3, 4}) item->setTextAlignment(column, Qt::AlignLeft | Qt::AlignTop);
        if (diagnostic.severity == Severity::Info) continue;
        ++serious;
        item->setForeground(0, Theme::current(this).warning);
    }
    const bool any = m_list->topLevelItemCount() > 0;
    m_hint->setVisible(!any);
    m_list->setVisible(any);
    emit countChanged(m_list->topLevelItemCount(), serious);
}

} // namespace stepscope
