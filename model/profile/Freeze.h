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
/// other; the others start where the first of those starts.
void alignClocks(Draft& draft, Profile& profile);

/// Turns begin and end events into slices of their lane.
void pairEdges(Lane& lane, std::int64_t lastNs);

/// Sorts and nests one lane, writes the times of its slices to their final place and gives up the intervals. Lanes may
/// be placed in parallel.
void placeSlices(Lane& lane, std::int64_t shiftNs, SliceColumns& slices);

/// Writes what a placed lane's slices are beside their times, and gives that up too. Also in parallel.
void fillSlices(Lane& lane, SliceColumns& slices);

/// Joins launches and runs of each file by correlation id, and the file's other arrows by their ids.
void buildLinks(Draft& draft, Profile& profile);
void buildFlows(Draft& draft, Profile& profile);

/// Finds processes, devices and their busy time.
void buildDevices(Draft& draft, Profile& profile);

/// Finds the steps of each process. Needs links and devices.
void buildSteps(Draft& draft, Profile& profile);

/// Makes headings, projections and counters, and files every track under its parent. Needs all of the above.
void buildTree(Draft& draft, Profile& profile);

/// Appends rows that show slices of other tracks again, nested anew. Returns the first row and their number.
[[nodiscard]] std::pair<std::uint32_t, std::uint32_t> appendProjection(Profile& profile,
                                                                       const std::vector<SliceId>& slices,
                                                                       TrackId track);

} // namespace stepscope::draft
