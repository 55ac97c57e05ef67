// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <span>
#include <string>

namespace stepscope
{

/// A regular file open for reading; closed with the object.
class PosixFile
{
public:
    [[nodiscard]] static Result<PosixFile> open(const std::string& path);
    PosixFile(PosixFile&& other) noexcept;
    PosixFile& operator=(PosixFile&& other) noexcept;
    PosixFile(const PosixFile&) = delete;
    PosixFile& operator=(const PosixFile&) = delete;
    ~PosixFile();

    /// As many bytes as there are from `offset` on, at most the buffer's size.
    [[nodiscard]] std::size_t readAt(std::uint64_t offset, std::span<char> buffer) const;
    [[nodiscard]] std::uint64_t sizeBytes() const { return m_sizeBytes; }
    /// True while size and time of change are those seen by open().
    [[nodiscard]] bool unchanged() const;

private:
    PosixFile() = default;
    int m_descriptor = -1;
    std::uint64_t m_sizeBytes = 0;
    std::int64_t m_changedNs = 0;
};

} // namespace stepscope
