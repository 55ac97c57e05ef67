// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/nsys/NsysSliceSource.h"

#include "core/Utf8.h"
#include "importers/nsys/Ids.h"

#include <algorithm>
#include <array>
#include <mutex>

namespace stepscope::nsys
{

namespace
{

constexpr int kDeepestStack = 256;
constexpr std::size_t kLongestBlob = 4096;

/// Columns whose number stands for a value of an ENUM_ table.
struct EnumColumn {
    std::string_view column;
    std::string_view table;
};
constexpr auto kEnumColumns = std::to_array<EnumColumn>({
    {"copyKind", "ENUM_CUDA_MEMCPY_OPER"},
    {"srcKind", "ENUM_CUDA_MEM_KIND"},
    {"dstKind", "ENUM_CUDA_MEM_KIND"},
    {"memKind", "ENUM_CUDA_MEM_KIND"},
    {"syncType", "ENUM_CUPTI_SYNC_TYPE"},
    {"deprecatedSyncType", "ENUM_CUPTI_SYNC_TYPE"},
    {"launchType", "ENUM_CUDA_KERNEL_LAUNCH_TYPE"},
    {"overheadType", "ENUM_CUPTI_OVERHEAD_TYPE"},
    {"eventType", "ENUM_NSYS_EVENT_TYPE"},
    {"eventClass", "ENUM_NSYS_EVENT_CLASS"},
    {"cacheConfig", "ENUM_CUDA_FUNC_CACHE_CONFIG"},
    {"sharedMemoryLimitConfig", "ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG"},
});
constexpr auto kStringColumns =
    std::to_array<std::string_view>({"nameId", "demangledName", "shortName", "mangledName", "textId", "jsonTextId"});
/// What a slice is, as against what its record says about it.
constexpr auto kOwnColumns = std::to_array<std::string_view>(
    {"start", "end", "globalTid", "globalPid", "endGlobalTid", "deviceId", "contextId", "greenContextId", "streamId",
     "eventType", "eventClass", "text", "textId", "nameId", "demangledName"});

template<class List>
bool contains(const List& list, std::string_view value)
{
    return std::find(list.begin(), list.end(), value) != list.end();
}

std::string hexText(std::string_view bytes)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const char c : bytes.substr(0, kLongestBlob)) {
        hex += kDigits[static_cast<unsigned char>(c) >> 4];
        hex += kDigits[static_cast<unsigned char>(c) & 15];
    }
    return bytes.size() > kLongestBlob ? hex + "..." : hex;
}

class NsysSliceSource final : public SliceSource
{
public:
    NsysSliceSource(std::unique_ptr<SqliteDatabase> database, Catalogue catalogue)
        : m_database(std::move(database)), m_catalogue(std::move(catalogue))
    {
        m_database->detach();
    }

    std::optional<std::vector<SourceField>> fieldsOf(SourceRef ref) const override
    {
        const std::scoped_lock lock(m_mutex);
        const std::uint64_t number = ref.length();
        if (number == 0 || number > m_catalogue.tables().size() || !m_database->unchanged()) return std::nullopt;
        const SqliteTable& table = m_catalogue.tables()[number - 1];
        SqliteStatement row = m_database->prepare("SELECT * FROM " + quotedName(table.name) + " WHERE rowid = ?");
        row.bind(1, static_cast<std::int64_t>(ref.offset()));
        if (!row.step()) return std::nullopt;
        std::vector<SourceField> fields = {{"table", withReplacedBytes(table.name), false}};
        std::vector<SourceField> arguments;
        for (int column = 0; column < row.columnCount(); ++column) {
            if (row.isNull(column)) continue;
            const std::string key = withReplacedBytes(row.columnName(column));
            const bool own = contains(kOwnColumns, key);
            (own ? fields : arguments).push_back({key, valueOf(row, column, key), !own});
            if (key == "callchainId") addStack(table, row.integer(column), arguments);
        }
        fields.insert(fields.end(), std::make_move_iterator(arguments.begin()),
                      std::make_move_iterator(arguments.end()));
        if (!m_database->unchanged()) return std::nullopt;
        return fields;
    }

    std::size_t memoryBytes() const override { return m_database->memoryBytes(); }

private:
    [[nodiscard]] std::string valueOf(const SqliteStatement& row, int column, const std::string& key) const
    {
        if (row.isBlob(column)) return hexText(row.text(column));
        const std::string plain = withReplacedBytes(row.text(column));
        if (key == "globalTid" || key == "endGlobalTid" || key == "globalPid") {
            const GlobalId id{static_cast<std::uint64_t>(row.integer(column))};
            const std::string pid = "pid " + std::to_string(id.pid());
            return key == "globalPid" ? pid : pid + ", tid " + std::to_string(id.tid());
        }
        if (contains(kStringColumns, key)) return lookUp("StringIds", "value", row.integer(column)).value_or(plain);
        for (const EnumColumn& known : kEnumColumns)
            if (known.column == key)
                if (const auto label = lookUp(known.table, "label", row.integer(column)))
                    return *label + " (" + plain + ")";
        return plain;
    }

    [[nodiscard]] std::optional<std::string> lookUp(std::string_view name, std::string_view value,
                                                    std::int64_t id) const
    {
        const SqliteTable* table = m_catalogue.find(name);
        if (table == nullptr || !table->has("id") || !table->has(value)) return std::nullopt;
        SqliteStatement rows =
            m_database->prepare("SELECT " + quotedName(value) + " FROM " + quotedName(table->name) + " WHERE id = ?");
        rows.bind(1, id);
        if (!rows.step() || rows.isNull(0)) return std::nullopt;
        const std::string_view text = rows.text(0);
        return withReplacedBytes(text.substr(0, text.find('\0')));
    }

    /// The call chain as names, innermost first.
    void addStack(const SqliteTable& caller, std::int64_t chain, std::vector<SourceField>& arguments) const
    {
        const SqliteTable* table =
            m_catalogue.find(caller.name.starts_with("OSRT") ? "OSRT_CALLCHAINS" : "CUDA_CALLCHAINS");
        if (table == nullptr || !table->has("id") || !table->has("symbol") || !table->has("stackDepth")) return;
        SqliteStatement frames =
            m_database->prepare("SELECT symbol FROM " + quotedName(table->name) + " WHERE id = ? ORDER BY stackDepth");
        frames.bind(1, chain);
        std::string stack;
        for (int depth = 0; depth < kDeepestStack && frames.step(); ++depth)
            if (const auto symbol = lookUp("StringIds", "value", frames.integer(0)))
                stack.append(stack.empty() ? "" : " < ").append(*symbol);
        if (!stack.empty()) arguments.push_back({"stack", std::move(stack), true});
    }

    mutable std::mutex m_mutex;
    std::unique_ptr<SqliteDatabase> m_database;
    Catalogue m_catalogue;
};

} // namespace

std::shared_ptr<const SliceSource> nsysSliceSource(std::unique_ptr<SqliteDatabase> database, Catalogue catalogue)
{
    return std::make_shared<NsysSliceSource>(std::move(database), std::move(catalogue));
}

} // namespace stepscope::nsys
