// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/SqliteDatabase.h"

#include "io/ByteStream.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <span>
#include <sqlite3.h>
#include <utility>

namespace stepscope
{

namespace
{

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeaderBytes = 100;
/// A compressed database has to fit into memory.
constexpr std::uint64_t kLargestImage = 4ull << 30;
constexpr int kLongestValue = 64 << 20;
constexpr int kOperationsBetweenPolls = 20'000;

std::uint32_t bigEndian(const unsigned char* bytes, int count)
{
    std::uint32_t value = 0;
    for (int at = 0; at < count; ++at) value = value << 8 | bytes[at];
    return value;
}

/// Page size and size of the whole file as its header tells them (sqlite.org/fileformat2.html, section 1.3); 0 where
/// the header says nothing valid.
struct HeaderSizes {
    std::uint64_t pageBytes = 4096;
    std::uint64_t fileBytes = 0;
};

HeaderSizes sizesOf(std::span<const unsigned char> header)
{
    HeaderSizes sizes;
    if (header.size() < kHeaderBytes) return sizes;
    const std::uint32_t page = bigEndian(header.data() + 16, 2);
    sizes.pageBytes = page == 1 ? 65536 : std::max<std::uint32_t>(512, page);
    const bool valid = bigEndian(header.data() + 24, 4) == bigEndian(header.data() + 92, 4);
    if (valid) sizes.fileBytes = bigEndian(header.data() + 28, 4) * sizes.pageBytes;
    return sizes;
}

/// "file:" URI of a path: what has a meaning in URIs is escaped.
std::string uriOf(const std::string& path)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::error_code ignored;
    const std::string absolute = std::filesystem::absolute(path, ignored).string();
    std::string uri = "file://";
    for (const char c : absolute.empty() ? path : absolute) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '%' || c == '?' || c == '#' || byte < 0x21 || byte > 0x7e) {
            uri += '%';
            uri += kDigits[byte >> 4];
            uri += kDigits[byte & 15];
        } else {
            uri += c;
        }
    }
    return uri + "?mode=ro&immutable=1";
}

/// Reading tables is allowed, and a look at their columns; nothing else, whatever the schema asks for.
int authorize(void*, int action, const char* first, const char*, const char*, const char* trigger)
{
    if (trigger != nullptr) return SQLITE_DENY; // inside a view or a trigger
    if (action == SQLITE_SELECT || action == SQLITE_READ) return SQLITE_OK;
    if (action == SQLITE_PRAGMA && first != nullptr && std::string_view(first) == "table_info") return SQLITE_OK;
    // count() and the like; nothing that a hostile schema could have defined gets past trusted_schema = OFF.
    return action == SQLITE_FUNCTION ? SQLITE_OK : SQLITE_DENY;
}

int pollProgress(void* progress) { return static_cast<LoadProgress*>(progress)->cancelled() ? 1 : 0; }

bool pendingLogBeside(const std::string& path)
{
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path + "-wal", error);
    return !error && bytes > 0;
}

Error damaged(const std::string& path, const std::string& reason)
{
    return {ErrorCode::Unreadable, path, "the SQLite database is damaged (" + reason + ")",
            "Copy or download it again, or export it anew from the profiler's report."};
}

} // namespace

std::string quotedName(std::string_view name)
{
    std::string quoted = "\"";
    for (const char c : name) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

SqliteStatement::SqliteStatement(SqliteStatement&& other) noexcept
    : m_statement(std::exchange(other.m_statement, nullptr)), m_failed(other.m_failed)
{
}

SqliteStatement& SqliteStatement::operator=(SqliteStatement&& other) noexcept
{
    std::swap(m_statement, other.m_statement);
    std::swap(m_failed, other.m_failed);
    return *this;
}

SqliteStatement::~SqliteStatement() { sqlite3_finalize(m_statement); }

bool SqliteStatement::step()
{
    if (m_statement == nullptr || m_failed) return false;
    const int result = sqlite3_step(m_statement);
    m_failed = result != SQLITE_ROW && result != SQLITE_DONE;
    return result == SQLITE_ROW;
}

void SqliteStatement::reset()
{
    if (m_statement != nullptr) sqlite3_reset(m_statement);
    m_failed = false;
}

void SqliteStatement::bind(int parameter, std::int64_t value)
{
    if (m_statement != nullptr) sqlite3_bind_int64(m_statement, parameter, value);
}

int SqliteStatement::columnCount() const { return m_statement == nullptr ? 0 : sqlite3_column_count(m_statement); }

std::string_view SqliteStatement::columnName(int column) const
{
    const char* name = sqlite3_column_name(m_statement, column);
    return name == nullptr ? std::string_view() : std::string_view(name);
}

bool SqliteStatement::isNull(int column) const { return sqlite3_column_type(m_statement, column) == SQLITE_NULL; }
bool SqliteStatement::isBlob(int column) const { return sqlite3_column_type(m_statement, column) == SQLITE_BLOB; }
std::int64_t SqliteStatement::integer(int column) const { return sqlite3_column_int64(m_statement, column); }
double SqliteStatement::real(int column) const { return sqlite3_column_double(m_statement, column); }

std::string_view SqliteStatement::text(int column) const
{
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    if (bytes == nullptr) return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column))};
}

bool SqliteTable::has(std::string_view column) const
{
    return std::find(columns.begin(), columns.end(), column) != columns.end();
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open(const std::string& path, LoadProgress* progress)
{
    auto file = PosixFile::open(path);
    if (!file.ok()) return file.error();
    std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(file.take()));
    std::array<unsigned char, kHeaderBytes> header{};
    const std::size_t got = database->m_file.readAt(0, {reinterpret_cast<char*>(header.data()), header.size()});
    const bool plain = std::memcmp(header.data(), kMagic.data(), kMagic.size()) == 0;
    if (plain) {
        const HeaderSizes sizes = sizesOf(std::span(header).first(got));
        database->m_pageBytes = sizes.pageBytes;
        database->m_truncated = sizes.fileBytes > database->m_file.sizeBytes();
        database->m_pendingLog = pendingLogBeside(path);
    } else if (auto error = database->inflate(path, progress)) {
        return *error;
    }
    bool opened = database->connect(path, false) && database->readable();
    if (!opened && !(progress != nullptr && progress->cancelled())) {
        // SQLite refuses a file that is shorter than its header says, unless it is told to be tolerant.
        const std::string reason = database->message();
        opened = database->connect(path, true) && database->readable();
        if (!opened) return damaged(path, reason);
    }
    if (progress != nullptr)
        sqlite3_progress_handler(database->m_handle, kOperationsBetweenPolls, &pollProgress, progress);
    return database;
}

SqliteDatabase::~SqliteDatabase() { disconnect(); }

std::optional<Error> SqliteDatabase::inflate(const std::string& path, LoadProgress* progress)
{
    auto opened = ByteStream::open(path);
    if (!opened.ok()) return opened.error();
    const auto stream = opened.take();
    std::vector<unsigned char>& image = m_image;
    const auto readUpTo = [&](std::uint64_t bytes) {
        const std::size_t before = image.size();
        image.resize(bytes);
        const std::size_t got =
            stream->read({reinterpret_cast<char*>(image.data()) + before, static_cast<std::size_t>(bytes) - before});
        image.resize(before + got);
        return image.size() == bytes;
    };
    readUpTo(kHeaderBytes);
    if (image.size() < kHeaderBytes || std::memcmp(image.data(), kMagic.data(), kMagic.size()) != 0)
        return Error{ErrorCode::Unreadable, path, "it is no SQLite database", "Choose a profile."};
    const HeaderSizes sizes = sizesOf(image);
    m_pageBytes = sizes.pageBytes;
    const std::uint64_t wanted = sizes.fileBytes == 0 ? kLargestImage : sizes.fileBytes;
    if (wanted > kLargestImage)
        return Error{ErrorCode::TooLarge, path, "unpacked, it is larger than the 4 GB that are read into memory",
                     "Unpack it (gunzip or unzstd) and open the unpacked file."};
    std::uint64_t reported = 0;
    constexpr std::uint64_t kPiece = 4u << 20;
    // What follows behind the size that the database tells is no part of it.
    while (image.size() < wanted && readUpTo(std::min(wanted, image.size() + kPiece))) {
        if (progress == nullptr) continue;
        progress->addBytes(stream->fileBytesRead() - reported);
        reported = stream->fileBytesRead();
        if (progress->cancelled()) break;
    }
    if (progress != nullptr) progress->addBytes(stream->fileBytesRead() - reported);
    m_truncated = !stream->damage().empty() || image.size() < sizes.fileBytes;
    if (m_truncated && sizes.fileBytes > 0) {
        const std::uint32_t pages = static_cast<std::uint32_t>(image.size() / m_pageBytes);
        for (int byte = 0; byte < 4; ++byte) image[31 - byte] = static_cast<unsigned char>(pages >> (8 * byte));
        image.resize(pages * m_pageBytes);
    }
    // An image in memory cannot be in write-ahead mode (sqlite.org/c3ref/deserialize.html).
    if (image.size() >= kHeaderBytes && image[18] == 2) image[18] = image[19] = 1;
    return std::nullopt;
}

void SqliteDatabase::disconnect()
{
    sqlite3_close_v2(m_handle);
    m_handle = nullptr;
}

bool SqliteDatabase::connect(const std::string& path, bool tolerant)
{
    disconnect();
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    const std::string name = m_image.empty() ? uriOf(path) : std::string("file::memory:");
    if (sqlite3_open_v2(name.c_str(), &m_handle, m_image.empty() ? flags : flags | SQLITE_OPEN_MEMORY, nullptr) !=
        SQLITE_OK)
        return false;
    if (!m_image.empty()) {
        const auto bytes = static_cast<sqlite3_int64>(m_image.size());
        if (sqlite3_deserialize(m_handle, "main", m_image.data(), bytes, bytes, SQLITE_DESERIALIZE_READONLY) !=
            SQLITE_OK)
            return false;
    }
    harden(tolerant);
    return true;
}

void SqliteDatabase::harden(bool tolerant)
{
    for (const auto& [limit, value] :
         {std::pair(SQLITE_LIMIT_LENGTH, kLongestValue), std::pair(SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
          std::pair(SQLITE_LIMIT_ATTACHED, 0), std::pair(SQLITE_LIMIT_EXPR_DEPTH, 100),
          std::pair(SQLITE_LIMIT_COMPOUND_SELECT, 2), std::pair(SQLITE_LIMIT_VDBE_OP, 100'000),
          std::pair(SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100), std::pair(SQLITE_LIMIT_TRIGGER_DEPTH, 1),
          std::pair(SQLITE_LIMIT_WORKER_THREADS, 0)})
        sqlite3_limit(m_handle, limit, value);
    const auto set = [this](int option, int on) { sqlite3_db_config(m_handle, option, on, nullptr); };
    set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
    set(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0);
    set(SQLITE_DBCONFIG_ENABLE_VIEW, 0);
    set(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0);
    set(SQLITE_DBCONFIG_DEFENSIVE, tolerant ? 0 : 1);
    set(SQLITE_DBCONFIG_WRITABLE_SCHEMA, tolerant ? 1 : 0); // of a connection that cannot write at all
    sqlite3_exec(m_handle, "PRAGMA cell_size_check=ON; PRAGMA query_only=ON; PRAGMA temp_store=MEMORY", nullptr,
                 nullptr, nullptr);
    sqlite3_set_authorizer(m_handle, &authorize, nullptr);
}

bool SqliteDatabase::readable()
{
    SqliteStatement schema = prepare("SELECT count(*) FROM sqlite_master");
    return schema.valid() && schema.step();
}

std::vector<SqliteTable> SqliteDatabase::tables() const
{
    std::vector<SqliteTable> tables;
    SqliteStatement names = prepare("SELECT name, rootpage, type FROM sqlite_master");
    while (tables.size() < kMostTables && names.step()) {
        // Views and virtual tables have no root page.
        if (names.integer(1) <= 0 || names.text(2) != "table" || names.text(0).starts_with("sqlite_")) continue;
        tables.push_back({std::string(names.text(0)), {}, {}});
    }
    for (SqliteTable& table : tables) {
        SqliteStatement columns = prepare("PRAGMA table_info(" + quotedName(table.name) + ")");
        int keys = 0;
        while (columns.step()) {
            table.columns.emplace_back(columns.text(1));
            if (columns.integer(5) == 0) continue;
            ++keys;
            std::string type(columns.text(2));
            for (char& c : type) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
            if (type == "INTEGER") table.rowidColumn = table.columns.back();
        }
        if (keys != 1) table.rowidColumn.clear();
    }
    return tables;
}

SqliteStatement SqliteDatabase::prepare(const std::string& sql) const
{
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(m_handle, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    return SqliteStatement(statement);
}

std::string SqliteDatabase::message() const { return m_handle == nullptr ? "not open" : sqlite3_errmsg(m_handle); }

std::uint64_t SqliteDatabase::fileBytesRead() const
{
    if (!m_image.empty()) return fileBytes();
    int misses = 0;
    int ignored = 0;
    sqlite3_db_status(m_handle, SQLITE_DBSTATUS_CACHE_MISS, &misses, &ignored, 0);
    return std::min(fileBytes(), static_cast<std::uint64_t>(std::max(0, misses)) * m_pageBytes);
}

void SqliteDatabase::detach() { sqlite3_progress_handler(m_handle, 0, nullptr, nullptr); }

} // namespace stepscope
