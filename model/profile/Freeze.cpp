// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Freeze.h"

#include "core/ParallelFor.h"
#include "profile/Health.h"

#include <algorithm>
#include <span>

namespace stepscope::draft
{

namespace
{

void pairAllEdges(Draft& draft, const LoadProgress& progress)
{
    for (Lane& lane : draft.lanes) {
        if (progress.cancelled()) return;
        if (lane.edges.empty()) continue;
        pairEdges(lane, draft.files[lane.file].lastNs, draft.files[lane.file].file.endSources);
        const FileDraft& file = draft.files[lane.file];
        const auto place = [&](const Edge& edge) {
            const bool named = edge.content.name.valid();
            return placeAt(named ? draft.strings.view(edge.content.name) : lane.key, edge.timeNs - file.firstNs,
                           file.file.path);
        };
        if (lane.unmatchedBegins > 0)
            draft.diagnostics.add(DiagnosticCode::UnmatchedBegin, lane.unmatchedBegins,
                                  place(lane.firstUnmatchedBegin));
        if (lane.unmatchedEnds > 0)
            draft.diagnostics.add(DiagnosticCode::UnmatchedEnd, lane.unmatchedEnds, place(lane.firstUnmatchedEnd));
    }
}

void reserve(SliceColumns& slices, std::size_t count)
{
    slices.startNs.reserve(count);
    slices.durNs.reserve(count);
    slices.name.reserve(count);
    slices.source.reserve(count);
    slices.category.reserve(count);
    slices.kind.reserve(count);
}

/// Finishes lanes that follow each other; `end` is behind their last slice. Columns grow after the drafts of what was
/// written before are freed, so that draft and columns never take up memory both at once.
void finishLanes(Draft& draft, std::span<Lane> lanes, std::uint32_t end, SliceColumns& slices,
                 const LoadProgress& progress)
{
    slices.startNs.resize(end);
    slices.durNs.resize(end);
    parallelFor(lanes.size(), [&](std::size_t index) {
        if (!progress.cancelled())
            placeSlices(lanes[index], draft.files[lanes[index].file].file.shiftNs, slices, progress);
    });
    slices.name.resize(end);
    slices.source.resize(end);
    slices.category.resize(end);
    slices.kind.resize(end);
    parallelFor(lanes.size(), [&](std::size_t index) {
        if (!progress.cancelled()) fillSlices(lanes[index], slices);
    });
}

/// Gives each lane its place among the slices, then finishes them, a third of all slices at a time.
void finishLanes(Draft& draft, Profile& profile, const LoadProgress& progress)
{
    std::uint32_t count = 0;
    for (Lane& lane : draft.lanes) {
        lane.firstSlice = count;
        count += static_cast<std::uint32_t>(lane.intervals.size());
    }
    reserve(profile.slices, count);
    for (std::size_t first = 0; first < draft.lanes.size();) {
        std::size_t last = first;
        std::uint32_t end = draft.lanes[first].firstSlice;
        while (last < draft.lanes.size() && end - draft.lanes[first].firstSlice <= count / 3)
            end += static_cast<std::uint32_t>(draft.lanes[last++].intervals.size());
        finishLanes(draft, std::span(draft.lanes).subspan(first, last - first), end, profile.slices, progress);
        first = last;
    }
}

/// One track a lane; rows and their summaries move into the profile.
void makeLaneTracks(Draft& draft, Profile& profile)
{
    for (Lane& lane : draft.lanes) {
        const TrackId id{static_cast<std::uint32_t>(profile.tracks.size())};
        Track track;
        track.kind = lane.kind;
        track.device = lane.device;
        lane.firstRow = track.firstRow = static_cast<std::uint32_t>(profile.rows.size());
        lane.rowCount = track.rowCount = static_cast<std::uint32_t>(lane.rowEnds.size());
        const auto firstBlock = static_cast<std::uint32_t>(profile.rowBlocks.size());
        std::uint32_t begin = lane.firstSlice;
        for (std::size_t row = 0; row < lane.rowEnds.size(); ++row) {
            const std::uint32_t end = lane.firstSlice + lane.rowEnds[row];
            profile.rows.push_back({begin, end, firstBlock + lane.rowFirstBlock[row], false});
            profile.rowTrack.push_back(id);
            begin = end;
        }
        profile.rowBlocks.insert(profile.rowBlocks.end(), lane.blocks.begin(), lane.blocks.end());
        release(lane.blocks);
        profile.tracks.push_back(std::move(track));
    }
    profile.ownRowCount = static_cast<std::uint32_t>(profile.rows.size());
}

void setSpan(const Draft& draft, Profile& profile)
{
    TimeSpan span{INT64_MAX, INT64_MIN};
    for (const FileDraft& file : draft.files)
        if (file.firstNs <= file.lastNs)
            span = span.united({file.firstNs + file.file.shiftNs, file.lastNs + file.file.shiftNs});
    profile.span = span.beginNs <= span.endNs ? span : TimeSpan{};
}

void moveFiles(Draft& draft, Profile& profile)
{
    for (FileDraft& file : draft.files) std::sort(file.file.endSources.begin(), file.file.endSources.end());
    for (FileDraft& file : draft.files) profile.files.push_back(std::move(file.file));
    const bool oneRecording = std::all_of(profile.files.begin(), profile.files.end(), [&](const SourceFile& file) {
        return !file.parts.empty() && file.format == profile.files.front().format;
    });
    profile.format =
        (profile.files.size() == 1 && !draft.folder) || oneRecording ? profile.files.front().format : "folder";
}

/// Vectors that grew while they were filled give back what they did not need.
void trim(Profile& profile)
{
    profile.rows.shrink_to_fit();
    profile.rowTrack.shrink_to_fit();
    profile.rowBlocks.shrink_to_fit();
    profile.projections.startNs.shrink_to_fit();
    profile.projections.durNs.shrink_to_fit();
    profile.projections.slice.shrink_to_fit();
    profile.flows.shrink_to_fit();
}

} // namespace

void pairEdges(Lane& lane, std::int64_t lastNs, std::vector<std::pair<SourceRef, SourceRef>>& endSources)
{
    std::stable_sort(lane.edges.begin(), lane.edges.end(),
                     [](const Edge& a, const Edge& b) { return a.timeNs < b.timeNs; });
    std::vector<std::size_t> open;
    for (std::size_t index = 0; index < lane.edges.size(); ++index) {
        if (lane.edges[index].begin) {
            open.push_back(index);
        } else if (open.empty()) {
            if (lane.unmatchedEnds++ == 0) lane.firstUnmatchedEnd = lane.edges[index];
        } else {
            const Edge& begin = lane.edges[open.back()];
            lane.intervals.push_back({begin.timeNs, lane.edges[index].timeNs - begin.timeNs});
            lane.contents.push_back(begin.content);
            if (const SourceRef end = lane.edges[index].content.source; end.known() && begin.content.source.known())
                endSources.emplace_back(begin.content.source, end);
            open.pop_back();
        }
    }
    lane.unmatchedBegins = open.size();
    if (!open.empty()) lane.firstUnmatchedBegin = lane.edges[open.front()];
    for (const std::size_t index : open) {
        const Edge& begin = lane.edges[index];
        lane.intervals.push_back({begin.timeNs, std::max<std::int64_t>(0, lastNs - begin.timeNs)});
        lane.contents.push_back(begin.content);
    }
    release(lane.edges);
}

void placeSlices(Lane& lane, std::int64_t shiftNs, SliceColumns& slices, const LoadProgress& progress)
{
    const auto order = sortedOrder(lane.intervals);
    if (progress.cancelled()) return;
    const bool stacked = lane.kind == TrackKind::Stream || lane.kind == TrackKind::Async;
    RowAssignment rows = stacked ? stackRows(lane.intervals, order) : nestRows(lane.intervals, order);
    if (lane.kind != TrackKind::Async) lane.overlaps = rows.overlaps;
    lane.firstOverlap = rows.firstOverlap;
    if (progress.cancelled()) return;
    std::vector<std::uint32_t> next(rows.rowCount + 1, 0);
    for (const std::uint32_t row : rows.row) ++next[row + 1];
    for (std::size_t row = 1; row < next.size(); ++row) next[row] += next[row - 1];
    lane.rowEnds.assign(next.begin() + 1, next.end());

    for (const std::uint32_t raw : order) {
        std::uint32_t& place = rows.row[raw]; // the row is not needed any more
        place = lane.firstSlice + next[place]++;
        slices.startNs[place] = lane.intervals[raw].startNs + shiftNs;
        slices.durNs[place] = lane.intervals[raw].durNs;
    }
    lane.places = std::move(rows.row);
    if (lane.overlaps > 0) lane.firstOverlap = lane.places[lane.firstOverlap];
    for (Correlation& correlation : lane.correlations) correlation.slice = lane.places[correlation.slice];
    for (Correlation& mark : lane.stepMarks) mark.slice = lane.places[mark.slice];
    for (SliceFlowEnd& end : lane.flowEnds) end.slice = lane.places[end.slice];
    release(lane.intervals);

    std::uint32_t begin = 0;
    for (const std::uint32_t end : lane.rowEnds) {
        lane.rowFirstBlock.push_back(static_cast<std::uint32_t>(lane.blocks.size()));
        appendRowBlocks(std::span(slices.durNs).subspan(lane.firstSlice + begin, end - begin), lane.blocks);
        begin = end;
    }
}

void fillSlices(Lane& lane, SliceColumns& slices)
{
    for (std::size_t raw = 0; raw < lane.contents.size(); ++raw) {
        const Content& content = lane.contents[raw];
        const std::uint32_t place = lane.places[raw];
        slices.name[place] = content.name;
        slices.source[place] = content.source;
        slices.category[place] = content.category;
        slices.kind[place] = content.kind;
    }
    release(lane.contents);
    release(lane.places);
}

std::shared_ptr<const Profile> freeze(Draft draft, std::string path, LoadProgress& progress)
{
    auto profile = std::make_shared<Profile>();
    profile->path = std::move(path);
    progress.setStage(LoadStage::Sorting);
    alignClocks(draft, *profile);
    pairAllEdges(draft, progress);
    // Lanes that only metadata spoke of hold nothing to show.
    std::erase_if(draft.counters, [](const CounterDraft& counter) { return counter.timeNs.empty(); });
    setSpan(draft, *profile);
    finishLanes(draft, *profile, progress);
    if (progress.cancelled()) return nullptr;
    makeLaneTracks(draft, *profile);
    profile->strings = std::move(draft.strings);
    profile->categories = std::move(draft.categories);

    progress.setStage(LoadStage::Linking);
    buildLinks(draft, *profile, progress);
    if (progress.cancelled()) return nullptr;
    buildFlows(draft, *profile, progress);
    if (progress.cancelled()) return nullptr;
    buildDevices(draft, *profile);
    if (progress.cancelled()) return nullptr;
    buildSteps(draft, *profile);
    if (progress.cancelled()) return nullptr;
    buildTree(draft, *profile, progress);
    if (progress.cancelled()) return nullptr;
    moveFiles(draft, *profile);
    trim(*profile);
    noteHealth(draft, *profile);
    profile->diagnostics = draft.diagnostics.finish();
    progress.setStage(LoadStage::Done);
    return progress.cancelled() ? nullptr : profile;
}

} // namespace stepscope::draft
