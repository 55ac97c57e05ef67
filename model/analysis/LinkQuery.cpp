// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/LinkQuery.h"

#include "profile/Busy.h"

#include <algorithm>

namespace stepscope
{

std::span<const SliceId> runsOf(const Profile& profile, SliceId launch)
{
    const auto& launches = profile.links.launch;
    const auto [first, last] = std::equal_range(launches.begin(), launches.end(), launch);
    return std::span(profile.links.run)
        .subspan(static_cast<std::size_t>(first - launches.begin()), static_cast<std::size_t>(last - first));
}

SliceId launchOf(const Profile& profile, SliceId run)
{
    const LinkTable& links = profile.links;
    const auto place = std::lower_bound(links.byRun.begin(), links.byRun.end(), run,
                                        [&](std::uint32_t link, SliceId id) { return links.run[link] < id; });
    return place != links.byRun.end() && links.run[*place] == run ? links.launch[*place] : SliceId{};
}

std::int64_t launchLatencyNs(const Profile& profile, SliceId launch, SliceId run)
{
    return profile.slices.startNs[run.value] - profile.slices.startNs[launch.value];
}

SliceId parentOf(const Profile& profile, SliceId slice)
{
    const TimeSpan span = profile.sliceSpan(slice);
    const std::uint32_t row = profile.rowOf(slice);
    const std::uint32_t firstRow = profile.track(profile.rowTrack[row]).firstRow;
    for (std::uint32_t above = row; above > firstRow; --above) {
        const RowView view = profile.row(above - 1);
        // The last slice that starts no later than this one.
        const auto after = std::upper_bound(view.startNs.begin(), view.startNs.end(), span.beginNs);
        if (after == view.startNs.begin()) continue;
        const auto index = static_cast<std::size_t>(after - view.startNs.begin()) - 1;
        if (view.endNs(index) >= span.endNs && (view.endNs(index) > span.beginNs || span.empty()))
            return view.id(index);
    }
    return {};
}

std::vector<SliceId> childrenOf(const Profile& profile, SliceId slice)
{
    std::vector<SliceId> children;
    const std::uint32_t row = profile.rowOf(slice);
    const Track& track = profile.track(profile.rowTrack[row]);
    if (row + 1 >= track.firstRow + track.rowCount) return children;
    const RowView below = profile.row(row + 1);
    const TimeSpan span = profile.sliceSpan(slice);
    const auto first = std::lower_bound(below.startNs.begin(), below.startNs.end(), span.beginNs);
    for (auto index = static_cast<std::size_t>(first - below.startNs.begin());
         index < below.size() && below.startNs[index] < span.endNs; ++index)
        if (below.endNs(index) <= span.endNs) children.push_back(below.id(index));
    return children;
}

std::int64_t selfTimeNs(const Profile& profile, SliceId slice)
{
    std::int64_t self = profile.slices.durNs[slice.value];
    for (const SliceId child : childrenOf(profile, slice)) self -= profile.slices.durNs[child.value];
    return self;
}

std::optional<std::size_t> stepOf(const Profile& profile, SliceId slice)
{
    const std::uint32_t process = profile.track(profile.trackOf(slice)).process;
    const bool onDevice = profile.track(profile.trackOf(slice)).device != kNone;
    const SliceId launch = onDevice ? launchOf(profile, slice) : slice;
    const bool byHost = launch.valid();
    const std::int64_t ns = profile.slices.startNs[byHost ? launch.value : slice.value];
    for (std::size_t index = 0; index < profile.steps.size(); ++index) {
        const Step& step = profile.steps[index];
        if (step.process != process) continue;
        if (byHost ? step.host.contains(ns) : step.device && step.device->contains(ns)) return index;
    }
    return std::nullopt;
}

} // namespace stepscope
