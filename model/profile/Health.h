// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/ProfileDraft.h"

#include <string>
#include <string_view>

namespace stepscope::draft
{

/// Where a diagnostic was first met: "cudaLaunchKernel" at 1.2 ms of rank0.json. Times count from the first event, as
/// the timeline shows them.
[[nodiscard]] std::string placeAt(std::string_view name, std::int64_t sinceFirstNs, std::string_view path);

/// Notes what is missing or odd in the finished profile: launches and runs without each other, steps without work,
/// runs that take no time or start before their launch, overlaps.
void noteHealth(Draft& draft, const Profile& profile);

} // namespace stepscope::draft
