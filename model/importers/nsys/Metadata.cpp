// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/nsys/Readers.h"

#include "core/FileName.h"
#include "core/Utf8.h"
#include "importers/kineto/TraceMetadata.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace stepscope::nsys
{

namespace
{

constexpr std::int64_t kYear2096 = 4'000'000'000'000'000'000;
/// Times beyond this (1973) count from 1970 themselves: no recording is three years long.
constexpr std::int64_t kLatestRelativeNs = 100'000'000'000'000'000;
constexpr std::size_t kMostMessages = 100;

std::string lowered(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

/// Environments hold passwords and tokens.
bool isEnvironment(std::string_view name) { return lowered(name).find("environ") != std::string::npos; }

std::optional<std::int64_t> integerOf(std::string_view text)
{
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= 0 ? std::optional(number)
                                                                                   : std::nullopt;
}

/// A value as JSON text, which is how the profile holds metadata.
std::string quoted(std::string_view text)
{
    std::string json = "\"";
    for (const char c : withReplacedBytes(text)) {
        if (c == '"' || c == '\\') json += '\\';
        json += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return json + '"';
}

/// The only variables of an environment that are looked at, in order of trust.
struct RankVariables {
    std::optional<std::int64_t> rank[3]; ///< RANK, SLURM_PROCID, OMPI_COMM_WORLD_RANK
    std::optional<std::int64_t> worldSize;

    void take(std::string_view assignment)
    {
        const std::size_t sign = assignment.find('=');
        if (sign == std::string_view::npos) return;
        const std::string_view name = assignment.substr(0, sign);
        const auto value = integerOf(assignment.substr(sign + 1));
        constexpr std::string_view kNames[] = {"RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"};
        for (std::size_t place = 0; place < std::size(kNames); ++place)
            if (name == kNames[place]) rank[place] = value;
        if (name == "WORLD_SIZE" || (name == "SLURM_NTASKS" && !worldSize)) worldSize = value;
    }
    [[nodiscard]] std::optional<std::int64_t> best() const
    {
        for (const auto& value : rank)
            if (value) return value;
        return std::nullopt;
    }
};

void readHosts(Export& report)
{
    TableReader rows(report, "TARGET_INFO_SYSTEM_ENV", {"name", "value", "globalVid"}, 2);
    while (rows.next())
        if (rows.text(0) == "Hostname" && !rows.text(1).empty())
            report.hostNames.emplace(rows.globalId(2).machine(), withReplacedBytes(rows.text(1)));
}

void readProcesses(Export& report)
{
    {
        TableReader rows(report, "PROCESSES", {"globalPid", "name"}, 2);
        while (rows.next())
            if (!rows.text(1).empty())
                report.processNames[rows.globalId(0).process().value] = withReplacedBytes(rows.text(1));
    }
    {
        // A thread may have had several names: the highest priority wins, of equal ones the last.
        std::unordered_map<std::uint64_t, std::int64_t> priorities;
        TableReader rows(report, "ThreadNames", {"globalTid", "nameId", "priority"}, 2);
        while (rows.next()) {
            const std::uint64_t thread = rows.globalId(0).value;
            const auto [known, added] = priorities.try_emplace(thread, rows.integer(2));
            if (!added && rows.integer(2) < known->second) continue;
            known->second = rows.integer(2);
            report.threadNames[thread] = rows.integer(1);
        }
    }
    TableReader ranks(report, "MPI_RANKS", {"globalTid", "rank"}, 2);
    while (ranks.next()) report.ranks[ranks.globalId(0).process().value] = ranks.integer(1);
}

void readGpuNumbers(Export& report)
{
    TableReader rows(report, "TARGET_INFO_CUDA_DEVICE", {"pid", "cudaId", "gpuId"}, 3);
    while (rows.next())
        if (!rows.isNull(2)) report.gpus[{rows.integer(0), rows.integer(1)}] = rows.integer(2);
}

void addGpus(Export& report, FileFacts& facts)
{
    TableReader rows(report, "TARGET_INFO_GPU", {"id", "name"}, 2);
    while (rows.next()) facts.deviceModels.emplace_back(rows.integer(0), withReplacedBytes(rows.text(1)));
}

void addMetadata(Export& report, FileFacts& facts, std::string_view table, std::string_view prefix)
{
    TableReader rows(report, table, {"name", "value"}, 2);
    while (rows.next())
        if (!isEnvironment(rows.text(0)) && !rows.isNull(1) && !rows.text(1).empty())
            facts.metadata.emplace_back(std::string(prefix) + withReplacedBytes(rows.text(0)), quoted(rows.text(1)));
}

void addRank(Export& report, FileFacts& facts, const std::string& path)
{
    RankVariables variables;
    {
        TableReader rows(report, "META_DATA_CAPTURE", {"name", "value"}, 2);
        while (rows.next())
            if (isEnvironment(rows.text(0))) variables.take(rows.text(1));
    }
    // What the profiler was started with says nothing about several processes started by a launcher.
    if (!report.hasOneCaller()) return;
    facts.rank = variables.best();
    facts.worldSize = variables.worldSize;
    if (facts.rank || !report.ranks.empty()) return;
    facts.rank = kineto::rankFromFileName(path);
    if (facts.rank) report.builder.diagnostics().add(DiagnosticCode::RankFromFileName, 1, baseName(path));
}

/// What the clock says at time 0 of the file; 0 where its times are normalised to the wall clock.
std::optional<std::int64_t> epochOf(Export& report)
{
    bool normalised = report.firstNs > kLatestRelativeNs && report.firstNs != INT64_MAX;
    {
        TableReader rows(report, "META_DATA_EXPORT", {"name", "value"}, 2);
        while (rows.next())
            if (rows.text(0) == "EXPORT_PARAM_TIME_NORMALIZE" && rows.text(1) == "true") normalised = true;
    }
    if (normalised) return 0;
    TableReader rows(report, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, 1);
    while (rows.next())
        if (const std::int64_t ns = rows.integer(0); ns > 0 && ns < kYear2096) return ns;
    return std::nullopt;
}

void readMessages(Export& report)
{
    constexpr std::int64_t kWarning = 2; // ENUM_DIAGNOSTIC_SEVERITY_LEVEL; 1 is information, 4 is verbose
    constexpr std::int64_t kError = 3;
    TableReader rows(report, "DIAGNOSTIC_EVENT", {"text", "severity"}, 2);
    std::size_t count = 0;
    while (rows.next()) {
        if (rows.integer(1) != kWarning && rows.integer(1) != kError) continue;
        if (++count > kMostMessages) continue;
        std::string text = withReplacedBytes(rows.text(0));
        std::replace_if(
            text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
        const std::string lower = lowered(text);
        const bool lost = lower.find("lost") != std::string::npos || lower.find("dropped") != std::string::npos ||
                          lower.find("might not have been") != std::string::npos ||
                          lower.find("not all") != std::string::npos;
        report.builder.diagnostics().addFor(lost ? DiagnosticCode::LostData : DiagnosticCode::ProfilerMessage,
                                            "\"" + text + "\"", 1, report.place(rows.table(), rows.row()));
    }
}

void noteUnusedTables(Export& report)
{
    for (const SqliteTable* table : report.catalogue.unusedTables()) {
        if (report.progress.cancelled()) return;
        SqliteStatement count = report.database.prepare("SELECT count(*) FROM " + quotedName(table->name));
        if (count.step() && count.integer(0) > 0)
            report.builder.diagnostics().addFor(DiagnosticCode::UnknownTable, withReplacedBytes(table->name),
                                                static_cast<std::uint64_t>(count.integer(0)));
    }
}

} // namespace

void readNames(Export& report)
{
    readHosts(report);
    readProcesses(report);
    readGpuNumbers(report);
}

FileFacts readFacts(Export& report, const std::string& path)
{
    FileFacts facts;
    if (!report.hostNames.empty()) facts.host = report.hostNames.begin()->second;
    facts.epochNs = epochOf(report);
    addGpus(report, facts);
    addRank(report, facts, path);
    addMetadata(report, facts, "META_DATA_EXPORT", "");
    addMetadata(report, facts, "META_DATA_CAPTURE", "capture: ");
    addMetadata(report, facts, "TARGET_INFO_SYSTEM_ENV", "system: ");
    return facts;
}

void readNotices(Export& report)
{
    readMessages(report);
    noteUnusedTables(report);
    for (const std::string_view table : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS"})
        if (!report.catalogue.has(table))
            report.builder.diagnostics().addFor(DiagnosticCode::MissingTable, std::string(table));
    if (report.database.hasPendingLog()) report.builder.diagnostics().add(DiagnosticCode::UncheckpointedLog);
}

} // namespace stepscope::nsys
