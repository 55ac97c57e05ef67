// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Health.h"

#include "core/FileName.h"
#include "core/Format.h"

#include <algorithm>

namespace stepscope::draft
{

namespace
{

/// How often something is met, and the earliest slice where.
struct Finding {
    std::uint64_t count = 0;
    SliceId first;

    void add(const Profile& profile, SliceId slice, std::uint64_t times = 1)
    {
        count += times;
        if (!first.valid() || profile.slices.startNs[slice.value] < profile.slices.startNs[first.value]) first = slice;
    }
};

std::string_view pathOf(const Profile& profile, SliceId slice)
{
    const Track& track = profile.track(profile.trackOf(slice));
    if (track.process != kNone) return profile.files[profile.processes[track.process].file].path;
    return track.device != kNone ? profile.files[profile.devices[track.device].file].path : std::string_view();
}

void note(Draft& draft, const Profile& profile, DiagnosticCode code, const Finding& finding)
{
    if (finding.count == 0) return;
    draft.diagnostics.add(code, finding.count,
                          placeAt(profile.sliceName(finding.first),
                                  profile.slices.startNs[finding.first.value] - profile.span.beginNs,
                                  pathOf(profile, finding.first)));
}

void noteLinks(Draft& draft, const Profile& profile)
{
    const SliceColumns& slices = profile.slices;
    const LinkTable& links = profile.links;
    std::vector<bool> linked(slices.size(), false);
    Finding negative;
    for (std::size_t link = 0; link < links.size(); ++link) {
        linked[links.launch[link].value] = linked[links.run[link].value] = true;
        if (slices.startNs[links.run[link].value] < slices.startNs[links.launch[link].value])
            negative.add(profile, links.run[link]);
    }
    Finding lonelyRuns;
    Finding lonelyLaunches;
    Finding instantRuns;
    bool anyRun = false;
    for (std::uint32_t slice = 0; slice < slices.size(); ++slice) {
        const bool run = isRun(slices.kind[slice]);
        anyRun = anyRun || run;
        if (run && slices.durNs[slice] == 0) instantRuns.add(profile, {slice});
        if (linked[slice]) continue;
        if (run) lonelyRuns.add(profile, {slice});
        else if (slices.kind[slice] == SliceKind::Launch) lonelyLaunches.add(profile, {slice});
    }
    note(draft, profile, DiagnosticCode::NegativeLatency, negative);
    note(draft, profile, DiagnosticCode::UnlinkedRun, lonelyRuns);
    note(draft, profile, DiagnosticCode::ZeroDurationRun, instantRuns);
    // Where nothing ran, or nothing was recorded of it, one sentence says so.
    if (anyRun) note(draft, profile, DiagnosticCode::LaunchWithoutRun, lonelyLaunches);
}

void noteSteps(Draft& draft, const Profile& profile)
{
    if (profile.steps.empty()) draft.diagnostics.add(DiagnosticCode::NoSteps);
    if (!std::any_of(profile.slices.kind.begin(), profile.slices.kind.end(), isRun)) return;
    for (const Step& step : profile.steps)
        if (!step.device)
            draft.diagnostics.add(DiagnosticCode::StepWithoutDeviceWork, 1,
                                  placeAt(step.name(), step.host.beginNs - profile.span.beginNs,
                                          profile.files[profile.processes[step.process].file].path));
}

} // namespace

std::string placeAt(std::string_view name, std::int64_t sinceFirstNs, std::string_view path)
{
    constexpr std::size_t kLongestName = 60;
    std::string place = "\"";
    std::size_t length = std::min(name.size(), kLongestName);
    // Not in the middle of a character.
    while (length < name.size() && length > 0 && (static_cast<unsigned char>(name[length]) & 0xC0) == 0x80) --length;
    place.append(name.substr(0, length)).append(length < name.size() ? "..." : "").append("\" at ");
    place += formatDuration(sinceFirstNs);
    if (!path.empty()) place += " of " + baseName(path);
    return place;
}

void noteHealth(Draft& draft, const Profile& profile)
{
    if (profile.devices.empty()) draft.diagnostics.add(DiagnosticCode::NoDeviceWork);
    noteLinks(draft, profile);
    noteSteps(draft, profile);
    Finding overlaps;
    for (const Lane& lane : draft.lanes)
        if (lane.overlaps > 0) overlaps.add(profile, {lane.firstOverlap}, lane.overlaps);
    note(draft, profile, DiagnosticCode::Overlap, overlaps);
}

} // namespace stepscope::draft
