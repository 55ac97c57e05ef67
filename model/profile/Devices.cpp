// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Busy.h"
#include "profile/Freeze.h"

#include <algorithm>
#include <map>

namespace stepscope::draft
{

namespace
{

bool isNumber(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::uint32_t hostNamed(Profile& profile, const std::string& name)
{
    for (std::uint32_t index = 0; index < profile.hosts.size(); ++index)
        if (profile.hosts[index].name == name) return index;
    profile.hosts.push_back({name, {}});
    return static_cast<std::uint32_t>(profile.hosts.size() - 1);
}

std::vector<std::uint32_t> hostsOfFiles(const Draft& draft, Profile& profile)
{
    std::vector<std::uint32_t> hosts;
    for (const FileDraft& file : draft.files)
        hosts.push_back(hostNamed(profile, file.host.empty() ? "host" : file.host));
    return hosts;
}

/// The name of a device: its number with the word that the file's label gives its kind ("MTIA 17" -> "MTIA-17").
std::string deviceName(const Draft& draft, const DeviceDraft& device)
{
    if (!device.name.empty()) return device.name;
    std::string word = "GPU";
    for (const ProcessDraft& process : draft.processes) {
        if (process.file != device.file || process.pid != device.pid) continue;
        const std::size_t space = process.label.find(' ');
        const std::string first = process.label.substr(0, space);
        if (space != std::string::npos && first != "CPU" && !first.empty()) word = first;
    }
    return word + "-" + std::to_string(device.number);
}

using Votes = std::map<std::uint32_t, std::uint64_t>; ///< process -> runs submitted

/// How many runs of each device each process submitted.
std::vector<Votes> submissions(const Draft& draft, const Profile& profile)
{
    std::vector<Votes> votes(draft.devices.size());
    // Links are sorted by launch; neighbours mostly are of the same two rows.
    std::uint32_t launchRow = kNone;
    std::uint32_t runRow = kNone;
    std::uint64_t* count = nullptr;
    const auto holds = [&](std::uint32_t row, SliceId slice) {
        return row != kNone && slice.value >= profile.rows[row].begin && slice.value < profile.rows[row].end;
    };
    for (std::size_t link = 0; link < profile.links.size(); ++link) {
        const SliceId launch = profile.links.launch[link];
        const SliceId run = profile.links.run[link];
        if (!holds(launchRow, launch) || !holds(runRow, run)) {
            launchRow = profile.rowOf(launch);
            runRow = profile.rowOf(run);
            const std::uint32_t device = draft.lanes[profile.rowTrack[runRow].value].device;
            count = device == kNone ? nullptr : &votes[device][draft.lanes[profile.rowTrack[launchRow].value].owner];
        }
        if (count != nullptr) ++*count;
    }
    return votes;
}

std::uint32_t mostVoted(const Votes& votes)
{
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == votes.end() ? kNone : most->first;
}

/// The process of a file with the most slices on its threads, leaving out the profiler's own; none if there is none.
std::uint32_t mainProcessOf(const Draft& draft, std::uint32_t file)
{
    Votes slices;
    for (const Lane& known : draft.lanes) {
        if (known.file != file || known.kind != TrackKind::Thread || known.rowEnds.empty()) continue;
        if (isNumber(draft.processes[known.owner].pid)) slices[known.owner] += known.rowEnds.back();
    }
    return mostVoted(slices);
}

std::uint32_t ownerOf(const Draft& draft, const Votes& votes, std::uint32_t device)
{
    if (draft.devices[device].process != kNone) return draft.devices[device].process;
    std::uint32_t owner = mostVoted(votes);
    if (owner == kNone) owner = mainProcessOf(draft, draft.devices[device].file);
    if (owner != kNone) return owner;
    for (std::uint32_t process = 0; process < draft.processes.size(); ++process)
        if (draft.processes[process].file == draft.devices[device].file &&
            draft.processes[process].pid == draft.devices[device].pid)
            return process;
    return kNone;
}

void countRuns(const Profile& profile, const Lane& lane, Device& device, std::vector<Interval>& busy)
{
    const std::uint32_t end = lane.firstSlice + (lane.rowEnds.empty() ? 0 : lane.rowEnds.back());
    if (busy.empty()) busy.reserve(end - lane.firstSlice);
    for (std::uint32_t slice = lane.firstSlice; slice < end; ++slice) {
        const SliceKind kind = profile.slices.kind[slice];
        if (!isRun(kind)) continue;
        busy.push_back({profile.slices.startNs[slice], profile.slices.durNs[slice]});
        if (isKernel(kind)) ++device.kernels;
        else if (kind == SliceKind::Memcpy) ++device.memcpys;
        else ++device.memsets;
    }
}

/// Devices in the tree's order, with the draft's number of each, so that lanes can be told where they belong.
std::vector<std::uint32_t> deviceOrder(const Draft& draft)
{
    std::vector<std::uint32_t> order(draft.devices.size());
    for (std::uint32_t index = 0; index < order.size(); ++index) order[index] = index;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(draft.devices[a].file, draft.devices[a].number) <
               std::pair(draft.devices[b].file, draft.devices[b].number);
    });
    return order;
}

/// Keeps the processes that have something to show, and renumbers the lanes' owners.
std::vector<std::uint32_t> keepProcesses(Draft& draft, Profile& profile, const std::vector<std::uint32_t>& hosts,
                                         const std::vector<std::uint32_t>& owners)
{
    std::vector<bool> used(draft.processes.size(), false);
    for (const Lane& lane : draft.lanes)
        if (isOfProcess(lane.kind) && !lane.rowEnds.empty()) used[lane.owner] = true;
    for (const std::uint32_t owner : owners)
        if (owner != kNone) used[owner] = true;
    std::vector<std::uint32_t> numbers(draft.processes.size(), kNone);
    for (std::uint32_t index = 0; index < draft.processes.size(); ++index) {
        if (!used[index]) continue;
        const ProcessDraft& known = draft.processes[index];
        numbers[index] = static_cast<std::uint32_t>(profile.processes.size());
        Process process;
        process.file = known.file;
        process.host = known.host.empty() ? hosts[known.file] : hostNamed(profile, known.host);
        process.pid = known.pid;
        process.name = known.name;
        process.sortIndex = known.sortIndex.value_or(0);
        if (known.rank) process.rank = known.rank;
        else if (isNumber(known.pid)) process.rank = draft.files[known.file].file.rank;
        profile.processes.push_back(std::move(process));
    }
    return numbers;
}

} // namespace

void buildDevices(Draft& draft, Profile& profile)
{
    const auto hosts = hostsOfFiles(draft, profile);
    const auto order = deviceOrder(draft);
    std::vector<std::uint32_t> owners;
    const auto votes = submissions(draft, profile);
    for (const std::uint32_t index : order) owners.push_back(ownerOf(draft, votes[index], index));
    const auto processNumbers = keepProcesses(draft, profile, hosts, owners);

    std::vector<std::uint32_t> numbers(draft.devices.size(), kNone);
    for (std::size_t place = 0; place < order.size(); ++place) {
        const DeviceDraft& known = draft.devices[order[place]];
        Device device;
        device.file = known.file;
        device.host = hosts[known.file];
        device.number = known.number;
        device.name = deviceName(draft, known);
        if (owners[place] != kNone) {
            device.process = processNumbers[owners[place]];
            device.host = profile.processes[device.process].host;
        }
        const auto& models = draft.files[known.file].deviceModels;
        if (!known.model.empty()) device.model = known.model;
        else if (const auto model = models.find(known.number); model != models.end()) device.model = model->second;
        std::vector<Interval> busy;
        for (const Lane& lane : draft.lanes)
            if (lane.device == order[place] && lane.kind == TrackKind::Stream) countRuns(profile, lane, device, busy);
        if (!busy.empty()) {
            device.busy = static_cast<std::uint32_t>(profile.busy.size());
            profile.busy.push_back(unionOf(std::move(busy)));
        }
        numbers[order[place]] = static_cast<std::uint32_t>(profile.devices.size());
        profile.devices.push_back(std::move(device));
    }
    for (std::size_t index = 0; index < draft.lanes.size(); ++index) {
        Lane& lane = draft.lanes[index];
        Track& track = profile.tracks[index];
        if (isOfProcess(lane.kind)) {
            lane.owner = processNumbers[lane.owner];
            track.process = lane.owner;
            if (lane.owner != kNone && lane.kind == TrackKind::Thread) ++profile.processes[lane.owner].threads;
        } else {
            lane.owner = lane.device = numbers[lane.device];
            track.device = lane.device;
            track.process = profile.devices[lane.device].process;
        }
    }
}

} // namespace stepscope::draft
