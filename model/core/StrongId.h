// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace stepscope
{

/// A 32-bit index that cannot be mixed with an index into another table. The default value means "none".
template<class Tag>
struct StrongId {
    std::uint32_t value = std::numeric_limits<std::uint32_t>::max();

    [[nodiscard]] constexpr bool valid() const { return value != std::numeric_limits<std::uint32_t>::max(); }
    friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

using StringId = StrongId<struct StringTag>;
using SliceId = StrongId<struct SliceTag>;
using TrackId = StrongId<struct TrackTag>;

} // namespace stepscope

template<class Tag>
struct std::hash<stepscope::StrongId<Tag>> {
    std::size_t operator()(stepscope::StrongId<Tag> id) const noexcept { return id.value; }
};
