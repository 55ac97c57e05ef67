// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/SliceDetails.h"

#include "analysis/LinkQuery.h"

#include <algorithm>

namespace stepscope
{

namespace
{

std::uint32_t fileOf(const Profile& profile, SliceId slice)
{
    const Track& track = profile.track(profile.trackOf(slice));
    if (track.device != kNone) return profile.devices[track.device].file;
    return track.process != kNone ? profile.processes[track.process].file : 0;
}

/// The arguments of the events that end a slice belong to it too.
void appendEndArguments(const SourceFile& file, SourceRef begin, std::vector<SourceField>& fields)
{
    auto more = std::lower_bound(file.endSources.begin(), file.endSources.end(), std::pair(begin, SourceRef{}));
    for (; more != file.endSources.end() && more->first == begin; ++more) {
        const auto atEnd = file.source->fieldsOf(more->second);
        if (!atEnd) continue;
        for (const SourceField& field : *atEnd)
            if (field.argument) fields.push_back(field);
    }
}

} // namespace

NameStatistics compareWithName(const Profile& profile, SliceId slice)
{
    const SliceColumns& slices = profile.slices;
    const StringId name = slices.name[slice.value];
    const SliceKind kind = slices.kind[slice.value];
    const std::int64_t own = slices.durNs[slice.value];
    std::vector<std::int64_t> durations;
    NameStatistics statistics;
    for (std::size_t other = 0; other < slices.size(); ++other) {
        if (slices.name[other] != name || slices.kind[other] != kind) continue;
        durations.push_back(slices.durNs[other]);
        statistics.totalNs += slices.durNs[other];
        if (slices.durNs[other] > own) ++statistics.longer;
    }
    const std::size_t count = durations.size();
    const auto nth = [&](std::size_t place) {
        std::nth_element(durations.begin(), durations.begin() + static_cast<std::ptrdiff_t>(place), durations.end());
        return durations[place];
    };
    statistics.count = count;
    statistics.medianNs = nth(count / 2);
    statistics.p95Ns = nth((count * 95 + 99) / 100 - 1);
    statistics.leastNs = *std::min_element(durations.begin(), durations.end());
    statistics.greatestNs = *std::max_element(durations.begin(), durations.end());
    statistics.percentile = 100.0 * static_cast<double>(count - statistics.longer) / static_cast<double>(count);
    return statistics;
}

std::optional<std::vector<SourceField>> sourceFieldsOf(const Profile& profile, SliceId slice)
{
    const SourceRef ref = profile.slices.source[slice.value];
    const auto& source = profile.files[fileOf(profile, slice)].source;
    if (!source || !ref.known()) return std::nullopt;
    auto fields = source->fieldsOf(ref);
    if (fields) appendEndArguments(profile.files[fileOf(profile, slice)], ref, *fields);
    return fields;
}

std::vector<std::string> trackPathOf(const Profile& profile, SliceId slice)
{
    std::vector<std::string> path;
    for (TrackId track = profile.trackOf(slice); track.valid(); track = profile.track(track).parent)
        path.push_back(profile.track(track).name);
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<SliceId> parentsOf(const Profile& profile, SliceId slice)
{
    std::vector<SliceId> parents;
    for (SliceId parent = parentOf(profile, slice); parent.valid(); parent = parentOf(profile, parent))
        parents.push_back(parent);
    return parents;
}

} // namespace stepscope
