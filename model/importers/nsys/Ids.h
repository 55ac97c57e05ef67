// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

namespace stepscope::nsys
{

/// globalTid, globalPid or globalVid: 8 bits of hardware, 8 of virtual machine, 24 of pid, 24 of tid
/// (Nsight Systems, "SQLite Schema Reference"). Text form and SQLite give it as a signed number.
struct GlobalId {
    std::uint64_t value = 0;

    [[nodiscard]] constexpr std::uint64_t pid() const { return (value >> 24) & 0xffffff; }
    [[nodiscard]] constexpr std::uint64_t tid() const { return value & 0xffffff; }
    [[nodiscard]] constexpr GlobalId process() const { return {value & ~std::uint64_t(0xffffff)}; }
    /// Hardware and virtual machine.
    [[nodiscard]] constexpr std::uint64_t machine() const { return value >> 48; }
    friend constexpr auto operator<=>(const GlobalId&, const GlobalId&) = default;
};

} // namespace stepscope::nsys
