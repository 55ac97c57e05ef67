// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/Diagnostics.h"

#include <algorithm>
#include <array>

namespace stepscope
{

namespace
{

struct CatalogueEntry {
    DiagnosticCode code;
    std::string_view name;
    Severity severity;
    std::string_view message;
    FigureSet figures = {};
};

constexpr std::array kCatalogue = {
    CatalogueEntry{DiagnosticCode::TruncatedFile,
                   "truncated_file",
                   Severity::DataLoss,
                   "The file ends in the middle; everything before that place was read. Copy or download it again if "
                   "the end matters.",
                   {Figure::Slices, Figure::Durations}},
    CatalogueEntry{DiagnosticCode::BrokenEvent,
                   "broken_event",
                   Severity::DataLoss,
                   "Events that are no valid JSON were skipped.",
                   {Figure::Slices}},
    CatalogueEntry{DiagnosticCode::RepairedEvent, "repaired_event", Severity::Info,
                   "Events with small faults (control characters, invalid UTF-8, bare inf or nan, stray commas) were "
                   "read all the same."},
    CatalogueEntry{DiagnosticCode::NotAnEvent, "not_an_event", Severity::Info,
                   "Elements of the event list without a phase were skipped."},
    CatalogueEntry{DiagnosticCode::UnknownPhase, "unknown_phase", Severity::Info,
                   "Events of a phase that the timeline does not show were skipped."},
    CatalogueEntry{DiagnosticCode::MissingTime,
                   "missing_time",
                   Severity::DataLoss,
                   "Events without a readable time were skipped.",
                   {Figure::Slices}},
    CatalogueEntry{DiagnosticCode::MissingDuration,
                   "missing_duration",
                   Severity::Warning,
                   "Slices without a duration are shown with none.",
                   {Figure::Durations}},
    CatalogueEntry{DiagnosticCode::NegativeDuration,
                   "negative_duration",
                   Severity::Warning,
                   "Slices with a negative duration are shown with none.",
                   {Figure::Durations}},
    CatalogueEntry{DiagnosticCode::TextTime, "text_time", Severity::Info,
                   "Times written as text were read as numbers."},
    CatalogueEntry{DiagnosticCode::UnmatchedBegin,
                   "unmatched_begin",
                   Severity::Warning,
                   "Begin events without an end are drawn to the end of the profile.",
                   {Figure::Durations}},
    CatalogueEntry{DiagnosticCode::UnmatchedEnd,
                   "unmatched_end",
                   Severity::Warning,
                   "End events without a begin were skipped.",
                   {Figure::Slices}},
    CatalogueEntry{DiagnosticCode::Overlap,
                   "overlap",
                   Severity::Info,
                   "Slices that overlap a neighbour without nesting in it have a lane of their own.",
                   {Figure::Durations}},
    CatalogueEntry{DiagnosticCode::NegativeLatency,
                   "negative_latency",
                   Severity::Warning,
                   "Runs that start before their launch: the clocks of host and device disagree. Their latencies are "
                   "shown as they are.",
                   {Figure::Links, Figure::Clocks}},
    CatalogueEntry{DiagnosticCode::UnlinkedRun,
                   "unlinked_run",
                   Severity::Info,
                   "Runs whose launch is not in the profile have no arrow.",
                   {Figure::Links}},
    CatalogueEntry{DiagnosticCode::BareTextId, "text_id", Severity::Info, "Ids written as text were accepted."},
    CatalogueEntry{DiagnosticCode::RankFromFileName,
                   "rank_from_file_name",
                   Severity::Info,
                   "The rank was taken from the file's name, as the file does not tell it.",
                   {Figure::Names}},
    CatalogueEntry{DiagnosticCode::RankUnknown,
                   "rank_unknown",
                   Severity::Info,
                   "The file does not tell its rank.",
                   {Figure::Names}},
    CatalogueEntry{DiagnosticCode::ClockUnaligned,
                   "clock_unaligned",
                   Severity::Warning,
                   "Files without a wall clock are not aligned with the others: each starts at the beginning.",
                   {Figure::Clocks}},
    CatalogueEntry{DiagnosticCode::BrokenMetadata,
                   "broken_metadata",
                   Severity::Warning,
                   "The keys beside the events are no valid JSON; ranks, devices or the wall clock may be missing.",
                   {Figure::Names, Figure::Clocks}},
    CatalogueEntry{DiagnosticCode::NoSteps,
                   "no_steps",
                   Severity::Info,
                   "No steps found: no annotation is named like ProfilerStep#1, step_1, Iteration 1 or train 1. Call "
                   "prof.step() in the training loop to get them.",
                   {Figure::Steps}},
    CatalogueEntry{DiagnosticCode::NoDeviceWork,
                   "no_device_work",
                   Severity::Info,
                   "The profile holds no work on a device, only host events. Record with ProfilerActivity.CUDA (or "
                   "the accelerator's own) to get it.",
                   {Figure::Devices}},
    CatalogueEntry{DiagnosticCode::FileSkipped,
                   "file_skipped",
                   Severity::DataLoss,
                   "Files of the folder could not be read and are missing.",
                   {Figure::Slices, Figure::Devices}},
    CatalogueEntry{DiagnosticCode::UnknownTable,
                   "unknown_table",
                   Severity::Info,
                   "This version does not show the rows of this table.",
                   {Figure::Slices}},
    CatalogueEntry{DiagnosticCode::MissingTable,
                   "missing_table",
                   Severity::Info,
                   "Nothing of this sort was recorded: the table is not in the export.",
                   {Figure::Slices}},
    CatalogueEntry{DiagnosticCode::BrokenRecord,
                   "broken_record",
                   Severity::DataLoss,
                   "Records that cannot be decoded were skipped.",
                   {Figure::Slices, Figure::Counters}},
    CatalogueEntry{DiagnosticCode::DanglingReference,
                   "dangling_reference",
                   Severity::Warning,
                   "Ids that the file does not explain are shown as numbers.",
                   {Figure::Names}},
    CatalogueEntry{DiagnosticCode::TimeOutOfRange,
                   "time_out_of_range",
                   Severity::DataLoss,
                   "Records whose time no clock can have were skipped.",
                   {Figure::Slices, Figure::Durations}},
    CatalogueEntry{DiagnosticCode::LimitReached,
                   "limit_reached",
                   Severity::DataLoss,
                   "A limit was reached and the rest was not read.",
                   {Figure::Slices}},
    CatalogueEntry{DiagnosticCode::UncheckpointedLog,
                   "uncheckpointed_log",
                   Severity::DataLoss,
                   "The database has a write-ahead log beside it whose rows are not shown. Open it once with sqlite3 "
                   "and run PRAGMA wal_checkpoint to have them.",
                   {Figure::Slices}},
    CatalogueEntry{DiagnosticCode::LostData,
                   "lost_data",
                   Severity::DataLoss,
                   "The profiler itself lost events while it recorded; buffers were too small or the disk too slow.",
                   {Figure::Slices, Figure::Durations}},
    CatalogueEntry{DiagnosticCode::ClocksRealigned,
                   "clocks_realigned",
                   Severity::Warning,
                   "The clocks of the ranks disagree; they were moved so that matching collectives end together.",
                   {Figure::Clocks}},
    CatalogueEntry{DiagnosticCode::ClocksAligned,
                   "clocks_aligned",
                   Severity::Info,
                   "Ranks are placed side by side by the wall clocks of their hosts; what those differ by stays.",
                   {Figure::Clocks}},
    CatalogueEntry{DiagnosticCode::AmbiguousLaunch,
                   "ambiguous_launch",
                   Severity::Warning,
                   "Runs whose correlation id belongs to several launches are linked to the last one before them.",
                   {Figure::Links}},
    CatalogueEntry{DiagnosticCode::FileIgnored, "file_ignored", Severity::Info,
                   "Files of the folder that are no profiles were left out."},
    CatalogueEntry{DiagnosticCode::DamagedData,
                   "damaged_data",
                   Severity::DataLoss,
                   "The compressed data is damaged; what could be inflated was read. Copy or download the file again.",
                   {Figure::Slices, Figure::Durations}},
    CatalogueEntry{DiagnosticCode::SecondEventList,
                   "second_event_list",
                   Severity::DataLoss,
                   "The events of a second \"traceEvents\" list were not read.",
                   {Figure::Slices}},
    CatalogueEntry{
        DiagnosticCode::LaunchWithoutRun,
        "launch_without_run",
        Severity::Info,
        "Launches whose run is not in the profile have no arrow: the recording stopped before it, or the device was "
        "not recorded.",
        {Figure::Links}},
    CatalogueEntry{DiagnosticCode::StepWithoutDeviceWork,
                   "step_without_device_work",
                   Severity::Warning,
                   "Steps in which no work on a device was recorded have no device time.",
                   {Figure::Steps, Figure::Devices}},
    CatalogueEntry{DiagnosticCode::ZeroDurationRun,
                   "zero_duration_run",
                   Severity::Info,
                   "Runs that took no time by the clock of the file count, but add nothing to any sum.",
                   {Figure::Durations}},
    CatalogueEntry{DiagnosticCode::MissingColumn,
                   "missing_column",
                   Severity::DataLoss,
                   "The table lacks this column, without which its rows cannot be shown. Export the report again with "
                   "the profiler's own tool.",
                   {Figure::Slices, Figure::Counters}},
    CatalogueEntry{DiagnosticCode::ProfilerMessage,
                   "profiler_message",
                   Severity::Warning,
                   "This is what the profiler itself said while it recorded.",
                   {Figure::Slices}},
    CatalogueEntry{DiagnosticCode::AggregatedEvent,
                   "aggregated_event",
                   Severity::Info,
                   "Records that count many events without saying when each happened are not on the timeline.",
                   {Figure::Slices}},
    CatalogueEntry{DiagnosticCode::TwinFile, "twin_file", Severity::Info,
                   "Files that hold the recording of another one here in a poorer form were left out."},
};

const CatalogueEntry& entryOf(DiagnosticCode code)
{
    return *std::find_if(kCatalogue.begin(), kCatalogue.end(), [&](const auto& entry) { return entry.code == code; });
}

} // namespace

std::string_view diagnosticName(DiagnosticCode code) { return entryOf(code).name; }

std::string_view severityName(Severity severity)
{
    switch (severity) {
    case Severity::Info:
        return "info";
    case Severity::Warning:
        return "warning";
    case Severity::DataLoss:
        return "data_loss";
    }
    return "info";
}

std::string effectOf(FigureSet figures)
{
    constexpr std::array<std::string_view, kFigureCount> kNames = {"counts of slices",
                                                                   "durations and sums",
                                                                   "links and latencies",
                                                                   "steps",
                                                                   "devices",
                                                                   "times across files",
                                                                   "counters",
                                                                   "names"};
    std::string text;
    for (std::size_t figure = 0; figure < kFigureCount; ++figure)
        if (figures.contains(static_cast<Figure>(figure))) text.append(text.empty() ? "" : ", ").append(kNames[figure]);
    return text.empty() ? "nothing" : text;
}

void DiagnosticLog::add(DiagnosticCode code, std::uint64_t count, std::string place, std::string detail)
{
    if (count == 0) return;
    Entry& entry = m_entries[{code, {}}];
    if (entry.count == 0) {
        entry.place = std::move(place);
        entry.detail = std::move(detail);
    }
    entry.count += count;
}

void DiagnosticLog::addFor(DiagnosticCode code, std::string subject, std::uint64_t count, std::string place)
{
    if (count == 0) return;
    Entry& entry = m_entries[{code, std::move(subject)}];
    if (entry.count == 0) entry.place = std::move(place);
    entry.count += count;
}

std::vector<Diagnostic> DiagnosticLog::finish() const
{
    std::vector<Diagnostic> result;
    for (const auto& [key, entry] : m_entries) {
        const auto& [code, subject] = key;
        const CatalogueEntry& known = entryOf(code);
        std::string message =
            subject.empty() ? std::string(known.message) : subject + ": " + std::string(known.message);
        if (!entry.detail.empty()) message += " " + entry.detail;
        result.push_back({code, known.severity, known.figures, entry.count, std::move(message), entry.place});
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a.severity > b.severity; });
    return result;
}

} // namespace stepscope
