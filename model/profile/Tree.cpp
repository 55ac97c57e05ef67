// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/NaturalOrder.h"
#include "profile/Busy.h"
#include "profile/Freeze.h"
#include "profile/ProfileBuilder.h"
#include "profile/Projections.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <tuple>

namespace stepscope::draft
{

namespace
{

bool isNumber(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class TreeBuilder
{
public:
    TreeBuilder(Draft& draft, Profile& profile, const LoadProgress& progress)
        : m_draft(draft), m_profile(profile), m_progress(progress)
    {
    }

    void build()
    {
        for (Host& host : m_profile.hosts) {
            host.track = add(TrackKind::Host, host.name, {});
            m_profile.roots.push_back(host.track);
        }
        addProcesses();
        addThreads();
        addDevices();
        addStreams();
        addCounters();
        addSteps();
        addInstants();
        sortChildren();
        for (const TrackId root : m_profile.roots) gatherBusy(root);
    }

private:
    TrackId add(TrackKind kind, std::string name, TrackId parent)
    {
        const TrackId id{static_cast<std::uint32_t>(m_profile.tracks.size())};
        Track track;
        track.kind = kind;
        track.name = std::move(name);
        if (parent.valid()) {
            track.process = m_profile.tracks[parent.value].process;
            track.device = m_profile.tracks[parent.value].device;
        }
        m_profile.tracks.push_back(std::move(track));
        if (parent.valid()) attach(id, parent);
        return id;
    }
    void attach(TrackId child, TrackId parent)
    {
        m_profile.tracks[child.value].parent = parent;
        m_profile.tracks[parent.value].children.push_back(child);
    }
    /// The child of a kind and name, made on first use.
    TrackId childOf(TrackId parent, TrackKind kind, const std::string& name)
    {
        const auto [place, added] = m_groups.try_emplace({parent.value, kind, name}, TrackId{});
        if (added) place->second = add(kind, name, parent);
        return place->second;
    }

    [[nodiscard]] std::string processName(const Process& process) const
    {
        std::string name;
        const auto append = [&](const std::string& part) { name += (name.empty() ? "" : " · ") + part; };
        if (process.rank) append("rank " + std::to_string(*process.rank));
        if (!process.name.empty()) append(process.name);
        if (isNumber(process.pid)) append("pid " + process.pid);
        else if (process.name.empty() || process.pid.find_first_not_of("-0123456789") != std::string::npos)
            append(process.pid);
        return name;
    }

    void addProcesses()
    {
        std::vector<bool> ownsDevice(m_profile.processes.size(), false);
        std::vector<bool> hasDevices(m_profile.hosts.size(), false);
        for (const Device& device : m_profile.devices) {
            hasDevices[device.host] = true;
            if (device.process != kNone) ownsDevice[device.process] = true;
        }
        for (std::uint32_t index = 0; index < m_profile.processes.size(); ++index) {
            Process& process = m_profile.processes[index];
            const TrackId host = m_profile.hosts[process.host].track;
            TrackId parent = host;
            if (ownsDevice[index]) parent = childOf(host, TrackKind::GpuGroup, "GPUs");
            else if (hasDevices[process.host] || !isNumber(process.pid))
                parent = childOf(host, TrackKind::ProcessGroup, "other processes");
            process.track = add(TrackKind::Process, processName(process), parent);
            m_profile.tracks[process.track.value].process = index;
        }
    }

    [[nodiscard]] std::string threadName(const Lane& lane, const Process& process) const
    {
        if (lane.key == process.pid && isNumber(lane.key)) return "thread " + lane.key + " (main)";
        const auto known = m_draft.threadNames.find(std::to_string(lane.file) + '/' + process.pid + '\x1f' + lane.key);
        if (known != m_draft.threadNames.end()) return known->second;
        return isNumber(lane.key) || lane.key.starts_with('-') ? "thread " + lane.key : lane.key;
    }

    void addThreads()
    {
        for (std::uint32_t index = 0; index < m_draft.lanes.size(); ++index) {
            const Lane& lane = m_draft.lanes[index];
            if (!isOfProcess(lane.kind) || lane.rowEnds.empty()) continue;
            const Process& process = m_profile.processes[lane.owner];
            if (lane.kind == TrackKind::Async) {
                attach({index}, childOf(process.track, TrackKind::AsyncGroup, "asynchronous"));
                m_profile.tracks[index].name = lane.key;
                continue;
            }
            attach({index}, childOf(process.track, TrackKind::ThreadGroup, "threads"));
            Track& track = m_profile.tracks[index];
            track.name = threadName(lane, process);
            track.busy = {addThreadBusy(lane)};
        }
    }

    /// Slices nest, so the topmost row covers all others, unless some outlast the slice they start in.
    std::uint32_t addThreadBusy(const Lane& lane)
    {
        if (lane.overlaps == 0) {
            m_profile.busy.push_back(unionOfRow(m_profile.row(lane.firstRow)));
        } else {
            std::vector<Interval> intervals;
            intervals.reserve(lane.rowEnds.back());
            for (std::uint32_t row = lane.firstRow; row < lane.firstRow + lane.rowCount; ++row) {
                const RowView view = m_profile.row(row);
                for (std::size_t index = 0; index < view.size(); ++index)
                    intervals.push_back({view.startNs[index], view.durNs[index]});
            }
            m_profile.busy.push_back(unionOf(std::move(intervals)));
        }
        return static_cast<std::uint32_t>(m_profile.busy.size() - 1);
    }

    void addDevices()
    {
        const auto hostSlices = hostSlicesOfDevices(m_draft, m_profile);
        for (std::uint32_t index = 0; index < m_profile.devices.size(); ++index) {
            Device& device = m_profile.devices[index];
            const TrackId parent = device.process != kNone
                                       ? m_profile.processes[device.process].track
                                       : childOf(m_profile.hosts[device.host].track, TrackKind::GpuGroup, "GPUs");
            if (device.busy != kNone) {
                const TrackId utilisation = add(TrackKind::GpuUtilisation, device.name + " utilisation", parent);
                m_profile.tracks[utilisation.value].device = index;
                m_profile.tracks[utilisation.value].busy = {device.busy};
            }
            if (!hostSlices[index].empty()) {
                const TrackId host = add(TrackKind::GpuHost, device.name + " host", parent);
                const auto [firstRow, rowCount] = appendProjection(m_profile, hostSlices[index], host);
                Track& track = m_profile.tracks[host.value];
                track.device = index;
                track.firstRow = firstRow;
                track.rowCount = rowCount;
            }
            device.track = add(TrackKind::Device, device.name + " device", parent);
            m_profile.tracks[device.track.value].device = index;
            if (device.busy != kNone) m_profile.tracks[device.track.value].busy = {device.busy};
        }
    }

    [[nodiscard]] bool mostlyCommunication(const Lane& lane) const
    {
        std::uint32_t communication = 0;
        for (std::uint32_t slice = lane.firstSlice; slice < lane.firstSlice + lane.rowEnds.back(); ++slice)
            if (m_profile.slices.kind[slice] == SliceKind::CommunicationKernel) ++communication;
        return communication * 2 > lane.rowEnds.back();
    }

    /// Lines like XPlane's "Steps" have no stream of their name, and need no second word to tell them apart.
    [[nodiscard]] bool isBesideStream(const Lane& lane) const
    {
        return std::any_of(m_draft.lanes.begin(), m_draft.lanes.end(), [&](const Lane& other) {
            return other.kind == TrackKind::Stream && other.device == lane.device && other.key == lane.key;
        });
    }

    [[nodiscard]] std::string streamName(const Lane& lane) const
    {
        std::string name = isNumber(lane.key) || lane.key.starts_with('-') ? "stream " + lane.key : lane.key;
        const DeviceDraft* device = nullptr;
        for (const DeviceDraft& known : m_draft.devices)
            if (known.file == lane.file && known.number == m_profile.devices[lane.device].number) device = &known;
        if (device != nullptr) {
            const auto known =
                m_draft.threadNames.find(std::to_string(lane.file) + '/' + device->pid + '\x1f' + lane.key);
            // The file's name for a stream often is no more than "stream 7 ".
            if (known != m_draft.threadNames.end() && !known->second.starts_with("stream")) {
                name = known->second;
                std::transform(name.begin(), name.begin() + 1, name.begin(),
                               [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
            }
        }
        if (lane.kind == TrackKind::Stream && mostlyCommunication(lane)) name += " (nccl)";
        if (lane.kind == TrackKind::StreamAnnotations && isBesideStream(lane)) name += " annotations";
        if (lane.kind == TrackKind::StreamSync) name += " sync";
        return name;
    }

    void addStreams()
    {
        for (std::uint32_t index = 0; index < m_draft.lanes.size(); ++index) {
            const Lane& lane = m_draft.lanes[index];
            if (isOfProcess(lane.kind) || lane.rowEnds.empty()) continue;
            Device& device = m_profile.devices[lane.device];
            m_profile.tracks[index].name = streamName(lane);
            attach({index}, device.track);
            if (lane.kind == TrackKind::Stream) device.streams.push_back(lane.key);
        }
        for (Device& device : m_profile.devices) std::sort(device.streams.begin(), device.streams.end(), naturalLess);
    }

    /// "CPU-3" for the pids under which profilers file the counters of one CPU, else "".
    [[nodiscard]] static std::string cpuName(std::string_view pid)
    {
        if (!pid.starts_with("CPU") && !pid.starts_with("cpu")) return {};
        std::string_view number = pid.substr(3);
        while (!number.empty() && (number.front() == ' ' || number.front() == '-' || number.front() == '_'))
            number.remove_prefix(1);
        return isNumber(number) ? "CPU-" + std::string(number) : std::string();
    }

    /// Profilers number devices in two ways: by the process's own index, or by the machine's (ROCm agents).
    [[nodiscard]] TrackId deviceOf(const CounterDraft& counter) const
    {
        const bool ofProcess = counter.pid.starts_with(kDevicePidPrefix);
        const std::string number = ofProcess ? counter.pid.substr(kDevicePidPrefix.size()) : counter.pid;
        TrackId only;
        std::size_t count = 0;
        for (const Device& device : m_profile.devices) {
            if (device.file != counter.file) continue;
            if (std::to_string(device.number) == number) return device.track;
            only = device.track;
            ++count;
        }
        if (ofProcess && count == 1) return only;
        // Counters recorded beside the traces of their host.
        if (ofProcess && count == 0)
            for (const Device& device : m_profile.devices)
                if (m_profile.hosts[device.host].track == hostOf(counter.file) &&
                    std::to_string(device.number) == number)
                    return device.track;
        return {};
    }

    [[nodiscard]] std::string counterName(const CounterDraft& counter) const
    {
        const bool alone = m_counterNames.at({counter.file, counter.pid, counter.name}) == 1;
        return alone || counter.series.empty() ? counter.name : counter.name + " · " + counter.series;
    }

    [[nodiscard]] TrackId counterParent(const CounterDraft& counter)
    {
        if (const TrackId device = deviceOf(counter); device.valid())
            return childOf(device, TrackKind::CounterGroup, "counters");
        const TrackId host = hostOf(counter.file);
        if (const std::string cpu = cpuName(counter.pid); !cpu.empty())
            return childOf(childOf(host, TrackKind::CpuGroup, "CPU"), TrackKind::Cpu, cpu);
        if (const auto process = m_processes.find({counter.file, counter.pid}); process != m_processes.end())
            return childOf(process->second, TrackKind::CounterGroup, "counters");
        return childOf(host, TrackKind::CounterGroup, "counters");
    }

    [[nodiscard]] TrackId hostOf(std::uint32_t file) const
    {
        const std::string& name = m_draft.files[file].host;
        for (const Host& host : m_profile.hosts)
            if (host.name == (name.empty() ? "host" : name)) return host.track;
        return m_profile.roots.front();
    }

    void addCounters()
    {
        std::vector<std::string> names;
        for (const CounterDraft& counter : m_draft.counters)
            ++m_counterNames[{counter.file, counter.pid, counter.name}];
        for (const Process& process : m_profile.processes)
            m_processes.try_emplace({process.file, process.pid}, process.track);
        for (const CounterDraft& counter : m_draft.counters) names.push_back(counterName(counter));
        for (std::size_t place = 0; place < m_draft.counters.size(); ++place) {
            if (m_progress.cancelled()) return;
            CounterDraft& counter = m_draft.counters[place];
            const std::int64_t shiftNs = m_draft.files[counter.file].file.shiftNs;
            CounterSeries series;
            series.name = names[place];
            if (counter.pid.starts_with(kDevicePidPrefix) && !deviceOf(counter).valid())
                series.name = "GPU-" + counter.pid.substr(kDevicePidPrefix.size()) + " · " + series.name;
            series.unit = counter.unit;
            std::vector<std::uint32_t> order(counter.timeNs.size());
            for (std::uint32_t index = 0; index < order.size(); ++index) order[index] = index;
            std::stable_sort(order.begin(), order.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return counter.timeNs[a] < counter.timeNs[b]; });
            for (const std::uint32_t index : order) {
                series.timeNs.push_back(counter.timeNs[index] + shiftNs);
                series.value.push_back(counter.value[index]);
            }
            if (counter.changes) std::partial_sum(series.value.begin(), series.value.end(), series.value.begin());
            const auto [least, greatest] = std::minmax_element(series.value.begin(), series.value.end());
            series.least = *least;
            series.greatest = *greatest;
            const TrackId track = add(TrackKind::Counter, series.name, counterParent(counter));
            m_profile.tracks[track.value].counter = static_cast<std::uint32_t>(m_profile.counters.size());
            m_profile.counters.push_back(std::move(series));
            counter = {};
        }
    }

    void addSteps()
    {
        std::map<std::uint32_t, std::vector<SliceId>> byProcess;
        for (const Step& step : m_profile.steps) byProcess[step.process].push_back(step.slice);
        for (const auto& [process, slices] : byProcess) {
            const TrackId id = add(TrackKind::Steps, "steps", m_profile.processes[process].track);
            const auto [firstRow, rowCount] = appendProjection(m_profile, slices, id);
            m_profile.tracks[id.value].firstRow = firstRow;
            m_profile.tracks[id.value].rowCount = rowCount;
        }
    }

    void addInstants()
    {
        for (InstantDraft& draft : m_draft.instants) {
            Instant instant = draft.instant;
            instant.timeNs += m_draft.files[instant.file].file.shiftNs;
            if (draft.lane != kNone && !m_draft.lanes[draft.lane].rowEnds.empty()) instant.track = {draft.lane};
            m_profile.instants.push_back(instant);
        }
        std::stable_sort(m_profile.instants.begin(), m_profile.instants.end(),
                         [](const Instant& a, const Instant& b) { return a.timeNs < b.timeNs; });
    }

    [[nodiscard]] std::int64_t sortIndexOf(TrackId id) const
    {
        const Track& track = m_profile.track(id);
        if (track.kind == TrackKind::Process) return m_profile.processes[track.process].sortIndex;
        if (track.kind != TrackKind::Thread || m_draft.threadSortIndices.empty()) return 0;
        const Lane& lane = m_draft.lanes[id.value];
        const std::string& pid = m_profile.processes[lane.owner].pid;
        const auto known = m_draft.threadSortIndices.find(std::to_string(lane.file) + '/' + pid + '\x1f' + lane.key);
        return known == m_draft.threadSortIndices.end() ? 0 : known->second;
    }

    /// Siblings: the groups in the order of TrackKind; device rows stay together; names in natural order.
    void sortChildren()
    {
        const auto less = [&](TrackId a, TrackId b) {
            const Track& left = m_profile.track(a);
            const Track& right = m_profile.track(b);
            const auto group = [](const Track& track) {
                // A process with two devices shows all of GPU-0 before all of GPU-1.
                const bool ofDevice = track.kind == TrackKind::GpuUtilisation || track.kind == TrackKind::GpuHost ||
                                      track.kind == TrackKind::Device;
                const TrackKind kind = ofDevice ? TrackKind::Device : track.kind;
                return std::pair(
                    kind == TrackKind::StreamAnnotations || kind == TrackKind::StreamSync ? TrackKind::Stream : kind,
                    ofDevice ? track.device : 0u);
            };
            if (group(left) != group(right)) return group(left) < group(right);
            if (group(left).first == TrackKind::Device && left.kind != right.kind) return left.kind < right.kind;
            if (group(left).first == TrackKind::Process && left.name != right.name) {
                const auto rankOf = [&](const Track& track) { return m_profile.processes[track.process].rank; };
                if (rankOf(left) && rankOf(right) && *rankOf(left) != *rankOf(right))
                    return *rankOf(left) < *rankOf(right);
            }
            if (sortIndexOf(a) != sortIndexOf(b)) return sortIndexOf(a) < sortIndexOf(b);
            if (left.name != right.name) return naturalLess(left.name, right.name);
            return a < b;
        };
        for (Track& track : m_profile.tracks) std::sort(track.children.begin(), track.children.end(), less);
        // The main thread first, whatever its number.
        for (Track& track : m_profile.tracks)
            if (track.kind == TrackKind::ThreadGroup)
                std::stable_partition(track.children.begin(), track.children.end(),
                                      [&](TrackId child) { return m_profile.track(child).name.ends_with("(main)"); });
        std::sort(m_profile.roots.begin(), m_profile.roots.end(),
                  [&](TrackId a, TrackId b) { return naturalLess(m_profile.track(a).name, m_profile.track(b).name); });
    }

    /// A heading is as busy as the devices below it, or as the threads where there are none.
    void gatherBusy(TrackId id)
    {
        for (const TrackId child : m_profile.track(id).children) gatherBusy(child);
        Track& track = m_profile.tracks[id.value];
        if (!track.busy.empty() || track.kind == TrackKind::GpuUtilisation) return;
        for (const bool devices : {true, false}) {
            for (const TrackId child : track.children) {
                const Track& below = m_profile.track(child);
                const bool fromDevices = below.kind == TrackKind::GpuUtilisation || below.kind == TrackKind::GpuGroup ||
                                         (below.kind == TrackKind::Process && hasDevice(below));
                const bool fromThreads = below.kind == TrackKind::ThreadGroup || below.kind == TrackKind::Thread ||
                                         below.kind == TrackKind::Process;
                if (devices ? fromDevices : fromThreads)
                    track.busy.insert(track.busy.end(), below.busy.begin(), below.busy.end());
            }
            if (!track.busy.empty()) return;
        }
    }
    [[nodiscard]] bool hasDevice(const Track& process) const
    {
        return std::any_of(process.children.begin(), process.children.end(),
                           [&](TrackId child) { return m_profile.track(child).kind == TrackKind::GpuUtilisation; });
    }

    Draft& m_draft;
    Profile& m_profile;
    const LoadProgress& m_progress;
    std::map<std::tuple<std::uint32_t, TrackKind, std::string>, TrackId> m_groups; ///< by parent, kind and name
    std::map<std::tuple<std::uint32_t, std::string, std::string>, std::uint32_t> m_counterNames; ///< file, pid, name
    std::map<std::pair<std::uint32_t, std::string>, TrackId> m_processes;                        ///< file, pid
};

} // namespace

void buildTree(Draft& draft, Profile& profile, const LoadProgress& progress)
{
    TreeBuilder(draft, profile, progress).build();
}

} // namespace stepscope::draft
