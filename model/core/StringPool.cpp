// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/StringPool.h"

#include <algorithm>
#include <cstring>

namespace stepscope
{

namespace
{

constexpr std::size_t kBlockBytes = 256 * 1024;

__extension__ using Wide = unsigned __int128;

std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
    // Multiply-and-fold: both halves of the 128-bit product, as in the wyhash family.
    const auto product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t readUpTo8(const char* data, std::size_t size)
{
    std::uint64_t word = 0;
    if (size > 0) std::memcpy(&word, data, std::min<std::size_t>(size, 8)); // an empty text may have no data at all
    return word;
}

} // namespace

std::uint64_t hashText(std::string_view text)
{
    constexpr std::uint64_t kA = 0x9E3779B97F4A7C15u;
    constexpr std::uint64_t kB = 0xD1B54A32D192ED03u;
    std::uint64_t hash = kA ^ text.size();
    const char* data = text.data();
    std::size_t left = text.size();
    for (; left > 16; data += 16, left -= 16) hash = mix(readUpTo8(data, 8) ^ kB, readUpTo8(data + 8, 8) ^ hash);
    const std::uint64_t low = readUpTo8(data, left);
    const std::uint64_t high = left > 8 ? readUpTo8(data + 8, left - 8) : 0;
    return mix(low ^ kB, high ^ hash) ^ hash;
}

StringPool::StringPool() : m_slots(1024)
{
    m_texts.reserve(512);
    intern({});
}

std::size_t StringPool::slotOf(std::string_view text, std::uint32_t tag) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = tag & mask;
    while (m_slots[slot].idPlusOne != 0) {
        if (m_slots[slot].tag == tag && m_texts[m_slots[slot].idPlusOne - 1] == text) return slot;
        slot = (slot + 1) & mask;
    }
    return slot;
}

StringId StringPool::intern(std::string_view text)
{
    const auto tag = static_cast<std::uint32_t>(hashText(text));
    std::size_t slot = slotOf(text, tag);
    if (m_slots[slot].idPlusOne != 0) return {m_slots[slot].idPlusOne - 1};
    if ((m_texts.size() + 1) * 2 > m_slots.size()) {
        grow();
        slot = slotOf(text, tag);
    }
    const auto id = static_cast<std::uint32_t>(m_texts.size());
    m_texts.push_back(store(text));
    m_slots[slot] = {tag, id + 1};
    return {id};
}

StringId StringPool::find(std::string_view text) const
{
    const std::size_t slot = slotOf(text, static_cast<std::uint32_t>(hashText(text)));
    return m_slots[slot].idPlusOne == 0 ? StringId{} : StringId{m_slots[slot].idPlusOne - 1};
}

std::size_t StringPool::bytes() const
{
    return m_storedBytes + m_slots.size() * sizeof(Slot) + m_texts.size() * sizeof(std::string_view);
}

std::string_view StringPool::store(std::string_view text)
{
    if (text.empty()) return {};
    if (m_blocks.empty() || m_blockUsed + text.size() > m_blockSize) {
        m_blockSize = std::max(kBlockBytes, text.size());
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(m_blockSize));
        m_blockUsed = 0;
        m_storedBytes += m_blockSize;
    }
    char* place = m_blocks.back().get() + m_blockUsed;
    std::memcpy(place, text.data(), text.size());
    m_blockUsed += text.size();
    return {place, text.size()};
}

void StringPool::grow()
{
    std::vector<Slot> old(m_slots.size() * 2);
    old.swap(m_slots);
    const std::size_t mask = m_slots.size() - 1;
    for (const Slot& entry : old) {
        if (entry.idPlusOne == 0) continue;
        std::size_t slot = entry.tag & mask;
        while (m_slots[slot].idPlusOne != 0) slot = (slot + 1) & mask;
        m_slots[slot] = entry;
    }
}

} // namespace stepscope
