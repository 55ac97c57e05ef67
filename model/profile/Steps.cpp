// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/RunSort.h"
#include "profile/Freeze.h"
#include "profile/StepName.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace stepscope::draft
{

namespace
{

constexpr std::string_view kMarkedFamily = "\x1fmarked"; ///< no parsed name has this family

struct Candidate {
    std::string_view family;
    std::int64_t number = 0;
    std::uint32_t slice = 0;
};
using Candidates = std::map<std::uint32_t, std::vector<Candidate>>; ///< by process

/// Files of 2021 have the profiler's own step marks among the operators.
bool isProfilerMark(SliceKind kind, const StepName& name)
{
    return kind == SliceKind::CpuOp && name.family == "ProfilerStep";
}

/// Annotations of a kind whose name says that they are a step.
Candidates candidatesOf(const Profile& profile, SliceKind wanted)
{
    std::vector<std::optional<StepName>> names(profile.strings.size());
    std::vector<bool> asked(names.size(), false);
    Candidates found;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice) {
        const SliceKind kind = profile.slices.kind[slice];
        const bool maybeMark = wanted == SliceKind::Annotation && kind == SliceKind::CpuOp;
        if (kind != wanted && !maybeMark) continue;
        const StringId name = profile.slices.name[slice];
        if (!asked[name.value]) names[name.value] = parseStepName(profile.strings.view(name));
        asked[name.value] = true;
        if (!names[name.value] || (kind != wanted && !isProfilerMark(kind, *names[name.value]))) continue;
        const std::uint32_t process = profile.track(profile.trackOf({slice})).process;
        if (process != kNone) found[process].push_back({names[name.value]->family, names[name.value]->number, slice});
    }
    return found;
}

/// What the file itself calls steps.
void addMarked(const Draft& draft, const Profile& profile, SliceKind wanted, Candidates& found)
{
    for (const Lane& lane : draft.lanes)
        for (const Correlation& mark : lane.stepMarks) {
            const SliceKind kind = profile.slices.kind[mark.slice];
            const bool onDevice = kind == SliceKind::DeviceAnnotation;
            if (onDevice != (wanted == SliceKind::DeviceAnnotation)) continue;
            const std::uint32_t process = profile.track(profile.trackOf({mark.slice})).process;
            if (process != kNone)
                found[process].push_back({kMarkedFamily, static_cast<std::int64_t>(mark.id), mark.slice});
        }
}

/// Where several families match, the file's own marks win, then the profiler's, then the most frequent family.
std::string_view chosenFamily(const std::vector<Candidate>& candidates)
{
    std::map<std::string_view, std::size_t> counts;
    for (const Candidate& candidate : candidates) ++counts[candidate.family];
    if (counts.contains(kMarkedFamily)) return kMarkedFamily;
    if (counts.contains("ProfilerStep")) return "ProfilerStep";
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most->first;
}

/// First start and last end of a step's device annotations, by process and number.
std::map<std::pair<std::uint32_t, std::int64_t>, TimeSpan> deviceHulls(const Profile& profile,
                                                                       const Candidates& onDevice)
{
    std::map<std::pair<std::uint32_t, std::int64_t>, TimeSpan> hulls;
    for (const auto& [process, candidates] : onDevice) {
        const std::string_view family = chosenFamily(candidates);
        for (const Candidate& candidate : candidates) {
            if (candidate.family != family) continue;
            const TimeSpan span = profile.sliceSpan({candidate.slice});
            const auto [place, added] = hulls.try_emplace({process, candidate.number}, span);
            if (!added) place->second = place->second.united(span);
        }
    }
    return hulls;
}

/// Links of each process, by the time of the launch.
std::map<std::uint32_t, std::vector<std::uint32_t>> linksByProcess(const Profile& profile)
{
    const LinkTable& links = profile.links;
    std::map<std::uint32_t, std::vector<std::uint32_t>> byProcess;
    // Links are sorted by launch: those of one row follow each other.
    for (std::uint32_t link = 0; link < links.size();) {
        const std::uint32_t row = profile.rowOf(links.launch[link]);
        auto& list = byProcess[profile.track(profile.rowTrack[row]).process];
        for (; link < links.size() && links.launch[link].value < profile.rows[row].end; ++link) list.push_back(link);
    }
    for (auto& [process, list] : byProcess)
        sortRuns(list, [&](std::uint32_t a, std::uint32_t b) {
            return profile.slices.startNs[links.launch[a].value] < profile.slices.startNs[links.launch[b].value];
        });
    return byProcess;
}

/// Answers what the runs launched in a range of time cover, in O(log runs) however ranges nest: a tree of hulls over
/// blocks of runs, with the root at 1 and the children of n at 2n and 2n + 1.
class HullTree
{
public:
    HullTree(const Profile& profile, std::vector<std::uint32_t> links)
        : m_profile(profile), m_links(std::move(links)), m_leaves((m_links.size() + kBlock - 1) / kBlock)
    {
        m_nodes.resize(2 * m_leaves, kNothing);
        for (std::size_t place = 0; place < m_links.size(); ++place)
            widen(m_nodes[m_leaves + place / kBlock], run(place));
        for (std::size_t node = m_leaves; node-- > 1;) {
            m_nodes[node] = m_nodes[2 * node];
            widen(m_nodes[node], m_nodes[2 * node + 1]);
        }
    }

    [[nodiscard]] std::optional<TimeSpan> of(TimeSpan host) const
    {
        const auto at = [&](std::int64_t ns) {
            return static_cast<std::size_t>(
                std::lower_bound(m_links.begin(), m_links.end(), ns,
                                 [this](std::uint32_t link, std::int64_t time) {
                                     return m_profile.slices.startNs[m_profile.links.launch[link].value] < time;
                                 }) -
                m_links.begin());
        };
        std::size_t begin = at(host.beginNs);
        std::size_t end = at(host.endNs);
        if (begin >= end) return std::nullopt;
        TimeSpan hull = kNothing;
        for (; begin < end && begin % kBlock != 0; ++begin) widen(hull, run(begin));
        for (; begin < end && end % kBlock != 0; --end) widen(hull, run(end - 1));
        std::size_t low = m_leaves + begin / kBlock;
        std::size_t high = m_leaves + end / kBlock;
        for (; low < high; low /= 2, high /= 2) {
            if (low % 2 == 1) widen(hull, m_nodes[low++]);
            if (high % 2 == 1) widen(hull, m_nodes[--high]);
        }
        return hull;
    }

private:
    static constexpr std::size_t kBlock = 64;
    static constexpr TimeSpan kNothing{INT64_MAX, INT64_MIN};
    static void widen(TimeSpan& hull, TimeSpan more)
    {
        hull.beginNs = std::min(hull.beginNs, more.beginNs);
        hull.endNs = std::max(hull.endNs, more.endNs);
    }

    [[nodiscard]] TimeSpan run(std::size_t place) const
    {
        return m_profile.sliceSpan(m_profile.links.run[m_links[place]]);
    }

    const Profile& m_profile;
    std::vector<std::uint32_t> m_links;
    std::size_t m_leaves;
    std::vector<TimeSpan> m_nodes;
};

} // namespace

void buildSteps(Draft& draft, Profile& profile)
{
    Candidates onHost = candidatesOf(profile, SliceKind::Annotation);
    Candidates onDevice = candidatesOf(profile, SliceKind::DeviceAnnotation);
    addMarked(draft, profile, SliceKind::Annotation, onHost);
    addMarked(draft, profile, SliceKind::DeviceAnnotation, onDevice);
    for (const auto& [process, candidates] : onDevice) onHost.try_emplace(process, candidates);
    if (onHost.empty()) return;
    const auto hulls = deviceHulls(profile, onDevice);
    auto byProcess = linksByProcess(profile);
    std::map<std::uint32_t, HullTree> trees;
    for (auto& [process, links] : byProcess)
        trees.emplace(std::piecewise_construct, std::tuple(process), std::forward_as_tuple(profile, std::move(links)));
    for (auto& [process, candidates] : onHost) {
        const std::string_view family = chosenFamily(candidates);
        std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
            return std::pair(profile.slices.startNs[a.slice], a.slice) <
                   std::pair(profile.slices.startNs[b.slice], b.slice);
        });
        std::map<std::int64_t, std::vector<TimeSpan>> spans;
        const std::size_t firstStep = profile.steps.size();
        for (const Candidate& candidate : candidates) {
            if (candidate.family != family) continue;
            const TimeSpan host = profile.sliceSpan({candidate.slice});
            auto& known = spans[candidate.number];
            // Mirrors of one step (on another thread or stream) are the same step; one that begins after the others
            // have ended is a new one: counters start again with each epoch.
            const bool mirror = profile.slices.kind[candidate.slice] == SliceKind::DeviceAnnotation;
            if (!known.empty() && (mirror || host.beginNs < known.back().endNs)) continue;
            known.push_back(host);
            profile.steps.push_back({candidate.number, process, {candidate.slice}, host, {}});
        }
        for (std::size_t index = firstStep; index < profile.steps.size(); ++index) {
            Step& step = profile.steps[index];
            const auto hull = hulls.find({process, step.number});
            // The hull of a number that comes again would reach over all of its steps.
            if (hull != hulls.end() && spans[step.number].size() == 1) step.device = hull->second;
            else if (const auto own = trees.find(process); own != trees.end()) step.device = own->second.of(step.host);
        }
    }
}

} // namespace stepscope::draft
