// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stepscope
{

struct StepName {
    std::string_view family; ///< "ProfilerStep", "step", "Iteration", "train"
    std::int64_t number = 0;
};

/// What an annotation's name says about a step: `ProfilerStep#41`, `step_41`, `Iteration 41`, `train 41` (any case, one
/// of "#", "_", "-", " ", ":" or nothing between). None for all other names.
[[nodiscard]] std::optional<StepName> parseStepName(std::string_view name);

} // namespace stepscope
