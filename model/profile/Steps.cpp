// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Freeze.h"
#include "profile/StepName.h"

#include <algorithm>
#include <map>

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

struct Run {
    std::int64_t launchNs = 0;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
};

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

std::map<std::uint32_t, std::vector<Run>> runsByProcess(const Profile& profile)
{
    std::map<std::uint32_t, std::vector<Run>> runs;
    for (std::size_t link = 0; link < profile.links.size(); ++link) {
        const SliceId launch = profile.links.launch[link];
        const TimeSpan run = profile.sliceSpan(profile.links.run[link]);
        runs[profile.track(profile.trackOf(launch)).process].push_back(
            {profile.slices.startNs[launch.value], run.beginNs, run.endNs});
    }
    for (auto& [process, list] : runs)
        std::sort(list.begin(), list.end(), [](const Run& a, const Run& b) { return a.launchNs < b.launchNs; });
    return runs;
}

std::optional<TimeSpan> hullOfRuns(const std::vector<Run>& runs, TimeSpan host)
{
    std::optional<TimeSpan> hull;
    auto run = std::lower_bound(runs.begin(), runs.end(), host.beginNs,
                                [](const Run& a, std::int64_t ns) { return a.launchNs < ns; });
    for (; run != runs.end() && run->launchNs < host.endNs; ++run) {
        const TimeSpan span{run->startNs, run->endNs};
        hull = hull ? hull->united(span) : span;
    }
    return hull;
}

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
    const auto runs = runsByProcess(profile);
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
            else if (const auto own = runs.find(process); own != runs.end())
                step.device = hullOfRuns(own->second, step.host);
        }
    }
}

} // namespace stepscope::draft
