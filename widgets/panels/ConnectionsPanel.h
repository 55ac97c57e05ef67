// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/StrongId.h"

#include <QAbstractTableModel>
#include <QWidget>
#include <memory>
#include <vector>

class QLabel;
class QTableView;

namespace stepscope
{

struct Profile;
class ViewState;

/// Every arrow of the selection: launch and run, or the two ends of a flow that the file recorded.
class ConnectionModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Kind, From, FromStart, Latency, To, ToDuration, ToTrack, ColumnCount };
    struct Connection {
        SliceId from;
        SliceId to;
        QString kind;
    };

    using QAbstractTableModel::QAbstractTableModel;
    void show(std::shared_ptr<const Profile> profile, SliceId selection);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// The end that a cell stands for.
    [[nodiscard]] SliceId sliceAt(const QModelIndex& index) const;

private:
    [[nodiscard]] QString text(const Connection& connection, int column) const;

    std::shared_ptr<const Profile> m_profile;
    std::vector<Connection> m_connections;
};

/// The tab "Connections": choosing either end of a pair brings it into view.
class ConnectionsPanel : public QWidget
{
    Q_OBJECT
public:
    explicit ConnectionsPanel(ViewState& viewState, QWidget* parent = nullptr);
    [[nodiscard]] ConnectionModel& model() { return *m_model; }
    [[nodiscard]] QTableView& table() { return *m_table; }

signals:
    void countChanged(int count);

private:
    void refresh();

    ViewState& m_viewState;
    ConnectionModel* m_model;
    QTableView* m_table;
    QLabel* m_hint;
};

} // namespace stepscope
