// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <QAbstractTableModel>
#include <QFrame>

#include <memory>
#include <vector>

class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace stepscope
{

class ViewState;

/// The steps of one process: name, duration on the host and on the device, and whether it is an outlier.
class StepListModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column : std::uint8_t { Name, HostTime, DeviceTime, Mark, ColumnCount };
    static constexpr int kStepRole = Qt::UserRole; ///< index into Profile::steps
    static constexpr int kSortRole = Qt::UserRole + 1;
    /// A step is an outlier if it takes more than this many times the median.
    static constexpr double kOutlier = 1.5;

    explicit StepListModel(QObject* parent = nullptr);
    void setSteps(std::shared_ptr<const Profile> profile, std::size_t first, std::size_t last, const QColor& warning);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] bool isOutlier(int row) const;

private:
    [[nodiscard]] const Step& step(int row) const;
    [[nodiscard]] QVariant text(const Step& step, int row, int column) const;
    [[nodiscard]] static QVariant sortKey(const Step& step, int column);

    std::shared_ptr<const Profile> m_profile;
    std::size_t m_first = 0;
    std::size_t m_last = 0;
    std::int64_t m_medianHostNs = 0;
    std::int64_t m_medianDeviceNs = 0;
    QColor m_warning;
};

/// A list of steps to choose from, found by typing.
class StepPopup : public QFrame
{
    Q_OBJECT
public:
    explicit StepPopup(ViewState& viewState, QWidget* parent = nullptr);

    void open(QPoint topLeft);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void choose(const QModelIndex& index);

    ViewState& m_viewState;
    StepListModel* m_model;
    QSortFilterProxyModel* m_filter;
    QLineEdit* m_search;
    QTableView* m_table;
};

} // namespace stepscope
