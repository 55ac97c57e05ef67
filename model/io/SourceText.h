// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepscope
{

/// A piece of text squeezed by zstd. Blocks of a source follow each other without gaps.
struct TextBlock {
    std::uint64_t offset = 0; ///< of its first byte in the inflated source
    std::uint32_t rawBytes = 0;
    std::vector<char> packed;
};

/// Cuts a text that starts at `offset` of its source into packed blocks. Any thread.
[[nodiscard]] std::vector<TextBlock> packText(std::string_view text, std::uint64_t offset);

/// The text of a profile's source by byte offset, long after it was loaded: what the file said about a slice is found
/// again here instead of being kept. Safe for reading from several threads.
class SourceText
{
public:
    virtual ~SourceText() = default;
    /// The bytes [offset, offset + length) of the inflated source; none if they cannot be had any more.
    [[nodiscard]] virtual std::optional<std::string> read(std::uint64_t offset, std::uint64_t length) const = 0;
    [[nodiscard]] virtual std::size_t memoryBytes() const = 0;
};

/// Reads an uncompressed file again. Refuses once the file on disk has changed.
[[nodiscard]] Result<std::shared_ptr<const SourceText>> sourceTextOfFile(const std::string& path);

/// Keeps a compressed source's text in packed blocks (about a tenth of it), ordered by offset.
[[nodiscard]] std::shared_ptr<const SourceText> sourceTextOfBlocks(std::vector<TextBlock> blocks);

} // namespace stepscope
