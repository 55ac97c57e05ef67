// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/Expansion.h"

#include <algorithm>

namespace stepscope
{

namespace
{

constexpr std::size_t kFewDevices = 2;
constexpr std::size_t kFewThreads = 4;
constexpr std::uint32_t kFewHostRows = 10;

std::size_t sliceCount(const Profile& profile, const Track& track)
{
    std::size_t count = 0;
    for (std::uint32_t line = 0; line < track.rowCount; ++line) count += profile.row(track.firstRow + line).size();
    return count;
}

/// The main thread, or the one with the most slices where none is known as such.
TrackId principalThread(const Profile& profile, const Track& group)
{
    for (const TrackId child : group.children)
        if (profile.track(child).name.ends_with("(main)")) return child;
    return *std::max_element(group.children.begin(), group.children.end(), [&](TrackId a, TrackId b) {
        return sliceCount(profile, profile.track(a)) < sliceCount(profile, profile.track(b));
    });
}

/// The process whose rows are open when there are too many to open all: the first with steps, else the first.
std::uint32_t principalProcess(const Profile& profile)
{
    return profile.steps.empty() ? 0 : profile.steps.front().process;
}

bool isShort(const Profile& profile, const Track& track)
{
    switch (track.kind) {
    case TrackKind::Process:
        return profile.devices.size() > kFewDevices && track.process != principalProcess(profile);
    case TrackKind::ProcessGroup:
        return true;
    case TrackKind::CpuGroup:
        return !profile.devices.empty(); // Its counters fill pages; the devices come first.
    case TrackKind::GpuHost:
        return track.rowCount > kFewHostRows;
    default:
        return false;
    }
}

} // namespace

bool isExpandable(const Track& track) { return !track.children.empty() || track.rowCount > 1; }

std::vector<bool> defaultExpansion(const Profile& profile)
{
    std::vector<bool> expanded(profile.tracks.size(), true);
    for (std::size_t index = 0; index < profile.tracks.size(); ++index) {
        const Track& track = profile.tracks[index];
        if (isShort(profile, track)) expanded[index] = false;
        if (track.kind != TrackKind::ThreadGroup || track.children.size() <= kFewThreads) continue;
        // Many threads: one line each, but the principal one in full.
        const TrackId principal = principalThread(profile, track);
        for (const TrackId child : track.children) expanded[child.value] = child == principal;
    }
    return expanded;
}

} // namespace stepscope
