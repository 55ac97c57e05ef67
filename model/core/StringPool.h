// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/StrongId.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace stepscope
{

/// 64-bit hash of a text, the same in every run and on every machine.
[[nodiscard]] std::uint64_t hashText(std::string_view text);

/// Interned texts (UTF-8). Equal texts have equal ids; id 0 is the empty text.
/// Views stay valid as long as the pool. Not safe for writing from two threads.
class StringPool
{
public:
    StringPool();

    StringId intern(std::string_view text);
    /// The id of a text, or none; adds nothing.
    [[nodiscard]] StringId find(std::string_view text) const;
    [[nodiscard]] std::string_view view(StringId id) const { return m_texts[id.value]; }
    [[nodiscard]] std::size_t size() const { return m_texts.size(); }
    [[nodiscard]] std::size_t bytes() const;

private:
    [[nodiscard]] std::size_t slotOf(std::string_view text, std::uint32_t tag) const;
    std::string_view store(std::string_view text);
    void grow();

    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t idPlusOne = 0;
    };
    std::vector<Slot> m_slots;
    std::vector<std::string_view> m_texts;
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_blockUsed = 0;
    std::size_t m_blockSize = 0;
    std::size_t m_storedBytes = 0;
};

} // namespace stepscope
