// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Diagnostics.h"
#include "core/StringPool.h"
#include "core/StrongId.h"
#include "core/TimeSpan.h"
#include "profile/Row.h"
#include "profile/SliceKind.h"
#include "profile/SliceSource.h"
#include "profile/Track.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stepscope
{

/// All slices, one column a field, all of one length. Sorted by track, then by row of the track, then by start.
/// 31 bytes a slice. Row and track follow from the position; parents and children from the rows above and below.
struct SliceColumns {
    std::vector<std::int64_t> startNs;
    std::vector<std::int64_t> durNs; ///< >= 0
    std::vector<StringId> name;
    std::vector<SourceRef> source;
    std::vector<std::uint16_t> category; ///< index into Profile::categories
    std::vector<SliceKind> kind;

    [[nodiscard]] std::size_t size() const { return startNs.size(); }
};

/// A row as stored: a range of the slice columns, or of the projection columns (slices of other tracks shown again).
struct RowRecord {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t firstBlock = 0;
    bool projection = false;
};

/// Rows that show slices of other tracks: GPU host rows and step rows.
struct ProjectionColumns {
    std::vector<std::int64_t> startNs;
    std::vector<std::int64_t> durNs;
    std::vector<SliceId> slice;
};

/// When something was busy: disjoint intervals in time order with the time covered before each.
struct BusySeries {
    std::vector<std::int64_t> beginNs;
    std::vector<std::int64_t> endNs;
    std::vector<std::int64_t> coveredBeforeNs;

    [[nodiscard]] std::int64_t totalNs() const
    {
        return beginNs.empty() ? 0 : coveredBeforeNs.back() + endNs.back() - beginNs.back();
    }
};

struct CounterSeries {
    std::string name;
    std::string unit;                 ///< "bytes", "%", or "" where the file does not tell
    std::vector<std::int64_t> timeNs; ///< ascending
    std::vector<double> value;
    double least = 0;
    double greatest = 0;
};

/// Launch -> run. Sorted by launch, then run. A launch may have many runs; a run has at most one launch.
struct LinkTable {
    std::vector<SliceId> launch;
    std::vector<SliceId> run;
    std::vector<std::uint32_t> byRun; ///< link indices sorted by run

    [[nodiscard]] std::size_t size() const { return launch.size(); }
};

/// An arrow of the file's own that is no launch: forward -> backward and whatever else the job recorded.
struct Flow {
    SliceId from;
    SliceId to;
    StringId category;
};

/// A mark without duration.
struct Instant {
    std::int64_t timeNs = 0;
    StringId name;
    TrackId track; ///< none for marks of the whole profile
    SourceRef source;
    std::uint32_t file = 0;
};

/// One training iteration of one process (rank).
struct Step {
    std::int64_t number = 0;
    std::uint32_t process = 0;
    SliceId slice;                  ///< its annotation on the host (or the device, where the host has none)
    TimeSpan host;                  ///< of that annotation
    std::optional<TimeSpan> device; ///< device annotation, else first start to last end of the runs launched within

    /// "step_41"
    [[nodiscard]] std::string name() const { return "step_" + std::to_string(number); }
};

struct Host {
    std::string name;
    TrackId track;
};

struct Process {
    std::uint32_t host = 0;
    std::uint32_t file = 0;
    std::string pid; ///< as the file has it; may be a text
    std::string name;
    std::optional<std::int64_t> rank;
    std::int64_t sortIndex = 0; ///< wish of the file: lower ones first
    TrackId track;
    std::uint32_t threads = 0;
};

struct Device {
    std::uint32_t host = 0;
    std::uint32_t file = 0;
    std::uint32_t process = kNone; ///< who submits its work
    std::int64_t number = 0;       ///< as the file has it
    std::string name;              ///< "GPU-0"
    std::string model;             ///< "NVIDIA H100 80GB HBM3", or ""
    std::vector<std::string> streams;
    std::uint32_t busy = kNone; ///< index into Profile::busy: union of kernels, memcpys and memsets
    std::uint64_t kernels = 0;
    std::uint64_t memcpys = 0;
    std::uint64_t memsets = 0;
    TrackId track;
};

struct SourceFile {
    std::string path;
    std::vector<std::string> parts; ///< all paths, where several files were read as one
    std::string format;             ///< "kineto", "chrome"
    std::uint64_t bytes = 0;
    std::uint64_t inflatedBytes = 0;
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> worldSize;
    std::int64_t shiftNs = 0;                                  ///< added to the file's own times to get the profile's
    std::vector<std::pair<std::string, std::string>> metadata; ///< keys beside the events, values as JSON text
    /// Where the file says more about a slice at its end, by where it says that the slice begins. Sorted.
    std::vector<std::pair<SourceRef, SourceRef>> endSources;
    std::shared_ptr<const SliceSource> source; ///< none if the file cannot be read again
};

/// Everything loaded together. Built once by ProfileBuilder, then shared as shared_ptr<const Profile> and never
/// changed: any thread may read it without a lock. Every id in it is valid.
struct Profile {
    std::string path;
    std::string format; ///< of the file, or "folder"
    std::vector<SourceFile> files;
    std::optional<std::int64_t> originUnixNs; ///< wall clock of time 0
    TimeSpan span;                            ///< first start to last end of everything timed

    StringPool strings;
    std::vector<StringId> categories;
    SliceColumns slices;
    ProjectionColumns projections;
    std::vector<RowRecord> rows;
    std::vector<RowBlock> rowBlocks;

    std::vector<Track> tracks;
    std::vector<TrackId> roots; ///< hosts
    std::vector<Host> hosts;
    std::vector<Process> processes;
    std::vector<Device> devices;
    std::vector<BusySeries> busy;
    std::vector<CounterSeries> counters;
    LinkTable links;
    std::vector<Flow> flows;              ///< sorted by from
    std::vector<std::uint32_t> flowsByTo; ///< flow indices sorted by to
    std::vector<Instant> instants;        ///< sorted by time
    std::vector<Step> steps;              ///< sorted by process, then start
    std::vector<Diagnostic> diagnostics;

    /// Files on disk; a SourceFile may stand for several.
    [[nodiscard]] std::size_t fileCount() const;
    [[nodiscard]] const Track& track(TrackId id) const { return tracks[id.value]; }
    [[nodiscard]] RowView row(std::uint32_t index) const;
    [[nodiscard]] std::string_view sliceName(SliceId id) const { return strings.view(slices.name[id.value]); }
    [[nodiscard]] TimeSpan sliceSpan(SliceId id) const
    {
        return {slices.startNs[id.value], slices.startNs[id.value] + slices.durNs[id.value]};
    }
    /// Index into rows of the slice's own row (never a projection). O(log rows).
    [[nodiscard]] std::uint32_t rowOf(SliceId id) const;
    [[nodiscard]] TrackId trackOf(SliceId id) const { return rowTrack[rowOf(id)]; }
    /// Bytes of the columns and indices, without the strings and the sources' text.
    [[nodiscard]] std::size_t indexBytes() const;

    std::vector<TrackId> rowTrack; ///< the track of each row
    std::uint32_t ownRowCount = 0; ///< rows [0, ownRowCount) hold the slices in order; projections follow
};

} // namespace stepscope
