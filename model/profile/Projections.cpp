// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Projections.h"

#include "profile/Freeze.h"

#include <algorithm>
#include <memory>

namespace stepscope::draft
{

namespace
{

bool belongsOnHostRow(SliceKind kind)
{
    return kind == SliceKind::Launch || kind == SliceKind::Sync || kind == SliceKind::Annotation;
}

/// Which devices the calls of a process address, found through the links of its launches and its sync records.
class Addressees
{
public:
    Addressees(const Draft& draft, const Profile& profile) : m_profile(profile), m_launches(profile.processes.size())
    {
        const LinkTable& links = profile.links;
        for (std::size_t link = 0; link < links.size(); ++link) {
            const std::uint32_t device = profile.track(profile.trackOf(links.run[link])).device;
            note(links.launch[link], device);
        }
        for (const Lane& lane : draft.lanes)
            if (lane.kind == TrackKind::StreamSync)
                for (const Correlation& record : lane.correlations) m_syncIds.push_back({record.id, lane.device});
        std::sort(m_syncIds.begin(), m_syncIds.end());
        for (const Lane& lane : draft.lanes)
            if (lane.kind == TrackKind::Thread)
                for (const Correlation& call : lane.correlations) noteSync(call);
        for (auto& byDevice : m_launches)
            for (auto& [device, times] : byDevice) std::sort(times.begin(), times.end());
        std::sort(m_pairs.begin(), m_pairs.end());
        m_pairs.erase(std::unique(m_pairs.begin(), m_pairs.end()), m_pairs.end());
    }

    [[nodiscard]] bool addresses(SliceId slice, std::uint32_t device) const
    {
        if (m_profile.slices.kind[slice.value] != SliceKind::Annotation)
            return std::binary_search(m_pairs.begin(), m_pairs.end(), std::pair(slice, device));
        const std::uint32_t process = m_profile.track(m_profile.trackOf(slice)).process;
        if (process == kNone) return false;
        const auto times = m_launches[process].find(device);
        if (times == m_launches[process].end()) return false;
        const TimeSpan span = m_profile.sliceSpan(slice);
        const auto first = std::lower_bound(times->second.begin(), times->second.end(), span.beginNs);
        return first != times->second.end() && *first < span.endNs;
    }

private:
    void note(SliceId call, std::uint32_t device)
    {
        m_pairs.emplace_back(call, device);
        const std::uint32_t process = m_profile.track(m_profile.trackOf(call)).process;
        if (process != kNone) m_launches[process][device].push_back(m_profile.slices.startNs[call.value]);
    }
    void noteSync(const Correlation& call)
    {
        if (m_profile.slices.kind[call.slice] != SliceKind::Sync) return;
        auto record = std::lower_bound(m_syncIds.begin(), m_syncIds.end(), std::pair(call.id, std::uint32_t(0)));
        for (; record != m_syncIds.end() && record->first == call.id; ++record)
            m_pairs.emplace_back(SliceId{call.slice}, record->second);
    }

    const Profile& m_profile;
    std::vector<std::pair<SliceId, std::uint32_t>> m_pairs; ///< call, device
    std::vector<std::pair<std::uint64_t, std::uint32_t>> m_syncIds;
    std::vector<std::map<std::uint32_t, std::vector<std::int64_t>>> m_launches; ///< by process and device
};

} // namespace

std::vector<std::vector<SliceId>> hostSlicesOfDevices(const Draft& draft, const Profile& profile)
{
    std::vector<std::vector<SliceId>> result(profile.devices.size());
    std::vector<std::vector<std::uint32_t>> devicesOfFile(draft.files.size());
    for (std::uint32_t device = 0; device < profile.devices.size(); ++device)
        devicesOfFile[profile.devices[device].file].push_back(device);
    const bool anyChoice =
        std::any_of(devicesOfFile.begin(), devicesOfFile.end(), [](const auto& devices) { return devices.size() > 1; });
    const auto addressees = anyChoice ? std::make_unique<Addressees>(draft, profile) : nullptr;
    for (const Lane& lane : draft.lanes) {
        const auto& devices = devicesOfFile[lane.file];
        if (lane.kind != TrackKind::Thread || lane.rowEnds.empty() || devices.empty()) continue;
        if (devices.size() == 1) result[devices.front()].reserve(result[devices.front()].size() + lane.rowEnds.back());
        for (std::uint32_t slice = lane.firstSlice; slice < lane.firstSlice + lane.rowEnds.back(); ++slice) {
            if (!belongsOnHostRow(profile.slices.kind[slice])) continue;
            // With one device there is no question whom a call addresses, linked or not.
            for (const std::uint32_t device : devices)
                if (devices.size() == 1 || addressees->addresses({slice}, device)) result[device].push_back({slice});
        }
    }
    return result;
}

std::pair<std::uint32_t, std::uint32_t> appendProjection(Profile& profile, const std::vector<SliceId>& slices,
                                                         TrackId track)
{
    std::vector<Interval> intervals;
    intervals.reserve(slices.size());
    for (const SliceId slice : slices)
        intervals.push_back({profile.slices.startNs[slice.value], profile.slices.durNs[slice.value]});
    const auto order = sortedOrder(intervals);
    const RowAssignment assigned = nestRows(intervals, order);

    ProjectionColumns& columns = profile.projections;
    const auto base = static_cast<std::uint32_t>(columns.slice.size());
    std::vector<std::uint32_t> next(assigned.rowCount + 1, base);
    for (const std::uint32_t row : assigned.row) ++next[row + 1];
    for (std::size_t row = 1; row < next.size(); ++row) next[row] += next[row - 1] - base;
    const auto firstRow = static_cast<std::uint32_t>(profile.rows.size());
    for (std::uint32_t row = 0; row < assigned.rowCount; ++row) {
        profile.rows.push_back({next[row], next[row + 1], 0, true});
        profile.rowTrack.push_back(track);
    }
    columns.startNs.resize(base + slices.size());
    columns.durNs.resize(base + slices.size());
    columns.slice.resize(base + slices.size());
    for (const std::uint32_t index : order) {
        const std::uint32_t place = next[assigned.row[index]]++;
        columns.startNs[place] = intervals[index].startNs;
        columns.durNs[place] = intervals[index].durNs;
        columns.slice[place] = slices[index];
    }
    for (std::uint32_t row = 0; row < assigned.rowCount; ++row) {
        RowRecord& record = profile.rows[firstRow + row];
        record.firstBlock = static_cast<std::uint32_t>(profile.rowBlocks.size());
        appendRowBlocks(std::span(columns.durNs).subspan(record.begin, record.end - record.begin), profile.rowBlocks);
    }
    return {firstRow, assigned.rowCount};
}

} // namespace stepscope::draft
