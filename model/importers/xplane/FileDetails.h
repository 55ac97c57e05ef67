// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Progress.h"
#include "importers/xplane/SpaceIndex.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stepscope::xplane
{

/// What a file says about itself beside its events.
struct FileDetails {
    std::optional<std::int64_t> startUnixNs; ///< of the recording
    std::uint64_t droppedTraces = 0;
    /// Keys and JSON texts: host names, the profiler's errors and warnings, devices, HLO modules.
    std::vector<std::pair<std::string, std::string>> metadata;
};

[[nodiscard]] FileDetails readDetails(WireFile& file, const SpaceIndex& index, const LoadProgress& progress);

/// "host-1" of "/runs/host-1.xplane.pb.gz".
[[nodiscard]] std::string hostFromFileName(std::string_view path);

} // namespace stepscope::xplane
