// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/nsys/Export.h"

#include <algorithm>

namespace stepscope::nsys
{

namespace
{

/// Times further away than this from 0 are no times: with a wall clock added they would not fit 64 bits.
constexpr std::int64_t kFarthestNs = std::int64_t(1) << 62;
constexpr std::uint64_t kRowsBetweenPolls = 1024;

/// SQL for a column, or for the first that is no NULL of several ("demangledName|shortName"); "" if there is none.
std::string expressionOf(const SqliteTable& table, std::string_view column)
{
    std::string list;
    int count = 0;
    while (!column.empty()) {
        const std::string_view name = column.substr(0, column.find('|'));
        column.remove_prefix(std::min(column.size(), name.size() + 1));
        if (!table.has(name)) continue;
        list += (count++ == 0 ? "" : ", ") + quotedName(name);
    }
    return count > 1 ? "coalesce(" + list + ")" : list;
}

} // namespace

TableReader::TableReader(Export& report, std::string_view table, std::initializer_list<std::string_view> columns,
                         std::size_t required)
    : m_export(report), m_table(report.catalogue.find(table)), m_present(columns.size(), false)
{
    m_reportedBytes = report.database.fileBytesRead();
    m_reportedSlices = report.builder.sliceCount();
    if (m_table != nullptr) prepare(columns, required);
}

TableReader::~TableReader()
{
    m_export.progress.addBytes(m_export.database.fileBytesRead() - m_reportedBytes);
    m_export.progress.addSlices(m_export.builder.sliceCount() - m_reportedSlices);
}

void TableReader::prepare(std::initializer_list<std::string_view> columns, std::size_t required)
{
    std::string sql = "SELECT rowid";
    std::size_t place = 0;
    for (const std::string_view column : columns) {
        const std::string expression = expressionOf(*m_table, column);
        m_present[place] = !expression.empty();
        if (!m_present[place] && place < required) {
            m_export.builder.diagnostics().addFor(DiagnosticCode::MissingColumn,
                                                  m_table->name + "." + std::string(column));
            return;
        }
        sql += ", " + (m_present[place] ? expression : "NULL");
        ++place;
    }
    m_rows = m_export.database.prepare(sql + " FROM " + quotedName(m_table->name) + " NOT INDEXED");
    // Tables without row ids are none of the profiler's.
    if (!m_rows.valid())
        m_export.builder.diagnostics().add(DiagnosticCode::BrokenRecord, 1, m_export.place(*m_table, 0),
                                           "Reason: " + m_export.database.message() + ".");
}

bool TableReader::next()
{
    if (m_count++ % kRowsBetweenPolls == 0) {
        const std::uint64_t bytes = m_export.database.fileBytesRead();
        m_export.progress.addBytes(bytes - m_reportedBytes);
        m_reportedBytes = bytes;
        m_export.progress.addSlices(m_export.builder.sliceCount() - m_reportedSlices);
        m_reportedSlices = m_export.builder.sliceCount();
        if (m_export.progress.cancelled()) return false;
    }
    if (m_rows.step()) {
        m_lastRow = m_rows.integer(0);
        return true;
    }
    if (m_rows.failed() && !m_export.progress.cancelled()) {
        const auto code = m_export.database.truncated() ? DiagnosticCode::TruncatedFile : DiagnosticCode::BrokenRecord;
        m_export.builder.diagnostics().add(code, 1, m_export.place(*m_table, m_lastRow),
                                           "Reason: " + m_export.database.message() + ".");
    }
    return false;
}

SourceRef TableReader::source() const
{
    constexpr std::int64_t kMostRows = std::int64_t(1) << 40;
    const std::int64_t id = row();
    if (id < 0 || id >= kMostRows) return {};
    return SourceRef::of(static_cast<std::uint64_t>(id), m_export.catalogue.indexOf(*m_table) + 1);
}

std::optional<std::int64_t> TableReader::time(int column)
{
    const std::int64_t ns = integer(column);
    if (ns == 0 && isNull(column)) {
        m_export.note(DiagnosticCode::MissingTime, *m_table, row());
        return std::nullopt;
    }
    if (ns > kFarthestNs || ns < -kFarthestNs) {
        m_export.note(DiagnosticCode::TimeOutOfRange, *m_table, row());
        return std::nullopt;
    }
    return ns;
}

std::optional<std::pair<std::int64_t, std::int64_t>> TableReader::startAndDuration()
{
    const auto start = time(0);
    if (!start) return std::nullopt;
    m_export.sawTime(*start);
    const std::int64_t end = integer(1);
    if (end == 0 && isNull(1)) {
        m_export.note(DiagnosticCode::MissingDuration, *m_table, row());
        return std::pair(*start, std::int64_t(0));
    }
    if (end > kFarthestNs || end < -kFarthestNs) {
        m_export.note(DiagnosticCode::TimeOutOfRange, *m_table, row());
        return std::nullopt;
    }
    if (end < *start) {
        m_export.note(DiagnosticCode::NegativeDuration, *m_table, row());
        return std::pair(*start, std::int64_t(0));
    }
    return std::pair(*start, end - *start);
}

} // namespace stepscope::nsys
