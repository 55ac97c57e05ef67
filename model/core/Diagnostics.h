// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stepscope
{

enum class Severity : std::uint8_t { Info, Warning, DataLoss };

/// The figures that a notice touches: whoever shows one of them shows the notice with it.
enum class Figure : std::uint8_t { Slices, Durations, Links, Steps, Devices, Clocks, Counters, Names };
inline constexpr std::size_t kFigureCount = static_cast<std::size_t>(Figure::Names) + 1;

class FigureSet
{
public:
    constexpr FigureSet() = default;
    constexpr FigureSet(std::initializer_list<Figure> figures)
    {
        for (const Figure figure : figures) m_bits = static_cast<std::uint8_t>(m_bits | bit(figure));
    }
    [[nodiscard]] constexpr bool contains(Figure figure) const { return (m_bits & bit(figure)) != 0; }
    [[nodiscard]] constexpr bool intersects(FigureSet other) const { return (m_bits & other.m_bits) != 0; }

private:
    static constexpr std::uint8_t bit(Figure figure)
    {
        return static_cast<std::uint8_t>(1u << static_cast<unsigned>(figure));
    }
    std::uint8_t m_bits = 0;
};

/// Everything an importer can notice. Closed on purpose: each has a text and an advice in Diagnostics.cpp.
enum class DiagnosticCode : std::uint8_t {
    TruncatedFile,
    BrokenEvent,
    RepairedEvent,
    NotAnEvent,
    UnknownPhase,
    MissingTime,
    MissingDuration,
    NegativeDuration,
    TextTime,
    UnmatchedBegin,
    UnmatchedEnd,
    Overlap,
    NegativeLatency,
    UnlinkedRun,
    BareTextId,
    RankFromFileName,
    RankUnknown,
    ClockUnaligned,
    BrokenMetadata,
    NoSteps,
    NoDeviceWork,
    FileSkipped,
    UnknownTable,
    MissingTable,
    BrokenRecord,
    DanglingReference,
    TimeOutOfRange,
    LimitReached,
    UncheckpointedLog,
    LostData,
    ClocksRealigned,
    ClocksAligned,
    AmbiguousLaunch,
    FileIgnored,
    DamagedData,
    SecondEventList,
    LaunchWithoutRun,
    StepWithoutDeviceWork,
    ZeroDurationRun,
    MissingColumn,
    ProfilerMessage,
    AggregatedEvent,
    TwinFile,
};

struct Diagnostic {
    DiagnosticCode code = DiagnosticCode::BrokenEvent;
    Severity severity = Severity::Info;
    FigureSet figures;
    std::uint64_t count = 0;
    std::string message;    ///< what it means and what to do, without the count
    std::string firstPlace; ///< "rank-0.json, byte 1234", or ""
};

/// Stable name of a code in `--json` output, for example "truncated_file".
[[nodiscard]] std::string_view diagnosticName(DiagnosticCode code);
[[nodiscard]] std::string_view severityName(Severity severity);
/// What the figures are, for people: "links and latencies, steps"; "nothing" for none.
[[nodiscard]] std::string effectOf(FigureSet figures);

/// Collects notices while loading: one entry a code, counted, with the first place.
class DiagnosticLog
{
public:
    /// `place` is only evaluated by the caller for the first notice when wasSeen() is asked before.
    void add(DiagnosticCode code, std::uint64_t count = 1, std::string place = {}, std::string detail = {});
    /// The same for codes that are counted per subject (a table, a file): each subject has its own entry, named in
    /// the message.
    void addFor(DiagnosticCode code, std::string subject, std::uint64_t count = 1, std::string place = {});
    [[nodiscard]] bool wasSeen(DiagnosticCode code) const { return m_entries.contains({code, {}}); }
    /// Ordered by severity (data loss first), then by code.
    [[nodiscard]] std::vector<Diagnostic> finish() const;

private:
    struct Entry {
        std::uint64_t count = 0;
        std::string place;
        std::string detail;
    };
    std::map<std::pair<DiagnosticCode, std::string>, Entry> m_entries; ///< by code and subject
};

} // namespace stepscope
