// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace stepscope
{

/// splitmix64 with its own mapping to ranges: the standard distributions differ between libraries, and files have to
/// be the same everywhere.
class Random
{
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    [[nodiscard]] std::uint64_t next()
    {
        std::uint64_t mixed = (m_state += 0x9E3779B97F4A7C15u);
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
        return mixed ^ (mixed >> 31);
    }

    /// In [low, high]. The bias of the modulo does not matter here.
    [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
    }

    /// `value` changed by at most `perMille` thousandths either way.
    [[nodiscard]] std::int64_t vary(std::int64_t value, std::int64_t perMille)
    {
        const std::int64_t reach = value * perMille / 1000;
        return reach <= 0 ? value : value + between(-reach, reach);
    }

private:
    std::uint64_t m_state;
};

} // namespace stepscope
