// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/ProfileBuilder.h"

#include "core/FileName.h"
#include "core/ParallelFor.h"
#include "profile/Freeze.h"
#include "profile/ProfileDraft.h"

#include <algorithm>
#include <unordered_map>

namespace stepscope
{

namespace
{

/// Key of a lane: owner (process or device), kind and the file's own key.
std::string laneKey(TrackKind kind, std::uint32_t owner, std::string_view key)
{
    std::string text = std::to_string(static_cast<int>(kind)) + '/' + std::to_string(owner) + '/';
    return text.append(key);
}

std::string fileKey(std::uint32_t file, std::string_view key, std::string_view more = {})
{
    std::string text = std::to_string(file) + '/';
    text.append(key);
    return more.empty() ? text : text.append("\x1f").append(more);
}

} // namespace

struct ProfileBuilder::State {
    draft::Draft draft;
    std::unordered_map<std::string, std::uint32_t> processes;
    std::unordered_map<std::string, std::uint32_t> devices;
    std::unordered_map<std::string, std::uint32_t> lanes;
    std::unordered_map<std::string, std::uint32_t> counters;
    std::unordered_map<StringId, std::uint16_t> categories;
    /// What a name tells about a slice, per string id: 0 not asked yet, else SliceKind + 1.
    std::vector<std::uint8_t> kernelKinds;
    std::vector<std::uint8_t> callKinds;
    std::uint32_t rejectedLane = kNone; ///< whose newest slice was not taken

    SliceKind refine(SliceKind kind, StringId name);
    std::uint32_t processLane(std::uint32_t process, std::string_view key, TrackKind kind);
};

ProfileBuilder::ProfileBuilder() : m_state(std::make_unique<State>()) {}
ProfileBuilder::~ProfileBuilder() = default;

StringPool& ProfileBuilder::strings() { return m_state->draft.strings; }
const StringPool& ProfileBuilder::strings() const { return m_state->draft.strings; }
DiagnosticLog& ProfileBuilder::diagnostics() { return m_state->draft.diagnostics; }

std::uint16_t ProfileBuilder::category(StringId text)
{
    auto& known = m_state->draft.categories;
    const auto [place, added] = m_state->categories.try_emplace(text, static_cast<std::uint16_t>(known.size()));
    if (added && known.size() < 0xffff) known.push_back(text);
    else if (added) place->second = 0xfffe;
    return place->second;
}

std::uint32_t ProfileBuilder::addFile(std::string path, std::string format, std::uint64_t bytes)
{
    draft::FileDraft file;
    file.file.path = std::move(path);
    file.file.format = std::move(format);
    file.file.bytes = bytes;
    m_state->draft.files.push_back(std::move(file));
    return static_cast<std::uint32_t>(m_state->draft.files.size() - 1);
}

void ProfileBuilder::setFileFacts(std::uint32_t file, FileFacts facts)
{
    draft::FileDraft& known = m_state->draft.files[file];
    if (!facts.format.empty()) known.file.format = std::move(facts.format);
    known.host = std::move(facts.host);
    known.file.parts = std::move(facts.parts);
    if (facts.epochNs && isTimePossible(*facts.epochNs)) known.epochNs = facts.epochNs;
    known.file.rank = facts.rank;
    known.file.worldSize = facts.worldSize;
    known.file.metadata = std::move(facts.metadata);
    known.file.source = std::move(facts.source);
    known.file.inflatedBytes = facts.inflatedBytes;
    for (auto& [number, model] : facts.deviceModels) known.deviceModels.emplace(number, std::move(model));
}

void ProfileBuilder::dropFile(std::uint32_t file)
{
    if (file + 1 == m_state->draft.files.size()) m_state->draft.files.pop_back();
}

std::uint32_t ProfileBuilder::process(std::uint32_t file, std::string_view pid)
{
    auto& all = m_state->draft.processes;
    const auto [place, added] =
        m_state->processes.try_emplace(fileKey(file, pid), static_cast<std::uint32_t>(all.size()));
    if (added) {
        all.emplace_back();
        all.back().file = file;
        all.back().pid = pid;
    }
    return place->second;
}

void ProfileBuilder::setProcessName(std::uint32_t process, std::string_view name)
{
    if (!name.empty()) m_state->draft.processes[process].name = name;
}

void ProfileBuilder::setProcessLabel(std::uint32_t process, std::string_view label)
{
    if (!label.empty()) m_state->draft.processes[process].label = label;
}

void ProfileBuilder::setProcessHost(std::uint32_t process, std::string_view host)
{
    m_state->draft.processes[process].host = host;
}

void ProfileBuilder::setProcessRank(std::uint32_t process, std::int64_t rank)
{
    m_state->draft.processes[process].rank = rank;
}

void ProfileBuilder::setProcessSortIndex(std::uint32_t process, std::int64_t index)
{
    m_state->draft.processes[process].sortIndex = index;
}

void ProfileBuilder::setThreadSortIndex(std::uint32_t file, std::string_view pid, std::string_view tid,
                                        std::int64_t index)
{
    m_state->draft.threadSortIndices[fileKey(file, pid, tid)] = index;
}

std::uint32_t ProfileBuilder::device(std::uint32_t file, std::int64_t number, std::string_view pid)
{
    auto& all = m_state->draft.devices;
    const auto [place, added] =
        m_state->devices.try_emplace(fileKey(file, std::to_string(number)), static_cast<std::uint32_t>(all.size()));
    if (added) {
        all.emplace_back();
        all.back().file = file;
        all.back().number = number;
        all.back().pid = pid;
    }
    return place->second;
}

void ProfileBuilder::setDeviceName(std::uint32_t device, std::string_view name, std::string_view model)
{
    m_state->draft.devices[device].name = name;
    m_state->draft.devices[device].model = model;
}

void ProfileBuilder::setDeviceProcess(std::uint32_t device, std::uint32_t process)
{
    m_state->draft.devices[device].process = process;
}

std::uint32_t ProfileBuilder::State::processLane(std::uint32_t process, std::string_view key, TrackKind kind)
{
    const auto [place, added] =
        lanes.try_emplace(laneKey(kind, process, key), static_cast<std::uint32_t>(draft.lanes.size()));
    if (added) {
        draft::Lane lane;
        lane.kind = kind;
        lane.owner = process;
        lane.key = key;
        lane.file = draft.processes[process].file;
        draft.lanes.push_back(std::move(lane));
    }
    return place->second;
}

std::uint32_t ProfileBuilder::threadLane(std::uint32_t process, std::string_view tid)
{
    return m_state->processLane(process, tid, TrackKind::Thread);
}

std::uint32_t ProfileBuilder::asyncLane(std::uint32_t process, std::string_view key)
{
    return m_state->processLane(process, key, TrackKind::Async);
}

std::uint32_t ProfileBuilder::streamLane(std::uint32_t device, std::string_view stream, TrackKind kind)
{
    auto& lanes = m_state->draft.lanes;
    const auto [place, added] =
        m_state->lanes.try_emplace(laneKey(kind, device, stream), static_cast<std::uint32_t>(lanes.size()));
    if (added) {
        draft::Lane lane;
        lane.kind = kind;
        lane.owner = device;
        lane.device = device;
        lane.key = stream;
        lane.file = m_state->draft.devices[device].file;
        lanes.push_back(std::move(lane));
    }
    return place->second;
}

void ProfileBuilder::setThreadName(std::uint32_t file, std::string_view pid, std::string_view tid,
                                   std::string_view name)
{
    if (!name.empty()) m_state->draft.threadNames[fileKey(file, pid, tid)] = name;
}

SliceKind ProfileBuilder::State::refine(SliceKind kind, StringId name)
{
    auto& known = kind == SliceKind::Kernel ? kernelKinds : callKinds;
    if (known.size() <= name.value) known.resize(draft.strings.size() + 256);
    std::uint8_t& entry = known[name.value];
    if (entry == 0) {
        const std::string_view text = draft.strings.view(name);
        const SliceKind told = kind != SliceKind::Kernel         ? runtimeCallKind(text)
                               : isCommunicationKernelName(text) ? SliceKind::CommunicationKernel
                                                                 : SliceKind::Kernel;
        entry = static_cast<std::uint8_t>(static_cast<unsigned>(told) + 1);
    }
    return static_cast<SliceKind>(entry - 1);
}

void ProfileBuilder::expectSlices(std::uint32_t lane, std::uint64_t count)
{
    draft::Lane& target = m_state->draft.lanes[lane];
    target.intervals.reserve(target.intervals.size() + count);
    target.contents.reserve(target.contents.size() + count);
}

std::uint32_t ProfileBuilder::addSlice(std::uint32_t lane, const RawSlice& slice)
{
    draft::Lane& target = m_state->draft.lanes[lane];
    const auto place = static_cast<std::uint32_t>(target.intervals.size());
    m_state->rejectedLane = kNone;
    if (!accept(target.file, slice.startNs)) {
        m_state->rejectedLane = lane;
        return kNone;
    }
    // Nothing real lasts longer than a clock can count.
    const std::int64_t durNs = std::clamp<std::int64_t>(slice.durNs, 0, kFarthestNs - slice.startNs);
    if (durNs != slice.durNs) m_state->draft.diagnostics.add(DiagnosticCode::TimeOutOfRange);
    SliceKind kind = slice.kind;
    if (kind == SliceKind::Kernel || kind == SliceKind::Runtime) kind = m_state->refine(kind, slice.name);
    if (slice.correlation) target.correlations.push_back({*slice.correlation, place});
    if (slice.step) target.stepMarks.push_back({static_cast<std::uint64_t>(*slice.step), place});
    target.intervals.push_back({slice.startNs, durNs});
    target.contents.push_back({slice.source, slice.name, slice.category, kind});
    draft::FileDraft& file = m_state->draft.files[target.file];
    file.firstNs = std::min(file.firstNs, slice.startNs);
    file.lastNs = std::max(file.lastNs, slice.startNs + durNs);
    ++m_state->draft.sliceCount;
    return place;
}

void ProfileBuilder::markStep(std::uint32_t lane, std::uint32_t slice, std::int64_t step)
{
    m_state->draft.lanes[lane].stepMarks.push_back({static_cast<std::uint64_t>(step), slice});
}

void ProfileBuilder::addBegin(std::uint32_t lane, const RawSlice& begin)
{
    draft::Lane& target = m_state->draft.lanes[lane];
    if (!accept(target.file, begin.startNs)) return;
    target.edges.push_back({begin.startNs, {begin.source, begin.name, begin.category, begin.kind}, true});
    touch(target.file, begin.startNs);
}

void ProfileBuilder::addEnd(std::uint32_t lane, std::int64_t timeNs, SourceRef source)
{
    draft::Lane& target = m_state->draft.lanes[lane];
    if (!accept(target.file, timeNs)) return;
    draft::Content content;
    content.source = source;
    target.edges.push_back({timeNs, content, false});
    touch(target.file, timeNs);
}

void ProfileBuilder::addEndSource(std::uint32_t file, SourceRef begin, SourceRef end)
{
    m_state->draft.files[file].file.endSources.emplace_back(begin, end);
}

void ProfileBuilder::addInstant(std::uint32_t file, std::uint32_t lane, std::int64_t timeNs, StringId name,
                                SourceRef source)
{
    if (!accept(file, timeNs)) return;
    m_state->draft.instants.push_back({{timeNs, name, {}, source, file}, lane});
    touch(file, timeNs);
}

void ProfileBuilder::addFlowEnd(std::uint32_t file, std::uint32_t lane, std::int64_t timeNs, std::uint64_t id,
                                StringId category, bool start, FlowBinding binding, bool launch)
{
    if (!accept(file, timeNs)) return;
    draft::FileDraft& target = m_state->draft.files[file];
    (launch ? target.launchFlowEnds : target.flowEnds).push_back({id, timeNs, lane, category, start, binding});
    touch(file, timeNs);
}

void ProfileBuilder::addSliceFlowEnd(std::uint32_t lane, std::uint64_t id, StringId category, bool start)
{
    draft::Lane& target = m_state->draft.lanes[lane];
    if (target.intervals.empty() || m_state->rejectedLane == lane) return;
    target.flowEnds.push_back({id, static_cast<std::uint32_t>(target.intervals.size() - 1), category, start});
}

std::uint32_t ProfileBuilder::counter(std::uint32_t file, std::string_view pid, std::string_view name,
                                      std::string_view series)
{
    auto& all = m_state->draft.counters;
    const auto [place, added] = m_state->counters.try_emplace(
        fileKey(file, pid, std::string(name).append("\x1f").append(series)), static_cast<std::uint32_t>(all.size()));
    if (added) all.push_back({file, std::string(pid), std::string(name), std::string(series)});
    return place->second;
}

void ProfileBuilder::setCounterUnit(std::uint32_t counter, std::string_view unit)
{
    m_state->draft.counters[counter].unit = unit;
}

void ProfileBuilder::markAsChanges(std::uint32_t counter) { m_state->draft.counters[counter].changes = true; }

void ProfileBuilder::addSample(std::uint32_t counter, std::int64_t timeNs, double value)
{
    draft::CounterDraft& target = m_state->draft.counters[counter];
    if (!accept(target.file, timeNs)) return;
    target.timeNs.push_back(timeNs);
    target.value.push_back(value);
    touch(target.file, timeNs);
}

bool ProfileBuilder::accept(std::uint32_t file, std::int64_t timeNs)
{
    if (isTimePossible(timeNs)) return true;
    m_state->draft.diagnostics.add(DiagnosticCode::TimeOutOfRange, 1, baseName(m_state->draft.files[file].file.path));
    return false;
}

void ProfileBuilder::touch(std::uint32_t file, std::int64_t timeNs)
{
    if (!isTimePossible(timeNs)) return;
    draft::FileDraft& target = m_state->draft.files[file];
    target.firstNs = std::min(target.firstNs, timeNs);
    target.lastNs = std::max(target.lastNs, timeNs);
}

void ProfileBuilder::markAsFolder() { m_state->draft.folder = true; }
std::uint64_t ProfileBuilder::sliceCount() const { return m_state->draft.sliceCount; }
std::size_t ProfileBuilder::fileCount() const { return m_state->draft.files.size(); }

std::shared_ptr<const Profile> ProfileBuilder::finish(std::string path, LoadProgress& progress)
{
    draft::Draft draft = std::move(m_state->draft);
    m_state = std::make_unique<State>();
    return draft::freeze(std::move(draft), std::move(path), progress);
}

} // namespace stepscope
