// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/xplane/PlaneMetadata.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace stepscope::xplane
{

/// What the importer needs of one event. `numbers` and `reals` only hold what `present` says.
struct EventFields {
    std::int64_t metadataId = 0;
    std::int64_t offsetPs = 0;
    std::int64_t durationPs = 0;
    bool aggregate = false;    ///< stands for many events and has no place in time
    std::uint32_t present = 0; ///< bit n: there is a stat of StatRole n
    std::array<std::uint64_t, kStatRoleCount> numbers;
    std::array<double, kStatRoleCount> reals; ///< of the roles that are measures
    std::string_view allocator;

    [[nodiscard]] static constexpr std::uint32_t bit(StatRole role) { return 1u << static_cast<unsigned>(role); }
    [[nodiscard]] bool has(StatRole role) const { return (present & bit(role)) != 0; }
    [[nodiscard]] std::uint64_t number(StatRole role) const { return numbers[static_cast<std::size_t>(role)]; }
    [[nodiscard]] double real(StatRole role) const { return reals[static_cast<std::size_t>(role)]; }
};
static_assert(kStatRoleCount <= 32);

/// Reads an event; false if its bytes are no valid message.
[[nodiscard]] bool readEvent(Wire wire, const PlaneMetadata& metadata, EventFields& fields);

} // namespace stepscope::xplane
