// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/InfoCommand.h"

#include "analysis/ProfileSummary.h"
#include "core/Format.h"
#include "importers/OpenProfile.h"
#include "profile/Busy.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>

namespace stepscope
{

namespace
{

using Json = nlohmann::ordered_json;

template<class T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

Json hostsJson(const Profile& profile)
{
    Json hosts = Json::array();
    for (std::uint32_t index = 0; index < profile.hosts.size(); ++index) {
        std::uint64_t processes = 0;
        std::uint64_t threads = 0;
        for (const Process& process : profile.processes) {
            if (process.host != index) continue;
            ++processes;
            threads += process.threads;
        }
        hosts.push_back({{"name", profile.hosts[index].name}, {"processes", processes}, {"threads", threads}});
    }
    return hosts;
}

Json devicesJson(const Profile& profile)
{
    Json devices = Json::array();
    for (const Device& device : profile.devices) {
        const std::int64_t busyNs = device.busy == kNone ? 0 : profile.busy[device.busy].totalNs();
        devices.push_back({{"host", profile.hosts[device.host].name},
                           {"name", device.name},
                           {"model", device.model},
                           {"rank", device.process == kNone ? Json() : orNull(profile.processes[device.process].rank)},
                           {"streams", device.streams},
                           {"busy_ns", busyNs},
                           {"kernels", device.kernels},
                           {"memcpys", device.memcpys},
                           {"memsets", device.memsets}});
    }
    return devices;
}

Json slicesJson(const Profile& profile, const ProfileSummary& summary)
{
    // The contract's keys come in its order; two kinds may share one.
    Json byKind = Json::object();
    for (const std::string_view key : {"cpu_op", "launch", "sync", "runtime", "python", "annotation", "gpu_annotation",
                                       "kernel", "memcpy", "memset", "device_sync", "overhead", "other"})
        byKind[std::string(key)] = std::uint64_t(0);
    for (std::size_t kind = 0; kind < kSliceKindCount; ++kind) {
        Json& count = byKind[std::string(kindKey(static_cast<SliceKind>(kind)))];
        count = count.get<std::uint64_t>() + summary.byKind[kind];
    }
    return {{"total", profile.slices.size()}, {"by_kind", byKind}};
}

Json kernelsJson(const ProfileSummary& summary)
{
    Json top = Json::array();
    for (const auto& kernel : summary.topKernels)
        top.push_back({{"name", kernel.name}, {"total_ns", kernel.totalNs}, {"count", kernel.count}});
    return {{"names", summary.kernelNames},
            {"total_ns", summary.kernelNs},
            {"communication", {{"count", summary.communicationCount}, {"total_ns", summary.communicationNs}}},
            {"top", top}};
}

Json linksJson(const Profile& profile, const ProfileSummary& summary)
{
    return {{"launches", summary.launches},
            {"launch_calls", summary.launchCalls},
            {"runs", summary.runs},
            {"linked_runs", profile.links.size()},
            {"unlinked_runs", summary.runs - profile.links.size()},
            {"latency_ns",
             {{"min", orNull(summary.leastLatencyNs)},
              {"median", orNull(summary.medianLatencyNs)},
              {"max", orNull(summary.greatestLatencyNs)},
              {"negative", summary.negativeLatencies}}},
            {"flows", profile.flows.size()}};
}

Json stepsJson(const ProfileSummary& summary)
{
    Json hostNs = Json::array();
    Json deviceNs = Json::array();
    for (const auto& step : summary.steps) {
        hostNs.push_back(step.hostNs);
        deviceNs.push_back(orNull(step.deviceNs));
    }
    const bool any = !summary.steps.empty();
    return {{"count", summary.steps.size()},
            {"first", any ? Json(summary.steps.front().number) : Json()},
            {"last", any ? Json(summary.steps.back().number) : Json()},
            {"host_ns", hostNs},
            {"device_ns", deviceNs}};
}

Json diagnosticsJson(const Profile& profile)
{
    Json diagnostics = Json::array();
    for (const Diagnostic& diagnostic : profile.diagnostics)
        diagnostics.push_back({{"code", diagnosticName(diagnostic.code)},
                               {"effect", effectOf(diagnostic.figures)},
                               {"severity", severityName(diagnostic.severity)},
                               {"count", diagnostic.count},
                               {"message", diagnostic.message},
                               {"first_place", diagnostic.firstPlace}});
    return diagnostics;
}

/// For people: aligned columns, one thing a line.
class TextReport
{
public:
    explicit TextReport(std::ostream& out) : m_out(out) {}

    void line(std::string_view label, const std::string& value)
    {
        m_out << std::left << std::setw(14) << label << value << '\n';
    }
    void print(const Profile& profile, const ProfileSummary& summary)
    {
        printFrame(profile);
        printDevices(profile);
        printSlices(profile, summary);
        printSteps(summary);
        for (const Diagnostic& diagnostic : profile.diagnostics)
            m_out << "  " << severityName(diagnostic.severity) << ": " << formatCount(diagnostic.count) << " x "
                  << diagnostic.message
                  << (diagnostic.firstPlace.empty() ? "" : " First: " + diagnostic.firstPlace + ".") << '\n';
    }

private:
    void printFrame(const Profile& profile)
    {
        line("profile", profile.path);
        const std::size_t files = profile.fileCount();
        line("format", profile.format + ", " + formatCount(files) + (files == 1 ? " file" : " files"));
        line("span", formatDuration(profile.span.lengthNs(), 0));
        std::string hosts;
        for (const Host& host : profile.hosts) hosts += (hosts.empty() ? "" : ", ") + host.name;
        line("hosts", hosts);
    }
    void printDevices(const Profile& profile)
    {
        for (const Device& device : profile.devices) {
            const std::int64_t busyNs = device.busy == kNone ? 0 : profile.busy[device.busy].totalNs();
            const auto spanNs = static_cast<double>(std::max<std::int64_t>(1, profile.span.lengthNs()));
            line("device", profile.hosts[device.host].name + " " + device.name +
                               (device.model.empty() ? "" : " (" + device.model + ")") + ": busy " +
                               formatDuration(busyNs) + " = " + formatPercent(static_cast<double>(busyNs) / spanNs) +
                               ", " + formatCount(device.kernels) + " kernels, " + formatCount(device.memcpys) +
                               " memcpys, " + formatCount(device.memsets) + " memsets, " +
                               formatCount(device.streams.size()) +
                               (device.streams.size() == 1 ? " stream" : " streams"));
        }
    }
    void printSlices(const Profile& profile, const ProfileSummary& summary)
    {
        line("slices", formatCount(profile.slices.size()));
        for (std::size_t kind = 0; kind < kSliceKindCount; ++kind)
            if (summary.byKind[kind] > 0)
                line("",
                     formatCount(summary.byKind[kind]) + " " + std::string(kindLabel(static_cast<SliceKind>(kind))));
        for (const auto& kernel : summary.topKernels)
            line("top kernel", formatDuration(kernel.totalNs) + " in " + formatCount(kernel.count) + " x " +
                                   std::string(kernel.name.substr(0, 100)));
        std::string links = formatCount(profile.links.size()) + " of " + formatCount(summary.runs) + " runs";
        if (summary.medianLatencyNs)
            links += ", launch latency " + formatDuration(*summary.leastLatencyNs) + " .. " +
                     formatDuration(*summary.greatestLatencyNs) + ", median " +
                     formatDuration(*summary.medianLatencyNs);
        line("links", links);
        line("counters", formatCount(profile.counters.size()) + " with " + formatCount(summary.samples) + " samples");
    }
    void printSteps(const ProfileSummary& summary)
    {
        if (summary.steps.empty()) return line("steps", "none");
        std::vector<ProfileSummary::StepTotal> byTime = summary.steps;
        std::sort(byTime.begin(), byTime.end(), [](const auto& a, const auto& b) { return a.hostNs < b.hostNs; });
        line("steps", formatCount(summary.steps.size()) + ": step_" + std::to_string(summary.steps.front().number) +
                          " .. step_" + std::to_string(summary.steps.back().number) + ", median " +
                          formatDuration(byTime[byTime.size() / 2].hostNs) + ", longest step_" +
                          std::to_string(byTime.back().number) + " with " + formatDuration(byTime.back().hostNs));
    }

    std::ostream& m_out;
};

} // namespace

std::string infoJson(const Profile& profile)
{
    const ProfileSummary summary = summarise(profile);
    Json files = Json::array();
    for (const SourceFile& file : profile.files) {
        if (file.parts.empty()) files.push_back(file.path);
        for (const std::string& part : file.parts) files.push_back(part);
    }
    Json annotations = Json::object();
    for (const auto& [name, count] : summary.annotations) annotations[std::string(name)] = count;
    const Json info = {{"format", profile.format},
                       {"files", files},
                       {"origin_unix_ns", orNull(profile.originUnixNs)},
                       {"first_ns", profile.span.beginNs},
                       {"span_ns", profile.span.lengthNs()},
                       {"hosts", hostsJson(profile)},
                       {"devices", devicesJson(profile)},
                       {"slices", slicesJson(profile, summary)},
                       {"kernels", kernelsJson(summary)},
                       {"counters", {{"series", profile.counters.size()}, {"samples", summary.samples}}},
                       {"links", linksJson(profile, summary)},
                       {"steps", stepsJson(summary)},
                       {"annotations", annotations},
                       {"diagnostics", diagnosticsJson(profile)}};
    return info.dump(2, ' ', false, Json::error_handler_t::replace);
}

int runInfo(std::span<const std::string_view> arguments, std::ostream& out, std::ostream& err)
{
    std::string path;
    bool json = false;
    for (const std::string_view argument : arguments) {
        if (argument == "--json") {
            json = true;
        } else if (argument.starts_with("-") || !path.empty()) {
            err << "Usage: stepscope info PROFILE [--json]\n";
            return kExitUsage;
        } else {
            path = argument;
        }
    }
    if (path.empty()) {
        err << "Usage: stepscope info PROFILE [--json]\n";
        return kExitUsage;
    }
    LoadProgress progress;
    const auto opened = openProfile(path, progress);
    if (!opened.ok()) {
        err << opened.error().sentence() << '\n';
        return kExitUnreadable;
    }
    const Profile& profile = *opened.value();
    if (json) out << infoJson(profile) << '\n';
    else TextReport(out).print(profile, summarise(profile));
    return kExitDone;
}

} // namespace stepscope
