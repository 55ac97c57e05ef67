// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Progress.h"
#include "profile/ProfileDraft.h"

#include <memory>

/// The steps that turn a draft into a Profile, in the order in which freeze() takes them.
namespace stepscope::draft
{

/// Null if cancelled.
[[nodiscard]] std::shared_ptr<const Profile> freeze(Draft draft, std::string path, LoadProgress& progress);

/// Sets shiftNs of each file and the profile's origin. Files that know their wall clock keep their distance to each
/// other, unless matching collectives show that the clocks disagree by more than the shortest of them; files without a
/// wall clock are placed by their collectives, else they start where the first file starts.
void alignClocks(Draft& draft, Profile& profile);

/// Turns begin and end events into slices of their lane. What an end says more is noted in `endSources`.
void pairEdges(Lane& lane, std::int64_t lastNs, std::vector<std::pair<SourceRef, SourceRef>>& endSources);

/// Sorts and nests one lane, writes the times of its slices to their final place and gives up the intervals. Lanes may
/// be placed in parallel.
void placeSlices(Lane& lane, std::int64_t shiftNs, SliceColumns& slices, const LoadProgress& progress);

/// Writes what a placed lane's slices are beside their times, and gives that up too. Also in parallel.
void fillSlices(Lane& lane, SliceColumns& slices);

/// Joins launches and runs of each file by correlation id, and the file's other arrows by their ids.
/// Like the steps below they return early, with a profile that is no use to anyone, once the load is cancelled.
void buildLinks(Draft& draft, Profile& profile, const LoadProgress& progress);
void buildFlows(Draft& draft, Profile& profile, const LoadProgress& progress);

/// Finds processes, devices and their busy time.
void buildDevices(Draft& draft, Profile& profile);

/// Finds the steps of each process. Needs links and devices.
void buildSteps(Draft& draft, Profile& profile);

/// Makes headings, projections and counters, and files every track under its parent. Needs all of the above.
void buildTree(Draft& draft, Profile& profile, const LoadProgress& progress);

/// Appends rows that show slices of other tracks again, nested anew. Returns the first row and their number.
[[nodiscard]] std::pair<std::uint32_t, std::uint32_t>
appendProjection(Profile& profile, const std::vector<SliceId>& slices, TrackId track);

} // namespace stepscope::draft
