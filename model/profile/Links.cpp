// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/RunSort.h"
#include "profile/Freeze.h"
#include "profile/Health.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace stepscope::draft
{

namespace
{

/// One file's side of the join on the host, sorted by correlation id. The runs stay in their lanes.
void sortById(std::vector<Correlation>& side)
{
    sortRuns(side,
             [](const Correlation& a, const Correlation& b) { return a.id != b.id ? a.id < b.id : a.slice < b.slice; });
}

std::vector<std::vector<Correlation>> callsOfFiles(const Draft& draft, const Profile& profile)
{
    std::vector<std::vector<Correlation>> files(draft.files.size());
    std::vector<std::size_t> counts(files.size());
    for (const Lane& lane : draft.lanes)
        if (isOfProcess(lane.kind)) counts[lane.file] += lane.correlations.size();
    for (std::size_t file = 0; file < files.size(); ++file) files[file].reserve(counts[file]);
    for (const Lane& lane : draft.lanes)
        for (const Correlation& entry : lane.correlations)
            if (isRuntimeCall(profile.slices.kind[entry.slice])) files[lane.file].push_back(entry);
    for (auto& calls : files) sortById(calls);
    return files;
}

/// The calls of one id that may have submitted a run, by start: the launches, or all calls where none is a launch.
std::vector<std::uint32_t> candidatesOf(const Profile& profile, std::span<const Correlation> calls)
{
    std::vector<std::uint32_t> candidates;
    for (const bool launches : {true, false}) {
        for (const Correlation& call : calls)
            if (!launches || profile.slices.kind[call.slice] == SliceKind::Launch) candidates.push_back(call.slice);
        if (!candidates.empty()) break;
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](std::uint32_t a, std::uint32_t b) {
        return profile.slices.startNs[a] < profile.slices.startNs[b];
    });
    return candidates;
}

/// The last candidate before the run, else the first one after it.
std::uint32_t bestCall(const Profile& profile, const std::vector<std::uint32_t>& candidates, std::uint32_t run)
{
    const auto after =
        std::upper_bound(candidates.begin(), candidates.end(), profile.slices.startNs[run],
                         [&](std::int64_t ns, std::uint32_t call) { return ns < profile.slices.startNs[call]; });
    return after == candidates.begin() ? *after : *(after - 1);
}

struct Joined {
    bool anyRun = false;        ///< the lane has runs with an id at all
    std::uint64_t doubtful = 0; ///< runs that had more than one launch to choose from
    std::uint32_t firstDoubtful = 0;
};

/// Joins the runs of one lane with the calls of its file.
Joined joinById(const Profile& profile, const Lane& lane, const std::vector<Correlation>& calls,
                std::vector<std::pair<std::uint32_t, std::uint32_t>>& links)
{
    Joined joined;
    auto call = calls.begin();
    std::uint64_t lastId = 0;
    std::vector<std::uint32_t> candidates; // of lastId, if several calls have it
    for (const Correlation& run : lane.correlations) {
        if (!isRun(profile.slices.kind[run.slice])) continue;
        // Ids mostly ascend along a stream: only where they do not, the search starts anew.
        const auto less = [](const Correlation& a, std::uint64_t id) { return a.id < id; };
        if (run.id < lastId) call = std::lower_bound(calls.begin(), call, run.id, less);
        if (run.id != lastId || !joined.anyRun) candidates.clear();
        joined.anyRun = true;
        lastId = run.id;
        for (int steps = 0; call != calls.end() && call->id < run.id; ++call)
            if (++steps == 16) {
                call = std::lower_bound(call, calls.end(), run.id, less);
                break;
            }
        if (call == calls.end() || call->id != run.id) continue;
        const auto next = call + 1;
        if (candidates.empty() && next != calls.end() && next->id == run.id) {
            const auto last =
                std::find_if(next, calls.end(), [&](const Correlation& other) { return other.id != run.id; });
            candidates = candidatesOf(profile, {call, last});
        }
        if (candidates.size() > 1 && joined.doubtful++ == 0) joined.firstDoubtful = run.slice;
        links.emplace_back(candidates.empty() ? call->slice : bestCall(profile, candidates, run.slice), run.slice);
    }
    return joined;
}

/// The slice of a lane that an arrow's end means: the deepest that encloses the moment, or that starts at or after it.
SliceId sliceAt(const Profile& profile, const Lane& lane, std::int64_t timeNs, bool enclosing)
{
    SliceId found;
    std::int64_t nextStart = INT64_MAX;
    for (std::uint32_t row = lane.firstRow; row < lane.firstRow + lane.rowCount; ++row) {
        const RowView view = profile.row(row);
        std::size_t index = view.firstEndingAfter(timeNs);
        // A slice without duration, or one that ends at this very moment, encloses it too.
        if (index > 0 && view.endNs(index - 1) == timeNs && (index == view.size() || view.startNs[index] > timeNs))
            --index;
        if (index == view.size()) continue;
        if (enclosing ? view.startNs[index] <= timeNs : view.startNs[index] == timeNs) {
            found = view.id(index);
        } else if (!enclosing && view.startNs[index] > timeNs && view.startNs[index] < nextStart) {
            nextStart = view.startNs[index];
            if (!found.valid() || profile.slices.startNs[found.value] != timeNs) found = view.id(index);
        }
    }
    return found;
}

/// Arrows name a stream by the pid and tid under which the file lists it, like a thread. Where no thread of that name
/// has slices, the stream is meant.
class LaneFinder
{
public:
    explicit LaneFinder(const Draft& draft) : m_draft(draft)
    {
        for (std::uint32_t index = 0; index < draft.lanes.size(); ++index) {
            const Lane& lane = draft.lanes[index];
            if (lane.kind != TrackKind::Stream || lane.rowEnds.empty()) continue;
            m_streams.emplace(std::tuple(lane.file, draft.devices[lane.owner].pid, lane.key), index);
        }
    }
    [[nodiscard]] const Lane& operator()(std::uint32_t index) const
    {
        const Lane& lane = m_draft.lanes[index];
        if (lane.kind != TrackKind::Thread || !lane.rowEnds.empty()) return lane;
        const std::string key = lane.key.starts_with("stream ") ? lane.key.substr(7) : lane.key;
        const auto stream = m_streams.find(std::tuple(lane.file, m_draft.processes[lane.owner].pid, key));
        return stream == m_streams.end() ? lane : m_draft.lanes[stream->second];
    }

private:
    const Draft& m_draft;
    std::map<std::tuple<std::uint32_t, std::string, std::string>, std::uint32_t> m_streams;
};

struct Pair {
    SliceId from;
    SliceId to;
    StringId category;
};

/// Pairs starts and finishes of equal category and id. Where an id has one start, all its finishes belong to it, even
/// earlier ones (clocks disagree); else each finish belongs to the last start before it in time.
std::vector<Pair> pairFlowEnds(const Draft& draft, const Profile& profile, const FileDraft& file,
                               const std::vector<FlowEnd>& ends)
{
    std::vector<Pair> pairs;
    if (ends.empty()) return pairs;
    std::vector<std::uint32_t> order(ends.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t end) { return std::pair(ends[end].id, ends[end].category.value); };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple_cat(key(a), std::tuple(ends[a].timeNs)) < std::tuple_cat(key(b), std::tuple(ends[b].timeNs));
    });
    const LaneFinder laneOf(draft);
    const auto sliceOf = [&](const FlowEnd& end) {
        const Lane& lane = laneOf(end.lane);
        const std::int64_t timeNs = end.timeNs + file.file.shiftNs;
        const SliceId slice = sliceAt(profile, lane, timeNs, end.binding != FlowBinding::Next);
        return slice.valid() || end.binding != FlowBinding::EnclosingOrNext ? slice
                                                                            : sliceAt(profile, lane, timeNs, false);
    };
    for (auto group = order.begin(); group != order.end();) {
        const auto last = std::find_if(group, order.end(), [&](std::uint32_t end) { return key(end) != key(*group); });
        const auto isStart = [&](std::uint32_t end) { return ends[end].start; };
        SliceId from;
        if (std::count_if(group, last, isStart) == 1) from = sliceOf(ends[*std::find_if(group, last, isStart)]);
        for (auto place = group; place != last; ++place) {
            const FlowEnd& end = ends[*place];
            const SliceId slice = sliceOf(end);
            if (end.start) from = slice;
            else if (from.valid() && slice.valid() && slice != from) pairs.push_back({from, slice, end.category});
        }
        group = last;
    }
    return pairs;
}

/// For files whose runs carry no correlation id: the profiler's own launch arrows say the same.
void joinByArrows(const Draft& draft, const Profile& profile, const FileDraft& file,
                  std::vector<std::pair<std::uint32_t, std::uint32_t>>& links)
{
    for (const Pair& pair : pairFlowEnds(draft, profile, file, file.launchFlowEnds)) {
        const auto& kind = profile.slices.kind;
        // Recordings from before 2021 hold no calls of the runtime: there the operator submitted the work.
        const bool submits = isRuntimeCall(kind[pair.from.value]) || kind[pair.from.value] == SliceKind::CpuOp;
        if (isRun(kind[pair.to.value]) && submits) links.emplace_back(pair.from.value, pair.to.value);
    }
}

/// Of what the links were made of, only the ids of synchronisation are asked for again (see Projections.cpp).
void dropUsedCorrelations(Draft& draft, const Profile& profile)
{
    for (Lane& lane : draft.lanes) {
        if (lane.kind == TrackKind::StreamSync) continue;
        GrowingArray<Correlation> kept;
        for (const Correlation& entry : lane.correlations)
            if (profile.slices.kind[entry.slice] == SliceKind::Sync) kept.push_back(entry);
        lane.correlations.swap(kept);
    }
}

} // namespace

void buildLinks(Draft& draft, Profile& profile, const LoadProgress& progress)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
    std::vector<bool> joined(draft.files.size(), false);
    {
        const auto calls = callsOfFiles(draft, profile);
        for (const Lane& lane : draft.lanes) {
            if (progress.cancelled()) return;
            const Joined lanes = joinById(profile, lane, calls[lane.file], links);
            if (lanes.anyRun) joined[lane.file] = true;
            if (lanes.doubtful == 0) continue;
            draft.diagnostics.add(DiagnosticCode::AmbiguousLaunch, lanes.doubtful,
                                  placeAt(profile.sliceName({lanes.firstDoubtful}),
                                          profile.slices.startNs[lanes.firstDoubtful] - profile.span.beginNs,
                                          draft.files[lane.file].file.path));
        }
    }
    for (std::size_t file = 0; file < joined.size(); ++file)
        if (!joined[file] && !draft.files[file].launchFlowEnds.empty())
            joinByArrows(draft, profile, draft.files[file], links);
    dropUsedCorrelations(draft, profile);
    std::sort(links.begin(), links.end());
    LinkTable& table = profile.links;
    table.launch.reserve(links.size());
    table.run.reserve(links.size());
    std::vector<std::uint32_t> linkOf(profile.slices.size(), kNone);
    for (const auto& [launch, run] : links) {
        if (linkOf[run] != kNone) continue; // two arrows to one run: it has one launch
        linkOf[run] = static_cast<std::uint32_t>(table.size());
        table.launch.push_back({launch});
        table.run.push_back({run});
        // Whatever its name, a call that submitted work is a launch.
        if (profile.slices.kind[launch] == SliceKind::Runtime) profile.slices.kind[launch] = SliceKind::Launch;
    }
    links = {};
    // What stands where a run is, read in order, is the order by run.
    table.byRun.reserve(table.size());
    for (const std::uint32_t link : linkOf)
        if (link != kNone) table.byRun.push_back(link);
}

namespace
{

/// Arrows whose ends the files give as slices: from the first start of an id to each of its finishes.
void joinSliceFlows(Draft& draft, Profile& profile)
{
    struct End {
        std::uint64_t id;
        std::uint32_t file;
        std::int64_t startNs;
        SliceFlowEnd at;
    };
    std::vector<End> ends;
    for (Lane& lane : draft.lanes) {
        for (const SliceFlowEnd& end : lane.flowEnds)
            ends.push_back({end.id, lane.file, profile.slices.startNs[end.slice], end});
        release(lane.flowEnds);
    }
    const auto key = [](const End& end) { return std::tuple(end.file, end.at.category.value, end.id); };
    std::stable_sort(ends.begin(), ends.end(), [&](const End& a, const End& b) {
        return std::tuple_cat(key(a), std::tuple(!a.at.start, a.startNs)) <
               std::tuple_cat(key(b), std::tuple(!b.at.start, b.startNs));
    });
    for (auto group = ends.begin(); group != ends.end();) {
        const auto last = std::find_if(group, ends.end(), [&](const End& end) { return key(end) != key(*group); });
        const auto finish = std::find_if(group, last, [](const End& end) { return !end.at.start; });
        if (finish != group)
            for (auto end = finish; end != last; ++end)
                if (end->at.slice != group->at.slice)
                    profile.flows.push_back({{group->at.slice}, {end->at.slice}, end->at.category});
        group = last;
    }
}

} // namespace

void buildFlows(Draft& draft, Profile& profile, const LoadProgress& progress)
{
    joinSliceFlows(draft, profile);
    for (FileDraft& file : draft.files) {
        if (progress.cancelled()) return;
        for (const Pair& pair : pairFlowEnds(draft, profile, file, file.flowEnds))
            profile.flows.push_back({pair.from, pair.to, pair.category});
        release(file.flowEnds);
        release(file.launchFlowEnds);
    }
    std::sort(profile.flows.begin(), profile.flows.end(),
              [](const Flow& a, const Flow& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
    profile.flowsByTo.resize(profile.flows.size());
    std::iota(profile.flowsByTo.begin(), profile.flowsByTo.end(), 0u);
    std::sort(profile.flowsByTo.begin(), profile.flowsByTo.end(),
              [&](std::uint32_t a, std::uint32_t b) { return profile.flows[a].to < profile.flows[b].to; });
}

} // namespace stepscope::draft
