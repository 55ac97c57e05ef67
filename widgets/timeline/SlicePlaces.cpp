// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/SlicePlaces.h"

#include <algorithm>

namespace stepscope
{

namespace
{

SlicePlace placeIn(const TrackLayout& layout, std::size_t layoutRow, TrackId track, std::uint32_t line)
{
    const LayoutRow& row = layout.rows()[layoutRow];
    SlicePlace place;
    place.layoutRow = layoutRow;
    if (row.body == RowBody::Slices) {
        place.y = row.lineY(line);
        place.height = row.lineHeight - 1;
    } else {
        place.y = row.y + row.padding;
        place.height = row.height - 2 * row.padding;
    }
    place.hidden = row.track != track || (row.body == RowBody::Slices && static_cast<int>(line) >= row.lines);
    return place;
}

bool shows(const RowView& row, SliceId slice, std::int64_t startNs)
{
    auto at = std::lower_bound(row.startNs.begin(), row.startNs.end(), startNs);
    for (; at != row.startNs.end() && *at == startNs; ++at)
        if (row.id(static_cast<std::size_t>(at - row.startNs.begin())) == slice) return true;
    return false;
}

} // namespace

std::vector<SlicePlace> placesOf(const Profile& profile, const TrackLayout& layout, SliceId slice)
{
    std::vector<SlicePlace> places;
    const std::uint32_t ownRow = profile.rowOf(slice);
    const TrackId ownTrack = profile.rowTrack[ownRow];
    if (const auto row = layout.rowOf(ownTrack))
        places.push_back(placeIn(layout, *row, ownTrack, ownRow - profile.track(ownTrack).firstRow));
    const std::uint32_t process = profile.track(ownTrack).process;
    const std::int64_t startNs = profile.slices.startNs[slice.value];
    for (std::uint32_t index = profile.ownRowCount; index < profile.rows.size(); ++index) {
        const TrackId track = profile.rowTrack[index];
        if (profile.track(track).process != process || !layout.isVisible(track)) continue;
        if (!shows(profile.row(index), slice, startNs)) continue;
        const SlicePlace place = placeIn(layout, *layout.rowOf(track), track, index - profile.track(track).firstRow);
        if (!place.hidden) places.push_back(place);
    }
    return places;
}

std::optional<SlicePlace> bestPlace(const SceneInput& input, SliceId slice)
{
    const auto places = placesOf(*input.profile, *input.layout, slice);
    if (places.empty()) return std::nullopt;
    const SlicePlace* best = &places.front();
    const auto rank = [&](const SlicePlace& place) {
        const int y = place.y - input.scrollY;
        const bool inView = y + place.height > 0 && y < input.size.height();
        return (place.hidden ? 0 : 1) + (inView ? 2 : 0);
    };
    for (const SlicePlace& place : places)
        if (rank(place) > rank(*best)) best = &place;
    return *best;
}

} // namespace stepscope
