// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/FieldTable.h"

#include "common/Theme.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

namespace stepscope
{

namespace
{

constexpr int kSliceRole = Qt::UserRole;
constexpr int kKindRole = Qt::UserRole + 1;
enum RowKind { kPlain, kHeading, kNote, kDoubt };

} // namespace

FieldTable::FieldTable(QWidget* parent) : QTreeWidget(parent)
{
    setColumnCount(2);
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(0);
    setUniformRowHeights(true);
    setSelectionMode(ExtendedSelection);
    setFrameShape(NoFrame);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    setTextElideMode(Qt::ElideRight);
    header()->setStretchLastSection(true);
    header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    header()->setMaximumSectionSize(fontMetrics().averageCharWidth() * 34);
    connect(this, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int column) {
        if (column == 1 || item->data(0, kKindRole).toInt() == kDoubt) activate(item);
    });
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { activate(item); });
}

void FieldTable::addHeading(const QString& text)
{
    auto* item = new QTreeWidgetItem(this, {text});
    item->setFirstColumnSpanned(true);
    item->setData(0, kKindRole, kHeading);
    item->setFlags(Qt::ItemIsEnabled);
    QFont bold = font();
    bold.setBold(true);
    item->setFont(0, bold);
}

QTreeWidgetItem* FieldTable::addField(const QString& name, const QString& value, SliceId slice)
{
    auto* item = new QTreeWidgetItem(this, {name, value});
    item->setToolTip(0, name);
    // As plain text: a profile is data, and is never rendered as anything else.
    if (value.size() > 24) item->setToolTip(1, value.left(2000).toHtmlEscaped());
    item->setForeground(0, Theme::current(this).textSecondary);
    if (slice.valid()) {
        item->setData(1, kSliceRole, slice.value);
        item->setForeground(1, Theme::current(this).accent);
        QFont underlined = font();
        underlined.setUnderline(true);
        item->setFont(1, underlined);
    }
    return item;
}

void FieldTable::addNote(const QString& text)
{
    auto* item = new QTreeWidgetItem(this, {text});
    item->setFirstColumnSpanned(true);
    item->setData(0, kKindRole, kNote);
    item->setToolTip(0, text.toHtmlEscaped());
    item->setForeground(0, Theme::current(this).textSecondary);
}

void FieldTable::addDoubt(const QString& text)
{
    addNote(text);
    QTreeWidgetItem* item = topLevelItem(topLevelItemCount() - 1);
    item->setData(0, kKindRole, kDoubt);
    item->setForeground(0, Theme::current(this).warning);
}

QString FieldTable::copiedText() const
{
    QStringList lines;
    const bool all = selectedItems().isEmpty();
    for (int row = 0; row < topLevelItemCount(); ++row) {
        const QTreeWidgetItem* item = topLevelItem(row);
        if (!all && !item->isSelected()) continue;
        const bool plain = item->data(0, kKindRole).toInt() == kPlain;
        lines += plain ? item->text(0) + QLatin1Char('\t') + item->text(1) : item->text(0);
    }
    return lines.join(QLatin1Char('\n'));
}

void FieldTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) return copy();
    QTreeWidget::keyPressEvent(event);
}

void FieldTable::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    if (const QTreeWidgetItem* item = itemAt(event->pos()); item != nullptr && !item->text(1).isEmpty())
        menu.addAction(tr("Copy value"), this, [text = item->text(1)] { QGuiApplication::clipboard()->setText(text); });
    menu.addAction(selectedItems().isEmpty() ? tr("Copy all rows") : tr("Copy selected rows"), this,
                   [this] { copy(); });
    menu.exec(event->globalPos());
}

void FieldTable::changeEvent(QEvent* event)
{
    QTreeWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) restyle();
}

void FieldTable::copy() const { QGuiApplication::clipboard()->setText(copiedText()); }

void FieldTable::activate(QTreeWidgetItem* item)
{
    if (item->data(0, kKindRole).toInt() == kDoubt) emit doubtActivated();
    const QVariant slice = item->data(1, kSliceRole);
    if (slice.isValid()) emit sliceActivated({slice.toUInt()});
}

void FieldTable::restyle()
{
    const Theme& theme = Theme::current(this);
    for (int row = 0; row < topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = topLevelItem(row);
        const int kind = item->data(0, kKindRole).toInt();
        if (kind != kHeading) item->setForeground(0, kind == kDoubt ? theme.warning : theme.textSecondary);
        if (item->data(1, kSliceRole).isValid()) item->setForeground(1, theme.accent);
    }
}

} // namespace stepscope
