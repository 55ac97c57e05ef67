// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stepscope
{

/// What is in a profile, in numbers: what `stepscope info` prints.
struct ProfileSummary {
    struct NameTotal {
        std::string_view name;
        std::int64_t totalNs = 0;
        std::uint64_t count = 0;
    };
    /// One number of step, over all processes that have it.
    struct StepTotal {
        std::int64_t number = 0;
        std::int64_t hostNs = 0;              ///< of the slowest process
        std::optional<std::int64_t> deviceNs; ///< of the slowest process
    };

    std::array<std::uint64_t, kSliceKindCount> byKind{};
    std::uint64_t kernelNames = 0;
    std::int64_t kernelNs = 0;
    std::uint64_t communicationCount = 0;
    std::int64_t communicationNs = 0;
    std::vector<NameTotal> topKernels; ///< five, by summed duration, then by name
    std::uint64_t samples = 0;

    std::uint64_t launches = 0; ///< with at least one run
    std::uint64_t launchCalls = 0;
    std::uint64_t runs = 0;
    std::optional<std::int64_t> leastLatencyNs;
    std::optional<std::int64_t> medianLatencyNs; ///< the upper one of an even number
    std::optional<std::int64_t> greatestLatencyNs;
    std::uint64_t negativeLatencies = 0;

    std::vector<StepTotal> steps;
    std::vector<std::pair<std::string_view, std::uint64_t>> annotations; ///< on hosts and devices, by name
};

/// O(slices).
[[nodiscard]] ProfileSummary summarise(const Profile& profile);

} // namespace stepscope
