// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/SourceText.h"

#include "io/PosixFile.h"

#include <algorithm>
#include <zstd.h>

namespace stepscope
{

namespace
{

/// Large enough to pack well, small enough that showing one slice inflates in well under a millisecond.
constexpr std::size_t kBlockBytes = 128 * 1024;

class FileText final : public SourceText
{
public:
    explicit FileText(PosixFile file) : m_file(std::move(file)) {}

    [[nodiscard]] std::optional<std::string> read(std::uint64_t offset, std::uint64_t length) const override
    {
        if (!m_file.unchanged() || offset > m_file.sizeBytes() || length > m_file.sizeBytes() - offset)
            return std::nullopt;
        std::string text(length, '\0');
        if (m_file.readAt(offset, text) != length) return std::nullopt;
        return text;
    }
    [[nodiscard]] std::size_t memoryBytes() const override { return 0; }

private:
    PosixFile m_file;
};

class PackedText final : public SourceText
{
public:
    explicit PackedText(std::vector<TextBlock> blocks) : m_blocks(std::move(blocks)) {}

    [[nodiscard]] std::optional<std::string> read(std::uint64_t offset, std::uint64_t length) const override
    {
        auto block = std::upper_bound(m_blocks.begin(), m_blocks.end(), offset,
                                      [](std::uint64_t at, const TextBlock& b) { return at < b.offset; });
        if (block == m_blocks.begin()) return std::nullopt;
        --block;
        std::string text;
        while (text.size() < length && block != m_blocks.end()) {
            std::string raw(block->rawBytes, '\0');
            const std::size_t got = ZSTD_decompress(raw.data(), raw.size(), block->packed.data(), block->packed.size());
            if (ZSTD_isError(got) != 0 || got != raw.size()) return std::nullopt;
            const std::uint64_t from = offset + text.size();
            if (from < block->offset || from >= block->offset + raw.size()) return std::nullopt;
            text.append(raw, from - block->offset, length - text.size());
            ++block;
        }
        return text.size() == length ? std::optional(std::move(text)) : std::nullopt;
    }

    [[nodiscard]] std::size_t memoryBytes() const override
    {
        std::size_t bytes = m_blocks.capacity() * sizeof(TextBlock);
        for (const TextBlock& block : m_blocks) bytes += block.packed.capacity();
        return bytes;
    }

private:
    std::vector<TextBlock> m_blocks;
};

} // namespace

std::vector<TextBlock> packText(std::string_view text, std::uint64_t offset)
{
    std::vector<TextBlock> blocks;
    std::vector<char> room(ZSTD_compressBound(kBlockBytes));
    for (std::size_t at = 0; at < text.size(); at += kBlockBytes) {
        const auto piece = text.substr(at, kBlockBytes);
        const std::size_t packed = ZSTD_compress(room.data(), room.size(), piece.data(), piece.size(), 1);
        blocks.push_back({offset + at, static_cast<std::uint32_t>(piece.size()),
                          std::vector<char>(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(packed))});
    }
    return blocks;
}

Result<std::shared_ptr<const SourceText>> sourceTextOfFile(const std::string& path)
{
    auto file = PosixFile::open(path);
    if (!file.ok()) return file.error();
    return std::shared_ptr<const SourceText>(std::make_shared<FileText>(file.take()));
}

std::shared_ptr<const SourceText> sourceTextOfBlocks(std::vector<TextBlock> blocks)
{
    return std::make_shared<PackedText>(std::move(blocks));
}

} // namespace stepscope
