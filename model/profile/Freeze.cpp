// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Freeze.h"

#include "core/ParallelFor.h"

#include <algorithm>

namespace stepscope::draft
{

namespace
{

std::string baseName(const std::string& path)
{
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

void pairAllEdges(Draft& draft)
{
    for (Lane& lane : draft.lanes) {
        if (lane.edges.empty()) continue;
        pairEdges(lane, draft.files[lane.file].lastNs, draft.files[lane.file].file.endSources);
        draft.diagnostics.add(DiagnosticCode::UnmatchedBegin, lane.unmatchedBegins);
        draft.diagnostics.add(DiagnosticCode::UnmatchedEnd, lane.unmatchedEnds);
    }
}

void allocate(SliceColumns& slices, std::size_t count)
{
    slices.startNs.resize(count);
    slices.durNs.resize(count);
    slices.name.resize(count);
    slices.source.resize(count);
    slices.category.resize(count);
    slices.kind.resize(count);
}

/// Gives each lane its place among the slices, then finishes all of them.
void finishLanes(Draft& draft, Profile& profile, const LoadProgress& progress)
{
    std::uint32_t count = 0;
    for (Lane& lane : draft.lanes) {
        lane.firstSlice = count;
        count += static_cast<std::uint32_t>(lane.intervals.size());
    }
    allocate(profile.slices, count);
    parallelFor(draft.lanes.size(), [&](std::size_t index) {
        Lane& lane = draft.lanes[index];
        if (!progress.cancelled()) finishLane(lane, draft.files[lane.file].file.shiftNs, profile.slices);
    });
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
        lane.blocks = {};
        profile.tracks.push_back(std::move(track));
        draft.diagnostics.add(DiagnosticCode::Overlap, lane.overlaps);
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
    profile.format = profile.files.size() == 1 || oneRecording ? profile.files.front().format : "folder";
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

void noteWhatIsMissing(Draft& draft, const Profile& profile)
{
    if (profile.devices.empty()) draft.diagnostics.add(DiagnosticCode::NoDeviceWork);
    if (profile.steps.empty()) draft.diagnostics.add(DiagnosticCode::NoSteps);
}

} // namespace

void alignClocks(Draft& draft, Profile& profile)
{
    std::optional<std::int64_t> origin;
    std::int64_t firstNs = INT64_MAX;
    for (const FileDraft& file : draft.files)
        if (file.epochNs) origin = origin ? std::min(*origin, *file.epochNs) : *file.epochNs;
    for (FileDraft& file : draft.files) {
        if (!file.epochNs) continue;
        file.file.shiftNs = *file.epochNs - *origin;
        firstNs = std::min(firstNs, file.firstNs + file.file.shiftNs);
    }
    for (FileDraft& file : draft.files) {
        if (file.epochNs || draft.files.size() == 1 || file.firstNs > file.lastNs) continue;
        if (firstNs == INT64_MAX) firstNs = file.firstNs;
        file.file.shiftNs = firstNs - file.firstNs;
        draft.diagnostics.add(DiagnosticCode::ClockUnaligned, 1, baseName(file.file.path));
    }
    profile.originUnixNs = origin;
}

void pairEdges(Lane& lane, std::int64_t lastNs, std::vector<std::pair<SourceRef, SourceRef>>& endSources)
{
    std::stable_sort(lane.edges.begin(), lane.edges.end(),
                     [](const Edge& a, const Edge& b) { return a.timeNs < b.timeNs; });
    std::vector<std::size_t> open;
    for (std::size_t index = 0; index < lane.edges.size(); ++index) {
        if (lane.edges[index].begin) {
            open.push_back(index);
        } else if (open.empty()) {
            ++lane.unmatchedEnds;
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
    for (const std::size_t index : open) {
        const Edge& begin = lane.edges[index];
        lane.intervals.push_back({begin.timeNs, std::max<std::int64_t>(0, lastNs - begin.timeNs)});
        lane.contents.push_back(begin.content);
    }
    lane.edges = {};
}

void finishLane(Lane& lane, std::int64_t shiftNs, SliceColumns& slices)
{
    const auto order = sortedOrder(lane.intervals);
    const bool stacked = lane.kind == TrackKind::Stream || lane.kind == TrackKind::Async;
    const RowAssignment rows = stacked ? stackRows(lane.intervals, order) : nestRows(lane.intervals, order);
    if (lane.kind != TrackKind::Async) lane.overlaps = rows.overlaps;
    std::vector<std::uint32_t> next(rows.rowCount + 1, 0);
    for (const std::uint32_t row : rows.row) ++next[row + 1];
    for (std::size_t row = 1; row < next.size(); ++row) next[row] += next[row - 1];
    lane.rowEnds.assign(next.begin() + 1, next.end());

    const bool marked = !lane.correlations.empty() || !lane.stepMarks.empty() || !lane.flowEnds.empty();
    std::vector<std::uint32_t> finalOf;
    if (marked) finalOf.resize(order.size());
    for (const std::uint32_t raw : order) {
        const std::uint32_t place = lane.firstSlice + next[rows.row[raw]]++;
        if (!finalOf.empty()) finalOf[raw] = place;
        const Content& content = lane.contents[raw];
        slices.startNs[place] = lane.intervals[raw].startNs + shiftNs;
        slices.durNs[place] = lane.intervals[raw].durNs;
        slices.name[place] = content.name;
        slices.source[place] = content.source;
        slices.category[place] = content.category;
        slices.kind[place] = content.kind;
    }
    for (Correlation& correlation : lane.correlations) correlation.slice = finalOf[correlation.slice];
    for (Correlation& mark : lane.stepMarks) mark.slice = finalOf[mark.slice];
    for (SliceFlowEnd& end : lane.flowEnds) end.slice = finalOf[end.slice];
    lane.intervals.clear();
    lane.contents.clear();

    std::uint32_t begin = 0;
    for (const std::uint32_t end : lane.rowEnds) {
        lane.rowFirstBlock.push_back(static_cast<std::uint32_t>(lane.blocks.size()));
        appendRowBlocks(std::span(slices.durNs).subspan(lane.firstSlice + begin, end - begin), lane.blocks);
        begin = end;
    }
}

std::shared_ptr<const Profile> freeze(Draft draft, std::string path, LoadProgress& progress)
{
    auto profile = std::make_shared<Profile>();
    profile->path = std::move(path);
    progress.setStage(LoadStage::Sorting);
    alignClocks(draft, *profile);
    pairAllEdges(draft);
    // Lanes that only metadata spoke of hold nothing to show.
    std::erase_if(draft.counters, [](const CounterDraft& counter) { return counter.timeNs.empty(); });
    setSpan(draft, *profile);
    finishLanes(draft, *profile, progress);
    if (progress.cancelled()) return nullptr;
    makeLaneTracks(draft, *profile);
    profile->strings = std::move(draft.strings);
    profile->categories = std::move(draft.categories);

    progress.setStage(LoadStage::Linking);
    buildLinks(draft, *profile);
    if (progress.cancelled()) return nullptr;
    buildFlows(draft, *profile);
    buildDevices(draft, *profile);
    if (progress.cancelled()) return nullptr;
    buildSteps(draft, *profile);
    buildTree(draft, *profile);
    moveFiles(draft, *profile);
    trim(*profile);
    noteWhatIsMissing(draft, *profile);
    profile->diagnostics = draft.diagnostics.finish();
    progress.setStage(LoadStage::Done);
    return progress.cancelled() ? nullptr : profile;
}

} // namespace stepscope::draft
