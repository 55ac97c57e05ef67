// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/ConnectionsPanel.h"

#include "analysis/LinkQuery.h"
#include "analysis/SliceDetails.h"
#include "common/TableStyle.h"
#include "common/Text.h"
#include "common/ViewState.h"
#include "core/Format.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

namespace stepscope
{

void ConnectionModel::show(std::shared_ptr<const Profile> profile, SliceId selection)
{
    beginResetModel();
    m_profile = std::move(profile);
    m_connections.clear();
    if (m_profile && selection.valid()) {
        const SliceId launch = launchOf(*m_profile, selection);
        if (launch.valid()) m_connections.push_back({launch, selection, tr("launch")});
        for (const SliceId run : runsOf(*m_profile, selection)) m_connections.push_back({selection, run, tr("launch")});
        for (const Flow& flow : m_profile->flows)
            if (flow.from == selection || flow.to == selection)
                m_connections.push_back({flow.from, flow.to, toQString(m_profile->strings.view(flow.category))});
    }
    endResetModel();
}

int ConnectionModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_connections.size());
}

int ConnectionModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ConnectionModel::text(const Connection& connection, int column) const
{
    const auto start = [&](SliceId slice) {
        return toQString(formatExactTime(m_profile->slices.startNs[slice.value] - m_profile->span.beginNs));
    };
    switch (column) {
    case Kind:
        return connection.kind;
    case From:
        return toQString(m_profile->sliceName(connection.from));
    case FromStart:
        return start(connection.from);
    case Latency:
        return toQString(formatDuration(launchLatencyNs(*m_profile, connection.from, connection.to)));
    case To:
        return toQString(m_profile->sliceName(connection.to));
    case ToDuration:
        return toQString(formatDuration(m_profile->slices.durNs[connection.to.value]));
    case ToTrack: {
        QStringList path;
        for (const std::string& part : trackPathOf(*m_profile, connection.to)) path += toQString(part);
        return path.mid(path.size() - 2).join(QStringLiteral(" › "));
    }
    default:
        return {};
    }
}

QVariant ConnectionModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const Connection& connection = m_connections[static_cast<std::size_t>(index.row())];
    const bool number = index.column() == FromStart || index.column() == Latency || index.column() == ToDuration;
    if (role == Qt::DisplayRole) return text(connection, index.column());
    if (role == Qt::ToolTipRole) return text(connection, index.column()).toHtmlEscaped();
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

QVariant ConnectionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Kind:
        return tr("Kind");
    case From:
        return tr("From (launch)");
    case FromStart:
        return tr("Starts at");
    case Latency:
        return tr("Launch latency");
    case To:
        return tr("To (run)");
    case ToDuration:
        return tr("Duration");
    case ToTrack:
        return tr("On");
    default:
        return {};
    }
}

SliceId ConnectionModel::sliceAt(const QModelIndex& index) const
{
    if (!index.isValid()) return {};
    const Connection& connection = m_connections[static_cast<std::size_t>(index.row())];
    return index.column() >= To ? connection.to : connection.from;
}

ConnectionsPanel::ConnectionsPanel(ViewState& viewState, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_model(new ConnectionModel(this)), m_table(new QTableView),
      m_hint(new QLabel(tr("Select a launch or a run to see what it is connected with.")))
{
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_table->setModel(m_model);
    styleTable(*m_table);
    m_table->setAccessibleName(tr("Connections of the selection"));
    for (int column = 0; column < ConnectionModel::ColumnCount; ++column)
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Interactive);
    m_table->setColumnWidth(ConnectionModel::Kind, 80);
    m_table->setColumnWidth(ConnectionModel::From, 240);
    m_table->setColumnWidth(ConnectionModel::FromStart, 150);
    m_table->setColumnWidth(ConnectionModel::Latency, 120);
    m_table->setColumnWidth(ConnectionModel::To, 360);
    m_table->setColumnWidth(ConnectionModel::ToDuration, 100);
    m_table->horizontalHeader()->setStretchLastSection(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_hint);
    layout->addWidget(m_table);
    const auto goTo = [this](const QModelIndex& index) {
        if (const SliceId slice = m_model->sliceAt(index); slice.valid()) m_viewState.reveal(slice);
    };
    connect(m_table, &QTableView::clicked, this, goTo);
    connect(m_table, &QTableView::activated, this, goTo);
    connect(&viewState, &ViewState::selectionChanged, this, &ConnectionsPanel::refresh);
    connect(&viewState, &ViewState::profileChanged, this, &ConnectionsPanel::refresh);
    refresh();
}

void ConnectionsPanel::refresh()
{
    m_model->show(m_viewState.profile(), m_viewState.selection());
    const int count = m_model->rowCount();
    m_hint->setVisible(count == 0);
    m_table->setVisible(count > 0);
    emit countChanged(count);
}

} // namespace stepscope
