// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/sagemaker/Timeline.h"

#include "core/DecimalTime.h"
#include "core/FileName.h"
#include "importers/kineto/EventFields.h"
#include "io/JsonText.h"

#include <algorithm>

namespace stepscope::sagemaker
{

namespace
{

using namespace kineto;

/// The number under `args.step_num` of an event.
std::optional<std::int64_t> stepNumber(std::string_view event)
{
    for (const json::Field& field : json::fieldsOf(event)) {
        if (field.key != "args" || !field.value.starts_with('{')) continue;
        for (const json::Field& argument : json::fieldsOf(field.value))
            if (argument.key == "step_num") return integerOf<std::int64_t>(tokenOf(argument.value).text);
    }
    return std::nullopt;
}

SliceKind kindOf(const TimelineName& name, bool step)
{
    if (step) return SliceKind::Annotation;
    return name.writer == "python" ? SliceKind::Python : SliceKind::CpuOp;
}

Window windowOver(std::string_view list)
{
    Window window;
    window.size = list.size();
    window.text = PaddedText(window.size);
    char* end = std::copy(list.begin(), list.end(), window.text.data() + 1);
    std::fill(end, window.text.data() + window.text.capacity(), ' ');
    window.last = true;
    return window;
}

} // namespace

std::optional<std::int64_t> timelineEpochNs(std::string_view text)
{
    constexpr std::string_view kKey = "\"start_time_since_epoch_in_micros\"";
    const std::size_t at = text.find(kKey);
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t begin = text.find_first_of("0123456789", at + kKey.size());
    if (begin == std::string_view::npos) return std::nullopt;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", begin), text.size());
    return nsFromMicroseconds(text.substr(begin, end - begin));
}

/// One file on its way into the builder.
class Timelines::File
{
public:
    File(Timelines& owner, const std::string& path, std::uint32_t file, std::int64_t epochNs, std::uint64_t offset)
        : m_owner(owner), m_builder(owner.m_builder), m_path(path), m_file(file), m_epochNs(epochNs), m_offset(offset),
          m_name(timelineName(path)), m_process(m_builder.process(file, m_name.pid.empty() ? "0" : m_name.pid))
    {
        if (!m_name.node.empty()) m_builder.setProcessHost(m_process, m_name.node);
    }

    void take(const EventBatch& batch, std::string_view text)
    {
        std::vector<std::uint32_t> lanes;
        for (const LaneKey& key : batch.lanes) lanes.push_back(laneOf(batch, key));
        for (const SliceRecord& record : batch.slices) add(batch, record, lanes[record.lane], text);
        for (const MetaRecord& meta : batch.metas)
            if (meta.what == MetaRecord::What::ProcessName)
                m_owner.m_phaseNames[keyOf(batch.texts[meta.pid])] = batch.texts[meta.text];
        for (std::size_t notice = 0; notice < kNoticeCount; ++notice)
            if (batch.notices[notice] > 0 && static_cast<Notice>(notice) == Notice::BrokenEvent)
                m_builder.diagnostics().add(DiagnosticCode::BrokenEvent, batch.notices[notice],
                                            baseName(m_path) + ", byte " + std::to_string(batch.firstPlace[notice]));
    }

private:
    [[nodiscard]] std::string keyOf(std::string_view phase) const
    {
        return std::to_string(m_file) + '/' + m_name.pid + '/' + std::string(phase);
    }

    std::uint32_t laneOf(const EventBatch& batch, const LaneKey& key)
    {
        const std::string phase(batch.texts[key.pid]);
        const std::string tid(batch.texts[key.tid]);
        const std::string thread = tid == phase ? phase : phase + '.' + tid;
        m_owner.m_phases.try_emplace(keyOf(thread),
                                     Phase{m_file, m_name.pid.empty() ? "0" : m_name.pid, thread, keyOf(phase)});
        return m_builder.threadLane(m_process, thread);
    }

    void add(const EventBatch& batch, const SliceRecord& record, std::uint32_t lane, std::string_view text)
    {
        RawSlice slice;
        slice.startNs = record.startNs + m_epochNs;
        slice.durNs = record.durNs;
        slice.name = m_builder.strings().intern(batch.texts[record.name]);
        slice.source = SourceRef::of(m_offset + record.offset, record.length);
        const bool step = batch.texts[record.name].starts_with("Step:");
        slice.kind = kindOf(m_name, step);
        if (step) slice.step = stepNumber(text.substr(record.offset, record.length));
        switch (record.phase) {
        case 'i':
            return m_builder.addInstant(m_file, lane, slice.startNs, slice.name, slice.source);
        case 'B':
            return m_builder.addBegin(lane, slice);
        case 'E':
            return m_builder.addEnd(lane, slice.startNs, record.hasArgs ? slice.source : SourceRef{});
        default:
            m_builder.addSlice(lane, slice);
        }
    }

    Timelines& m_owner;
    ProfileBuilder& m_builder;
    const std::string& m_path;
    std::uint32_t m_file;
    std::int64_t m_epochNs;
    std::uint64_t m_offset;
    TimelineName m_name;
    std::uint32_t m_process;
};

bool Timelines::add(std::string_view text, std::uint64_t offset, const std::string& path, std::uint32_t file,
                    LoadProgress& progress)
{
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos) return true;
    Window window = windowOver(text.substr(open + 1));
    window.offset = open + 1;
    const EventBatch batch = m_parser.parse(window, false);
    if (progress.cancelled()) return false;
    File(*this, path, file, timelineEpochNs(text).value_or(0), offset).take(batch, text);
    progress.addSlices(batch.slices.size());
    if (batch.end == EventBatch::End::Incomplete)
        m_builder.diagnostics().add(DiagnosticCode::TruncatedFile, 1,
                                    baseName(path) + ", byte " + std::to_string(open + 1 + batch.consumed));
    return true;
}

void Timelines::finish()
{
    for (const auto& [key, phase] : m_phases) {
        const auto name = m_phaseNames.find(phase.label);
        if (name == m_phaseNames.end()) continue;
        const std::size_t dot = phase.key.find('.');
        const std::string thread = dot == std::string::npos ? std::string() : " · " + phase.key.substr(dot + 1);
        m_builder.setThreadName(phase.file, phase.pid, phase.key, name->second + thread);
    }
}

} // namespace stepscope::sagemaker
