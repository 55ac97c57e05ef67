// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/SliceWalk.h"

#include "analysis/LinkQuery.h"

#include <utility>

namespace stepscope
{

namespace
{

SliceId alongLine(const Profile& profile, SliceId slice, bool forward)
{
    const RowRecord& row = profile.rows[profile.rowOf(slice)];
    if (forward) return slice.value + 1 < row.end ? SliceId{slice.value + 1} : SliceId{};
    return slice.value > row.begin ? SliceId{slice.value - 1} : SliceId{};
}

/// The slice of a line that covers a moment, else the one closest to it.
SliceId closestIn(const RowView& row, std::int64_t ns)
{
    if (row.size() == 0) return {};
    const std::size_t after = row.firstEndingAfter(ns);
    if (after == row.size()) return row.id(row.size() - 1);
    if (after == 0 || row.startNs[after] <= ns) return row.id(after);
    return row.startNs[after] - ns < ns - row.endNs(after - 1) ? row.id(after) : row.id(after - 1);
}

/// Rows that hold slices of their own, in the order of the screen.
std::vector<std::uint32_t> visibleLines(const Profile& profile, const TrackLayout& layout)
{
    std::vector<std::uint32_t> lines;
    for (const LayoutRow& row : layout.rows()) {
        const Track& track = profile.track(row.track);
        if (row.body != RowBody::Slices || track.firstRow >= profile.ownRowCount) continue;
        for (int line = 0; line < row.lines; ++line) lines.push_back(track.firstRow + static_cast<std::uint32_t>(line));
    }
    return lines;
}

SliceId acrossLines(const Profile& profile, const TrackLayout& layout, SliceId slice, bool down)
{
    const auto lines = visibleLines(profile, layout);
    const std::uint32_t own = profile.rowOf(slice);
    for (std::size_t place = 0; place < lines.size(); ++place) {
        if (lines[place] != own) continue;
        if (down ? place + 1 == lines.size() : place == 0) return {};
        return closestIn(profile.row(lines[down ? place + 1 : place - 1]), profile.slices.startNs[slice.value]);
    }
    return {};
}

} // namespace

SliceId neighbour(const Profile& profile, const TrackLayout& layout, SliceId slice, WalkDirection direction)
{
    switch (direction) {
    case WalkDirection::Left:
        return alongLine(profile, slice, false);
    case WalkDirection::Right:
        return alongLine(profile, slice, true);
    case WalkDirection::Up:
        if (const SliceId parent = parentOf(profile, slice); parent.valid()) return parent;
        return acrossLines(profile, layout, slice, false);
    case WalkDirection::Down:
        if (const auto children = childrenOf(profile, slice); !children.empty()) return children.front();
        return acrossLines(profile, layout, slice, true);
    }
    return {};
}

SliceId nextOfSameName(const Profile& profile, SliceId slice, bool forward)
{
    const SliceColumns& slices = profile.slices;
    const StringId name = slices.name[slice.value];
    const std::pair here(slices.startNs[slice.value], slice.value);
    auto best = here;
    for (std::uint32_t other = 0; other < slices.size(); ++other) {
        if (slices.name[other] != name) continue;
        const std::pair there(slices.startNs[other], other);
        const bool beyond = forward ? there > here : there < here;
        if (beyond && (best == here || (forward ? there < best : there > best))) best = there;
    }
    return best == here ? SliceId{} : SliceId{best.second};
}

SliceId firstSliceIn(const Profile& profile, const TrackLayout& layout, TimeSpan span)
{
    for (const std::uint32_t line : visibleLines(profile, layout)) {
        const RowView row = profile.row(line);
        const std::size_t first = row.firstEndingAfter(span.beginNs);
        if (first < row.size() && row.startNs[first] < span.endNs) return row.id(first);
    }
    return {};
}

} // namespace stepscope
