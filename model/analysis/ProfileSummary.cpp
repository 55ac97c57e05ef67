// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/ProfileSummary.h"

#include "analysis/LinkQuery.h"

#include <algorithm>
#include <map>

namespace stepscope
{

namespace
{

struct NameCount {
    std::int64_t totalNs = 0;
    std::uint64_t count = 0;
};

void summariseKernels(const Profile& profile, const std::vector<NameCount>& kernels, ProfileSummary& summary)
{
    for (std::uint32_t name = 0; name < kernels.size(); ++name) {
        if (kernels[name].count == 0) continue;
        ++summary.kernelNames;
        summary.kernelNs += kernels[name].totalNs;
        summary.topKernels.push_back({profile.strings.view({name}), kernels[name].totalNs, kernels[name].count});
    }
    const auto greater = [](const auto& a, const auto& b) {
        return a.totalNs != b.totalNs ? a.totalNs > b.totalNs : a.name < b.name;
    };
    const std::size_t shown = std::min<std::size_t>(5, summary.topKernels.size());
    std::partial_sort(summary.topKernels.begin(), summary.topKernels.begin() + static_cast<std::ptrdiff_t>(shown),
                      summary.topKernels.end(), greater);
    summary.topKernels.resize(shown);
}

void summariseSlices(const Profile& profile, ProfileSummary& summary)
{
    std::vector<NameCount> kernels(profile.strings.size());
    std::vector<std::uint64_t> annotations(profile.strings.size());
    const SliceColumns& slices = profile.slices;
    for (std::size_t slice = 0; slice < slices.size(); ++slice) {
        const SliceKind kind = slices.kind[slice];
        const StringId name = slices.name[slice];
        ++summary.byKind[static_cast<std::size_t>(kind)];
        if (kind == SliceKind::Annotation || kind == SliceKind::DeviceAnnotation) ++annotations[name.value];
        if (isRun(kind)) ++summary.runs;
        if (!isKernel(kind)) continue;
        kernels[name.value].totalNs += slices.durNs[slice];
        ++kernels[name.value].count;
        if (kind != SliceKind::CommunicationKernel) continue;
        ++summary.communicationCount;
        summary.communicationNs += slices.durNs[slice];
    }
    summary.launchCalls = summary.byKind[static_cast<std::size_t>(SliceKind::Launch)];
    summariseKernels(profile, kernels, summary);
    for (std::uint32_t name = 0; name < annotations.size(); ++name)
        if (annotations[name] > 0) summary.annotations.emplace_back(profile.strings.view({name}), annotations[name]);
    std::sort(summary.annotations.begin(), summary.annotations.end());
}

void summariseLinks(const Profile& profile, ProfileSummary& summary)
{
    const LinkTable& links = profile.links;
    std::vector<std::int64_t> latencies;
    latencies.reserve(links.size());
    for (std::size_t link = 0; link < links.size(); ++link) {
        if (link == 0 || links.launch[link] != links.launch[link - 1]) ++summary.launches;
        latencies.push_back(launchLatencyNs(profile, links.launch[link], links.run[link]));
        if (latencies.back() < 0) ++summary.negativeLatencies;
    }
    if (latencies.empty()) return;
    const auto middle = latencies.begin() + static_cast<std::ptrdiff_t>(latencies.size() / 2);
    std::nth_element(latencies.begin(), middle, latencies.end());
    summary.medianLatencyNs = *middle;
    summary.leastLatencyNs = *std::min_element(latencies.begin(), latencies.end());
    summary.greatestLatencyNs = *std::max_element(latencies.begin(), latencies.end());
}

void summariseSteps(const Profile& profile, ProfileSummary& summary)
{
    // A number that comes again in a process (a new epoch) is another step.
    std::map<std::pair<std::int64_t, int>, ProfileSummary::StepTotal> byNumber;
    std::map<std::pair<std::uint32_t, std::int64_t>, int> occurrences;
    for (const Step& step : profile.steps) {
        auto& total = byNumber[{step.number, occurrences[{step.process, step.number}]++}];
        total.number = step.number;
        total.hostNs = std::max(total.hostNs, step.host.lengthNs());
        if (step.device) total.deviceNs = std::max(total.deviceNs.value_or(0), step.device->lengthNs());
    }
    for (const auto& [number, total] : byNumber) summary.steps.push_back(total);
}

} // namespace

ProfileSummary summarise(const Profile& profile)
{
    ProfileSummary summary;
    summariseSlices(profile, summary);
    summariseLinks(profile, summary);
    summariseSteps(profile, summary);
    for (const CounterSeries& series : profile.counters) summary.samples += series.value.size();
    return summary;
}

} // namespace stepscope
