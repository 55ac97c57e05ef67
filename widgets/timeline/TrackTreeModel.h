// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace stepscope
{

/// The tracks of a profile as a Qt tree; one column. Indices carry the track's id.
class TrackTreeModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    explicit TrackTreeModel(QObject* parent = nullptr);

    void setProfile(std::shared_ptr<const Profile> profile);
    /// The range that figures in accessible texts speak of.
    void setRange(TimeSpan range) { m_range = range; }

    [[nodiscard]] TrackId trackOf(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(TrackId track) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] const std::vector<TrackId>& childrenOf(const QModelIndex& parent) const;

    std::shared_ptr<const Profile> m_profile;
    TimeSpan m_range;
    std::vector<int> m_placeInParent; ///< by track id
};

} // namespace stepscope
