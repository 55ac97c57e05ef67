// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/SqliteDatabase.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stepscope::nsys
{

/// The tables of an export. A table may come in several versions (NVTX_EVENTS, NVTX_EVENTS_V3, NVTX_EVENTS_V10): the
/// highest by number is meant by the plain name, and the others are left aside.
class Catalogue
{
public:
    explicit Catalogue(std::vector<SqliteTable> tables);

    /// The newest version of a table, or null.
    [[nodiscard]] const SqliteTable* find(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
    /// Position among tables(), which is what SourceRefs hold.
    [[nodiscard]] std::size_t indexOf(const SqliteTable& table) const;
    [[nodiscard]] const std::vector<SqliteTable>& tables() const { return m_tables; }
    /// Tables whose rows this version does not use, in the schema's order.
    [[nodiscard]] std::vector<const SqliteTable*> unusedTables() const;

    /// True if these are the tables of an Nsight Systems export.
    [[nodiscard]] bool isExport() const;

private:
    std::vector<SqliteTable> m_tables;
    std::map<std::string, std::size_t, std::less<>> m_newest; ///< by the name without version
};

} // namespace stepscope::nsys
