// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Progress.h"
#include "importers/xplane/WireFile.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stepscope::xplane
{

/// Where the file speaks of an event metadata or a stat metadata: the contents of the map entry's value.
struct MetadataRef {
    std::int64_t id = 0;
    ByteRange bytes;
};

struct LineIndex {
    std::int64_t id = 0;
    std::string name;
    std::string displayName;
    std::int64_t timestampNs = 0;
    ByteRange bytes;
    bool hasEvents = false;
};

struct PlaneIndex {
    std::int64_t id = 0;
    std::string name;
    ByteRange bytes;
    std::vector<LineIndex> lines;
    std::vector<MetadataRef> eventMetadata; ///< sorted by id; of equal ids the last one counts
    std::vector<MetadataRef> statMetadata;  ///< sorted by id; of equal ids the last one counts
    std::vector<ByteRange> stats;
};

/// Where everything stands in an XSpace; small beside the events, which are not read.
struct SpaceIndex {
    std::vector<PlaneIndex> planes;
    std::vector<std::string> errors;
    std::vector<std::string> warnings;
    std::vector<std::string> hostNames;
    bool truncated = false;          ///< the file ends inside of a record
    std::uint64_t truncatedAt = 0;   ///< where that record begins
    std::uint64_t brokenRecords = 0; ///< places where no valid field stands
    std::uint64_t brokenAt = 0;      ///< the first of them
};

/// Goes through the file without its events.
[[nodiscard]] SpaceIndex indexSpace(WireFile& file, const LoadProgress& progress);

/// The entry of an id; null if there is none.
[[nodiscard]] const MetadataRef* findMetadata(const std::vector<MetadataRef>& sorted, std::int64_t id);

} // namespace stepscope::xplane
