// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TrackTreeModel.h"

#include "common/Expansion.h"
#include "common/Text.h"
#include "timeline/TreeRow.h"

namespace stepscope
{

TrackTreeModel::TrackTreeModel(QObject* parent) : QAbstractItemModel(parent) {}

void TrackTreeModel::setProfile(std::shared_ptr<const Profile> profile)
{
    beginResetModel();
    m_profile = std::move(profile);
    m_placeInParent.assign(m_profile ? m_profile->tracks.size() : 0, 0);
    if (m_profile) {
        const auto number = [this](const std::vector<TrackId>& siblings) {
            for (std::size_t place = 0; place < siblings.size(); ++place)
                m_placeInParent[siblings[place].value] = static_cast<int>(place);
        };
        number(m_profile->roots);
        for (const Track& track : m_profile->tracks) number(track.children);
    }
    endResetModel();
}

TrackId TrackTreeModel::trackOf(const QModelIndex& index) const
{
    return index.isValid() ? TrackId{static_cast<std::uint32_t>(index.internalId())} : TrackId{};
}

QModelIndex TrackTreeModel::indexOf(TrackId track) const
{
    if (track.value >= m_placeInParent.size()) return {};
    return createIndex(m_placeInParent[track.value], 0, static_cast<quintptr>(track.value));
}

const std::vector<TrackId>& TrackTreeModel::childrenOf(const QModelIndex& parent) const
{
    static const std::vector<TrackId> none;
    if (!m_profile || parent.column() > 0) return none;
    return parent.isValid() ? m_profile->track(trackOf(parent)).children : m_profile->roots;
}

QModelIndex TrackTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    const auto& children = childrenOf(parent);
    if (column != 0 || row < 0 || static_cast<std::size_t>(row) >= children.size()) return {};
    return createIndex(row, 0, static_cast<quintptr>(children[static_cast<std::size_t>(row)].value));
}

QModelIndex TrackTreeModel::parent(const QModelIndex& index) const
{
    if (!m_profile || !index.isValid()) return {};
    const TrackId parent = m_profile->track(trackOf(index)).parent;
    return parent.valid() ? indexOf(parent) : QModelIndex();
}

int TrackTreeModel::rowCount(const QModelIndex& parent) const { return static_cast<int>(childrenOf(parent).size()); }
int TrackTreeModel::columnCount(const QModelIndex&) const { return 1; }

/// Tracks with several lines can be collapsed to the first, though nothing is below them.
bool TrackTreeModel::hasChildren(const QModelIndex& parent) const
{
    if (!m_profile || !parent.isValid()) return rowCount(parent) > 0;
    return isExpandable(m_profile->track(trackOf(parent)));
}

QVariant TrackTreeModel::data(const QModelIndex& index, int role) const
{
    if (!m_profile || !index.isValid()) return {};
    const Track& track = m_profile->track(trackOf(index));
    const QString name = toQString(track.name);
    switch (role) {
    case Qt::DisplayRole:
        return name;
    case Qt::ToolTipRole: {
        const bool ofDevice = track.kind == TrackKind::Device && track.device != kNone;
        const QString model = ofDevice ? toQString(m_profile->devices[track.device].model) : QString();
        const QString text = model.isEmpty() ? name : name + QStringLiteral(" · ") + model;
        // Plain text: a name from a file is never markup.
        return text.toHtmlEscaped();
    }
    case Qt::AccessibleTextRole: {
        const QString figure = trackFigure(*m_profile, track, m_range);
        return figure.isEmpty() ? name : name + QStringLiteral(", ") + figure;
    }
    default:
        return {};
    }
}

} // namespace stepscope
