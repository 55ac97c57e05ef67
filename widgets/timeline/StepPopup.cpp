// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/StepPopup.h"

#include "common/TableStyle.h"
#include "common/Text.h"
#include "common/Theme.h"
#include "common/ViewState.h"
#include "core/Format.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScreen>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace stepscope
{

namespace
{

std::int64_t median(std::vector<std::int64_t> values)
{
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

bool exceeds(std::int64_t value, std::int64_t median)
{
    return median > 0 && static_cast<double>(value) > StepListModel::kOutlier * static_cast<double>(median);
}

} // namespace

StepListModel::StepListModel(QObject* parent) : QAbstractTableModel(parent) {}

void StepListModel::setSteps(std::shared_ptr<const Profile> profile, std::size_t first, std::size_t last,
                             const QColor& warning)
{
    beginResetModel();
    m_profile = std::move(profile);
    m_first = first;
    m_last = last;
    m_warning = warning;
    std::vector<std::int64_t> host;
    std::vector<std::int64_t> device;
    for (std::size_t index = first; index < last; ++index) {
        const Step& step = m_profile->steps[index];
        host.push_back(step.host.lengthNs());
        if (step.device) device.push_back(step.device->lengthNs());
    }
    m_medianHostNs = median(std::move(host));
    m_medianDeviceNs = median(std::move(device));
    endResetModel();
}

const Step& StepListModel::step(int row) const { return m_profile->steps[m_first + static_cast<std::size_t>(row)]; }

bool StepListModel::isOutlier(int row) const
{
    const Step& shown = step(row);
    return exceeds(shown.host.lengthNs(), m_medianHostNs) ||
           (shown.device && exceeds(shown.device->lengthNs(), m_medianDeviceNs));
}

int StepListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_last - m_first);
}

int StepListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant StepListModel::text(const Step& step, int row, int column) const
{
    switch (column) {
    case Name:
        return toQString(step.name());
    case HostTime:
        return toQString(formatDuration(step.host.lengthNs()));
    case DeviceTime:
        return step.device ? toQString(formatDuration(step.device->lengthNs())) : QStringLiteral("–");
    default:
        return isOutlier(row) ? tr("slow") : QString();
    }
}

QVariant StepListModel::sortKey(const Step& step, int column)
{
    switch (column) {
    case Name:
        return QVariant::fromValue<qlonglong>(step.number);
    case HostTime:
        return QVariant::fromValue<qlonglong>(step.host.lengthNs());
    default:
        return QVariant::fromValue<qlonglong>(step.device ? step.device->lengthNs() : -1);
    }
}

QVariant StepListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Step& shown = step(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(shown, index.row(), index.column());
    case Qt::TextAlignmentRole:
        return index.column() == HostTime || index.column() == DeviceTime ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                                          : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return index.column() == Mark ? QVariant(m_warning) : QVariant();
    case Qt::ToolTipRole:
        return isOutlier(index.row()) ? QVariant(tr("more than 1.5 times the median step")) : QVariant();
    case kStepRole:
        return QVariant::fromValue<qulonglong>(m_first + static_cast<std::size_t>(index.row()));
    case kSortRole:
        return index.column() == Mark ? QVariant(isOutlier(index.row())) : sortKey(shown, index.column());
    default:
        return {};
    }
}

QVariant StepListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Name:
        return tr("Step");
    case HostTime:
        return tr("Host");
    case DeviceTime:
        return tr("Device");
    default:
        return QString();
    }
}

StepPopup::StepPopup(ViewState& viewState, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_viewState(viewState), m_model(new StepListModel(this)),
      m_filter(new QSortFilterProxyModel(this)), m_search(new QLineEdit(this)), m_table(new QTableView(this))
{
    setFrameShape(QFrame::StyledPanel);
    m_filter->setSourceModel(m_model);
    m_filter->setFilterKeyColumn(StepListModel::Name);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setSortRole(StepListModel::kSortRole);
    m_search->setPlaceholderText(tr("Find a step"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    styleTable(*m_table);
    m_table->setAccessibleName(tr("Steps"));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->setSpacing(6);
    column->addWidget(m_search);
    column->addWidget(m_table);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setFilterFixedString(text);
        m_table->selectRow(0);
    });
    connect(m_table, &QTableView::clicked, this, &StepPopup::choose);
    connect(m_table, &QTableView::activated, this, &StepPopup::choose);
}

void StepPopup::open(QPoint topLeft)
{
    const auto [first, last] = m_viewState.stepsOf(m_viewState.stepProcess());
    if (first == last) return;
    m_model->setSteps(m_viewState.profile(), first, last, Theme::current(this).warning);
    m_search->clear();
    const int rows = std::min(14, static_cast<int>(last - first));
    const int rowHeight = m_table->verticalHeader()->defaultSectionSize();
    resize(fontMetrics().averageCharWidth() * 58, (rows + 1) * rowHeight + m_search->sizeHint().height() + 34);
    if (const QScreen* screen = this->screen()) {
        const QRect available = screen->availableGeometry();
        topLeft.setX(std::max(available.left(), std::min(topLeft.x(), available.right() - width())));
        topLeft.setY(std::max(available.top(), std::min(topLeft.y(), available.bottom() - height())));
    }
    move(topLeft);
    show();
    m_search->setFocus();
    const auto current = m_viewState.currentStep();
    const bool known = current && *current >= first && *current < last;
    const QModelIndex source = m_model->index(known ? static_cast<int>(*current - first) : 0, 0);
    m_table->setCurrentIndex(m_filter->mapFromSource(source));
    m_table->scrollTo(m_table->currentIndex(), QAbstractItemView::PositionAtCenter);
}

void StepPopup::choose(const QModelIndex& index)
{
    if (!index.isValid()) return;
    const auto step = index.data(StepListModel::kStepRole).toULongLong();
    hide();
    m_viewState.goToStep(static_cast<std::size_t>(step));
}

/// While one types, the keys that move in a list move in the list.
bool StepPopup::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_search || event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: {
        QKeyEvent forwarded(QEvent::KeyPress, key->key(), key->modifiers());
        QCoreApplication::sendEvent(m_table, &forwarded);
        return true;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(m_table->currentIndex());
        return true;
    default:
        return QFrame::eventFilter(watched, event);
    }
}

} // namespace stepscope
