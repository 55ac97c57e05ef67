// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Progress.h"
#include "core/Result.h"
#include "io/PosixFile.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace stepscope
{

/// Quotes a name of the file for use in SQL.
[[nodiscard]] std::string quotedName(std::string_view name);

/// A prepared query. Columns count from 0, parameters from 1. Empty (no rows, no failure) if default-constructed.
class SqliteStatement
{
public:
    SqliteStatement() = default;
    explicit SqliteStatement(sqlite3_stmt* statement) : m_statement(statement) {}
    SqliteStatement(SqliteStatement&& other) noexcept;
    SqliteStatement& operator=(SqliteStatement&& other) noexcept;
    SqliteStatement(const SqliteStatement&) = delete;
    SqliteStatement& operator=(const SqliteStatement&) = delete;
    ~SqliteStatement();

    [[nodiscard]] bool valid() const { return m_statement != nullptr; }
    /// Goes to the next row; false at the end, and when the rest cannot be read.
    bool step();
    /// True if rows are missing because the file is damaged or the user cancelled.
    [[nodiscard]] bool failed() const { return m_failed; }
    void reset();
    void bind(int parameter, std::int64_t value);

    [[nodiscard]] int columnCount() const;
    [[nodiscard]] std::string_view columnName(int column) const;
    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] bool isBlob(int column) const;
    /// SQLite's own conversions apply: a text "12" is 12, no number is 0.
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    /// As stored, not checked to be UTF-8. Valid until the next step() or reset(), or another getter of the column.
    [[nodiscard]] std::string_view text(int column) const;

private:
    sqlite3_stmt* m_statement = nullptr;
    bool m_failed = false;
};

/// A real table: no view, no virtual table, no generated column.
struct SqliteTable {
    std::string name;
    std::vector<std::string> columns;
    std::string rowidColumn; ///< the column that is the row's id (INTEGER PRIMARY KEY), or ""

    [[nodiscard]] bool has(std::string_view column) const;
};

/// A database of somebody else's, for reading only: never modified, nothing beside it is created, nothing in its schema
/// is run. Locks and write-ahead logs are not looked at (immutable), files that are cut off are read as far as they go.
/// Compressed files are inflated into memory. Not safe for use from two threads at a time.
class SqliteDatabase
{
public:
    /// Errors: those of ByteStream::open(), BrokenCompression, TooLarge, Unreadable (no database, or
    /// damaged beyond use). `progress` is asked for the wish to stop, also during long queries, until detach().
    [[nodiscard]] static Result<std::unique_ptr<SqliteDatabase>> open(const std::string& path,
                                                                      LoadProgress* progress = nullptr);
    ~SqliteDatabase();
    SqliteDatabase(const SqliteDatabase&) = delete;
    SqliteDatabase& operator=(const SqliteDatabase&) = delete;

    /// The tables in the schema's order, without SQLite's own; at most kMostTables.
    [[nodiscard]] std::vector<SqliteTable> tables() const;
    static constexpr std::size_t kMostTables = 4096;
    /// Only SELECT of tables is allowed. Not valid() if the query does not fit the schema.
    [[nodiscard]] SqliteStatement prepare(const std::string& sql) const;
    /// What SQLite says about its last failure.
    [[nodiscard]] std::string message() const;

    /// The file is shorter than it says itself.
    [[nodiscard]] bool truncated() const { return m_truncated; }
    /// Beside the file lies a write-ahead log with rows that are not shown.
    [[nodiscard]] bool hasPendingLog() const { return m_pendingLog; }
    /// Of the file on disk; what reading has fetched so far (for progress).
    [[nodiscard]] std::uint64_t fileBytes() const { return m_file.sizeBytes(); }
    [[nodiscard]] std::uint64_t fileBytesRead() const;
    [[nodiscard]] std::uint64_t inflatedBytes() const { return m_image.empty() ? fileBytes() : m_image.size(); }
    /// False once the file on disk was changed; an inflated copy stays what it is.
    [[nodiscard]] bool unchanged() const { return !m_image.empty() || m_file.unchanged(); }
    [[nodiscard]] std::size_t memoryBytes() const { return m_image.size(); }
    /// Asks `progress` no more.
    void detach();

private:
    explicit SqliteDatabase(PosixFile file) : m_file(std::move(file)) {}
    [[nodiscard]] std::optional<Error> inflate(const std::string& path, LoadProgress* progress);
    [[nodiscard]] bool connect(const std::string& path, bool tolerant);
    [[nodiscard]] bool readable();
    void harden(bool tolerant);
    void disconnect();

    PosixFile m_file;
    std::vector<unsigned char> m_image; ///< the inflated file, where it is compressed
    sqlite3* m_handle = nullptr;
    bool m_truncated = false;
    bool m_pendingLog = false;
    std::uint64_t m_pageBytes = 4096;
};

} // namespace stepscope
