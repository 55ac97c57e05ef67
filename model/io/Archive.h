// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stepscope
{

/// A file inside an archive is named like a file in a folder: "job.zip/rank0.json". Nothing is ever unpacked to disk.

/// Whether a file is a .zip or a .tar (plain, or compressed as a whole), by its content.
[[nodiscard]] bool isArchive(const std::string& path);

/// Paths of the regular files inside, in the archive's order. Errors: Unreadable, TooLarge (too many files).
[[nodiscard]] Result<std::vector<std::string>> filesInArchive(const std::string& archive);

/// The bytes of one file inside an archive, from beginning to end.
class ArchiveEntry
{
public:
    /// None if no part of the path is an archive that holds the rest of it.
    [[nodiscard]] static std::unique_ptr<ArchiveEntry> open(const std::string& path);

    ~ArchiveEntry();
    ArchiveEntry(const ArchiveEntry&) = delete;
    ArchiveEntry& operator=(const ArchiveEntry&) = delete;

    /// Fewer bytes than asked mean the end, or damage.
    [[nodiscard]] std::size_t read(std::span<char> buffer);
    /// 0 where the archive does not tell.
    [[nodiscard]] std::uint64_t sizeBytes() const;
    [[nodiscard]] std::string_view damage() const;

private:
    struct State;
    explicit ArchiveEntry(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace stepscope
