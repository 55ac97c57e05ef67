// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stepscope::kineto
{

/// The keys beside the list of events.
struct TraceMetadata {
    bool broken = false;     ///< they are no valid JSON; what could be read is here
    bool fromKineto = false; ///< has schemaVersion, deviceProperties or traceName
    std::optional<std::int64_t> baseTimeNs;
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> worldSize;
    std::string hostName;
    std::uint64_t otherEvents = 0;                                  ///< elements of further lists named "traceEvents"
    std::vector<std::pair<std::int64_t, std::string>> deviceModels; ///< id, name
    std::vector<std::pair<std::string, std::string>> values;        ///< every key with its value as JSON text
};

/// `document` is the whole outermost object with the list of events left out.
[[nodiscard]] TraceMetadata readMetadata(std::string_view document);

/// "rank-3.json" and the like: the number behind the word rank, not in the middle of a word.
[[nodiscard]] std::optional<std::int64_t> rankFromFileName(std::string_view path);

/// "<host>_<pid>.<time>.pt.trace.json": host and pid; empty texts for other names.
[[nodiscard]] std::pair<std::string, std::string> hostAndPidFromFileName(std::string_view path);

} // namespace stepscope::kineto
