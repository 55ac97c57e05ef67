// SPDX-License-Identifier: GPL-3.0-or-later
#include "KeyHelp.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace stepscope
{

KeyHelp::KeyHelp(QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Keys and mouse"));
    const QList<std::pair<QString, QString>> rows = {
        {tr("W, S  or  Ctrl+wheel"), tr("zoom around the cursor")},
        {tr("A, D  or  drag"), tr("pan")},
        {tr("Wheel"), tr("scroll the rows")},
        {tr("Click, double click"), tr("select, zoom to the slice")},
        {tr("F"), tr("zoom to the selection")},
        {tr("Home"), tr("whole profile")},
        {tr("[  ]"), tr("previous, next step")},
        {tr("Ctrl+G"), tr("list of steps")},
        {tr("J"), tr("other end of the link; again: the next run of a graph launch")},
        {tr("N, Shift+N"), tr("next, previous slice of the same name")},
        {tr("Arrow keys"), tr("walk the slices of the row, and up and down")},
        {tr("Q"), tr("show or hide the details")},
        {tr("Esc"), tr("clear the selection; while loading: cancel")},
        {tr("Ctrl+O, Ctrl+Shift+O"), tr("open a file, a folder")},
        {tr("Ctrl+E"), tr("export the picture")},
    };
    auto* layout = new QVBoxLayout(this);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    int line = 0;
    for (const auto& [keys, meaning] : rows) {
        auto* key = new QLabel(keys);
        QFont bold = font();
        bold.setBold(true);
        key->setFont(bold);
        grid->addWidget(key, line, 0);
        grid->addWidget(new QLabel(meaning), line++, 1);
    }
    layout->addLayout(grid);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
}

} // namespace stepscope
