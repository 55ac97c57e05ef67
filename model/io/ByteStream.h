// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace stepscope
{

/// How a file's bytes lie on the disk; Archive for a file inside a .zip or .tar that is not compressed otherwise.
enum class Compression : std::uint8_t { None, Gzip, Zstd, Archive };

/// The bytes of a file from beginning to end, inflated on the way where the content (not the name) says gzip or zstd.
/// Nothing is mapped: a file that another program cuts off while it is read ends early, it does not crash us.
class ByteStream
{
public:
    virtual ~ByteStream() = default;

    /// Opens a regular file, or one inside an archive (see Archive.h). Errors: NoSuchFile, Unreadable, EmptyFile.
    [[nodiscard]] static Result<std::unique_ptr<ByteStream>> open(const std::string& path);

    /// Fills the buffer as far as there are bytes; fewer than asked means the end. Never throws.
    virtual std::size_t read(std::span<char> buffer) = 0;

    [[nodiscard]] virtual Compression compression() const { return Compression::None; }
    /// Bytes of the file on disk, in all and read so far (for progress).
    [[nodiscard]] virtual std::uint64_t fileBytes() const = 0;
    [[nodiscard]] virtual std::uint64_t fileBytesRead() const = 0;
    /// Why the bytes ended before the file said they would ("the gzip data ends too early"), or "".
    [[nodiscard]] virtual std::string_view damage() const { return {}; }
};

} // namespace stepscope
