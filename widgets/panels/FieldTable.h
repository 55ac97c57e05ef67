// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/StrongId.h"

#include <QTreeWidget>

namespace stepscope
{

/// Names and values in two columns, with headings. Values wrap their tooltip, not their row; every row can be copied
/// (Ctrl+C, context menu); a row that stands for a slice leads to it when clicked or activated.
class FieldTable : public QTreeWidget
{
    Q_OBJECT
public:
    explicit FieldTable(QWidget* parent = nullptr);

    void addHeading(const QString& text);
    QTreeWidgetItem* addField(const QString& name, const QString& value, SliceId slice = {});
    /// A sentence over both columns.
    void addNote(const QString& text);
    /// A doubt about the figures around it; leads to the diagnostics when clicked or activated.
    void addDoubt(const QString& text);
    /// Name and value of the selected rows (all rows if none is), separated by tabs.
    [[nodiscard]] QString copiedText() const;

signals:
    void sliceActivated(stepscope::SliceId slice);
    void doubtActivated();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void copy() const;
    void activate(QTreeWidgetItem* item);
    void restyle();
};

} // namespace stepscope
