// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/WireFile.h"

#include <algorithm>

namespace stepscope::xplane
{

namespace
{

constexpr std::uint64_t kLongestHead = 20; ///< a tag and a length, or a number

} // namespace

std::string_view WireFile::window(std::uint64_t offset, std::uint64_t length, std::uint64_t limit)
{
    limit = std::min(limit, m_size);
    if (offset >= limit) return {};
    const std::uint64_t wanted = std::min(length, limit - offset);
    const std::uint64_t windowEnd = m_begin + m_window.size();
    if (offset < m_begin || offset + wanted > windowEnd) {
        const std::uint64_t size = std::min(std::max(wanted, m_windowBytes), m_size - offset);
        m_window = m_text.read(offset, size).value_or(std::string());
        m_begin = offset;
    }
    const std::uint64_t from = offset - m_begin;
    if (from >= m_window.size()) return {};
    return std::string_view(m_window).substr(from, limit - offset);
}

std::optional<FileField> FieldWalk::next()
{
    if (m_at >= m_message.end) return std::nullopt;
    Wire wire(m_file.window(m_at, kLongestHead, m_message.end));
    const char* const start = wire.at;
    std::uint64_t tag = 0;
    FileField field;
    bool good = readVarint(wire, tag) && tag >= 8 && tag <= 0xffffffffu;
    field.id = static_cast<std::uint32_t>(tag >> 3);
    field.type = static_cast<WireType>(tag & 7);
    std::uint64_t skipped = 0;
    if (good && field.type == WireType::Varint) good = readVarint(wire, field.number);
    else if (good && field.type == WireType::Fixed64) good = readFixed64(wire, field.number);
    else if (good && field.type == WireType::Length) good = readVarint(wire, skipped);
    else if (good && field.type == WireType::Fixed32) skipped = 4;
    else good = false;
    if (!good) {
        m_broken = true;
        return std::nullopt;
    }
    m_at += static_cast<std::uint64_t>(wire.at - start);
    const std::uint64_t left = m_message.end - m_at;
    field.cut = skipped > left;
    field.bytes = {m_at, m_at + std::min(skipped, left)};
    m_at = field.bytes.end;
    return field;
}

std::string textOf(WireFile& file, ByteRange bytes, std::uint64_t longest)
{
    const std::uint64_t size = std::min(bytes.size(), longest);
    return std::string(file.window(bytes.begin, size, bytes.begin + size));
}

} // namespace stepscope::xplane
