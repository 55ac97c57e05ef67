// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/Archive.h"

#include "io/ByteStream.h"

#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <filesystem>

namespace stepscope
{

namespace
{

constexpr std::size_t kMostFiles = 100'000;
constexpr std::size_t kBlockBytes = 256 * 1024;

struct Closer {
    void operator()(archive* reader) const { archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, Closer>;

/// Null if it cannot be opened.
Reader openReader(const std::string& path)
{
    Reader reader(archive_read_new());
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_filter_zstd(reader.get());
    archive_read_support_format_zip(reader.get());
    archive_read_support_format_tar(reader.get());
    if (archive_read_open_filename(reader.get(), path.c_str(), kBlockBytes) != ARCHIVE_OK) return nullptr;
    return reader;
}

/// The next regular file; null at the end or where the archive is damaged.
archive_entry* nextFile(archive* reader)
{
    archive_entry* entry = nullptr;
    while (true) {
        const int status = archive_read_next_header(reader, &entry);
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return nullptr;
        if (archive_entry_filetype(entry) == AE_IFREG && archive_entry_pathname(entry) != nullptr) return entry;
    }
}

} // namespace

bool isArchive(const std::string& path)
{
    auto opened = ByteStream::open(path);
    if (!opened.ok()) return false;
    std::array<char, 512> head{};
    const std::size_t got = opened.take()->read(head);
    const std::string_view text(head.data(), got);
    return text.starts_with("PK\x03\x04") || (got == head.size() && text.substr(257, 5) == "ustar");
}

Result<std::vector<std::string>> filesInArchive(const std::string& path)
{
    const Reader reader = openReader(path);
    if (!reader)
        return Error{ErrorCode::Unreadable, path, "it looks like an archive, but cannot be opened as one",
                     "Unpack it and open the folder."};
    std::vector<std::string> files;
    while (archive_entry* entry = nextFile(reader.get())) {
        if (files.size() == kMostFiles)
            return Error{ErrorCode::TooLarge, path, "the archive holds more than 100,000 files",
                         "Unpack it and open the folder of one job."};
        files.push_back(path + "/" + archive_entry_pathname(entry));
    }
    return files;
}

struct ArchiveEntry::State {
    Reader reader;
    std::uint64_t sizeBytes = 0;
    std::string_view damage;
};

ArchiveEntry::ArchiveEntry(std::unique_ptr<State> state) : m_state(std::move(state)) {}
ArchiveEntry::~ArchiveEntry() = default;

std::unique_ptr<ArchiveEntry> ArchiveEntry::open(const std::string& path)
{
    std::error_code error;
    for (std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0;
         slash = path.rfind('/', slash - 1)) {
        const std::string archive = path.substr(0, slash);
        if (!std::filesystem::is_regular_file(archive, error)) {
            if (std::filesystem::is_directory(archive, error)) return nullptr;
            continue;
        }
        Reader reader = isArchive(archive) ? openReader(archive) : nullptr;
        if (!reader) return nullptr;
        const std::string name = path.substr(slash + 1);
        while (archive_entry* entry = nextFile(reader.get())) {
            if (name != archive_entry_pathname(entry)) continue;
            auto state = std::make_unique<State>();
            if (archive_entry_size_is_set(entry) != 0)
                state->sizeBytes = static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_entry_size(entry)));
            state->reader = std::move(reader);
            return std::unique_ptr<ArchiveEntry>(new ArchiveEntry(std::move(state)));
        }
        return nullptr;
    }
    return nullptr;
}

std::size_t ArchiveEntry::read(std::span<char> buffer)
{
    std::size_t done = 0;
    while (done < buffer.size() && m_state->damage.empty()) {
        const la_ssize_t got = archive_read_data(m_state->reader.get(), buffer.data() + done, buffer.size() - done);
        if (got == 0) break;
        if (got < 0) m_state->damage = "the archive is damaged";
        else done += static_cast<std::size_t>(got);
    }
    return done;
}

std::uint64_t ArchiveEntry::sizeBytes() const { return m_state->sizeBytes; }
std::string_view ArchiveEntry::damage() const { return m_state->damage; }

} // namespace stepscope
