// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Progress.h"
#include "importers/nsys/Catalogue.h"
#include "importers/nsys/Ids.h"
#include "profile/ProfileBuilder.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace stepscope::nsys
{

/// One export on its way into the builder: its tables, and what all readers of tables share.
class Export
{
public:
    Export(std::string path, const SqliteDatabase& database, const Catalogue& catalogue, ProfileBuilder& builder,
           LoadProgress& progress);

    const SqliteDatabase& database;
    const Catalogue& catalogue;
    ProfileBuilder& builder;
    LoadProgress& progress;
    const std::uint32_t file;

    /// "report.sqlite, table X, row 7"
    [[nodiscard]] std::string place(const SqliteTable& table, std::int64_t row) const;
    void note(DiagnosticCode code, const SqliteTable& table, std::int64_t row);

    /// The text of a string id; ids that the file does not explain become "#7". Only strings that are asked for are
    /// ever read: the string table also holds whole process environments.
    StringId string(std::int64_t id);
    /// The same for the name of an API call, without the version at its end: "cudaLaunchKernel_v7000".
    StringId apiName(std::int64_t id);
    /// The text of a string id for immediate use; none if the file does not explain it.
    std::optional<std::string> text(std::int64_t id);
    /// Interns a text of the file, whatever its encoding.
    StringId intern(std::string_view text);

    /// The builder's process of a globalPid or globalTid.
    std::uint32_t process(GlobalId id);
    std::uint32_t threadLane(GlobalId id);
    std::uint32_t asyncLane(GlobalId id, std::string_view key);
    /// The builder's device for the CUDA ordinal of a process.
    std::uint32_t device(GlobalId process, std::int64_t ordinal);
    std::uint32_t streamLane(GlobalId process, std::int64_t ordinal, std::int64_t context, std::int64_t stream,
                             TrackKind kind);
    /// A correlation id that is unique among the processes of the file; none for ids that are none.
    std::optional<std::uint64_t> correlation(GlobalId process, std::int64_t id);
    /// Counts the processes that make calls, as far as to two.
    void noteCaller(GlobalId thread);
    [[nodiscard]] bool hasOneCaller() const { return m_callers.size() == 1; }

    /// Widens the range of times, which tells whether the file counts from 1970.
    void sawTime(std::int64_t ns) { firstNs = std::min(firstNs, ns); }
    std::int64_t firstNs = INT64_MAX;

    /// What metadata tells, filled before any event is read:
    std::unordered_map<std::uint64_t, std::string> processNames;        ///< by globalPid
    std::unordered_map<std::uint64_t, std::int64_t> threadNames;        ///< by globalTid: a string id
    std::unordered_map<std::uint64_t, std::int64_t> ranks;              ///< by globalPid
    std::map<std::uint64_t, std::string> hostNames;                     ///< by machine
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> gpus; ///< pid, CUDA ordinal -> GPU

private:
    struct StreamKey {
        std::uint64_t process = 0;
        std::int64_t ordinal = 0;
        std::int64_t context = 0;
        std::int64_t stream = 0;
        TrackKind kind = TrackKind::Stream;
        friend auto operator<=>(const StreamKey&, const StreamKey&) = default;
    };
    class NameCache
    {
    public:
        [[nodiscard]] StringId* find(std::int64_t id);
        void put(std::int64_t id, StringId name);

    private:
        std::vector<StringId> m_dense;
        std::unordered_map<std::int64_t, StringId> m_sparse;
    };
    void indexStrings();
    std::string_view lookUp(std::int64_t id, bool& found);
    std::string streamName(const StreamKey& key, std::uint32_t device);

    std::string m_fileName;
    SqliteStatement m_stringById;
    std::unordered_map<std::int64_t, std::int64_t> m_stringRows; ///< where the id is not the row's own
    bool m_stringsByRow = false;
    NameCache m_names;
    NameCache m_apiNames;
    std::unordered_map<std::uint64_t, std::uint32_t> m_processes;
    std::map<std::string, std::uint64_t> m_pids; ///< who has a pid first
    std::unordered_map<std::uint64_t, std::uint32_t> m_threads;
    std::map<StreamKey, std::uint32_t> m_streams;
    std::map<std::pair<std::uint32_t, std::string>, StreamKey> m_streamNames; ///< by device: who has a name first
    std::unordered_map<std::uint64_t, std::uint64_t> m_processNumbers;
    std::vector<std::uint64_t> m_callers; ///< at most two
    // The last answers, as neighbouring rows mostly ask the same.
    std::pair<std::uint64_t, std::uint32_t> m_lastThread{~0ull, kNone};
    std::pair<StreamKey, std::uint32_t> m_lastStream{{~0ull, 0, 0, 0, TrackKind::Host}, kNone};
    std::pair<std::uint64_t, std::uint64_t> m_lastProcess{~0ull, 0};
};

/// The rows of one table, with the columns that are asked for, in the table's order. Missing columns read as NULL.
class TableReader
{
public:
    /// A column may be several, of which the first that is no NULL is meant: "demangledName|shortName".
    /// The first `required` columns must exist: else there are no rows, and a diagnostic says why.
    TableReader(Export& report, std::string_view table, std::initializer_list<std::string_view> columns,
                std::size_t required = 1);
    ~TableReader();
    TableReader(const TableReader&) = delete;
    TableReader& operator=(const TableReader&) = delete;

    /// Goes to the next row; false at the end, when the rest cannot be read, and when the user cancelled.
    bool next();
    [[nodiscard]] bool has(int column) const { return m_present[static_cast<std::size_t>(column)]; }
    // Columns count from 0 in the order given.
    /// Best asked of columns that read as 0 only: it costs as much as the number itself.
    [[nodiscard]] bool isNull(int column) const { return m_rows.isNull(column + 1); }
    [[nodiscard]] std::int64_t integer(int column) const { return m_rows.integer(column + 1); }
    [[nodiscard]] double real(int column) const { return m_rows.real(column + 1); }
    [[nodiscard]] std::string_view text(int column) const { return m_rows.text(column + 1); }
    [[nodiscard]] GlobalId globalId(int column) const { return GlobalId{static_cast<std::uint64_t>(integer(column))}; }
    [[nodiscard]] std::int64_t row() const { return m_lastRow; }
    [[nodiscard]] SourceRef source() const;
    [[nodiscard]] const SqliteTable& table() const { return *m_table; }

    /// Columns 0 and 1 as start and end. None if there is no usable start; faults of the end are repaired and counted.
    [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> startAndDuration();
    /// A column as a moment; none, and counted, if no clock can show it.
    [[nodiscard]] std::optional<std::int64_t> time(int column);

private:
    void prepare(std::initializer_list<std::string_view> columns, std::size_t required);

    Export& m_export;
    const SqliteTable* m_table = nullptr;
    std::vector<bool> m_present;
    SqliteStatement m_rows;
    std::uint64_t m_count = 0;
    std::int64_t m_lastRow = 0;
    std::uint64_t m_reportedBytes = 0;
    std::uint64_t m_reportedSlices = 0;
};

} // namespace stepscope::nsys
