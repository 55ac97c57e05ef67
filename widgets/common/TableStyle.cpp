// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/TableStyle.h"

#include <QHeaderView>
#include <QTableView>

namespace stepscope
{

void styleTable(QTableView& table)
{
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setStyleSheet(QStringLiteral("QTableView::item { border: none; padding: 0 5px; }"));
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 8);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

} // namespace stepscope
