// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/GrowingArray.h"
#include "profile/Nesting.h"
#include "profile/Profile.h"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

/// The half-built profile: what an importer has said so far. Private to model/profile.
namespace stepscope::draft
{

/// Gives the memory of a vector back. (Assigning {} to it would keep all of it.)
template<class Vector>
void release(Vector& vector)
{
    Vector().swap(vector);
}

/// What a slice is beside its interval.
struct Content {
    SourceRef source;
    StringId name;
    std::uint16_t category = 0;
    SliceKind kind = SliceKind::Other;
};

/// A number that goes with a slice: a correlation id, or a step.
struct Correlation {
    std::uint64_t id = 0;
    std::uint32_t slice = 0; ///< index within the lane; after the lane is finished, the final slice id
};

/// An arrow's end at a slice that the file names itself.
struct SliceFlowEnd {
    std::uint64_t id = 0;
    std::uint32_t slice = 0; ///< as Correlation::slice
    StringId category;
    bool start = true;
};

/// A begin or end event that waits for its partner until the lane is sorted.
struct Edge {
    std::int64_t timeNs = 0;
    Content content; ///< of a begin
    bool begin = true;
};

/// The slices of one thread, or of one stream, in file order.
struct Lane {
    TrackKind kind = TrackKind::Thread;
    std::uint32_t owner = 0; ///< process of a thread or of asynchronous work, device of a stream
    std::string key;         ///< tid or stream as the file has it
    std::string name;        ///< from metadata, or ""
    std::uint32_t file = 0;
    std::uint32_t device = kNone;

    GrowingArray<Interval> intervals;
    GrowingArray<Content> contents;
    GrowingArray<Correlation> correlations;
    std::vector<Correlation> stepMarks;
    std::vector<SliceFlowEnd> flowEnds;
    std::vector<Edge> edges;

    // Filled when the lane is finished:
    std::vector<std::uint32_t> places; ///< the final slice of each one here; only while the lane is being finished
    std::uint32_t firstSlice = 0;
    std::uint32_t firstRow = 0;
    std::uint32_t rowCount = 0;
    std::uint64_t overlaps = 0;
    std::uint32_t firstOverlap = 0; ///< a slice, if there are overlaps
    std::uint64_t unmatchedBegins = 0;
    std::uint64_t unmatchedEnds = 0;
    Edge firstUnmatchedBegin;
    Edge firstUnmatchedEnd;
    std::vector<std::uint32_t> rowEnds; ///< relative to firstSlice
    std::vector<RowBlock> blocks;
    std::vector<std::uint32_t> rowFirstBlock;
};

struct ProcessDraft {
    std::uint32_t file = 0;
    std::string pid;
    std::string name;
    std::string label;
    std::string host;                 ///< "" for that of the file
    std::optional<std::int64_t> rank; ///< none for that of the file
    std::optional<std::int64_t> sortIndex;
};

struct DeviceDraft {
    std::uint32_t file = 0;
    std::int64_t number = 0;
    std::string pid;  ///< of the process that stands for it in the file
    std::string name; ///< "" for one made of the number
    std::string model;
    std::uint32_t process = kNone; ///< where the file says to whom it belongs
};

struct FlowEnd {
    std::uint64_t id = 0;
    std::int64_t timeNs = 0;
    std::uint32_t lane = 0;
    StringId category;
    bool start = true;
    FlowBinding binding = FlowBinding::Enclosing;
};

struct CounterDraft {
    std::uint32_t file = 0;
    std::string pid;
    std::string name;
    std::string series;
    std::string unit = {};
    bool changes = false;
    std::vector<std::int64_t> timeNs = {};
    std::vector<double> value = {};
};

struct InstantDraft {
    Instant instant;
    std::uint32_t lane = kNone;
};

struct FileDraft {
    SourceFile file;
    std::string host;
    std::optional<std::int64_t> epochNs; ///< wall clock of the file's time 0, where it is known
    std::map<std::int64_t, std::string> deviceModels;
    std::int64_t firstNs = INT64_MAX;
    std::int64_t lastNs = INT64_MIN;
    std::vector<FlowEnd> flowEnds;
    std::vector<FlowEnd> launchFlowEnds; ///< used where runs carry no correlation id
};

struct Draft {
    StringPool strings;
    DiagnosticLog diagnostics;
    std::vector<StringId> categories;
    std::vector<FileDraft> files;
    std::vector<ProcessDraft> processes;
    std::vector<DeviceDraft> devices;
    std::vector<Lane> lanes;
    std::vector<CounterDraft> counters;
    std::vector<InstantDraft> instants;
    std::unordered_map<std::string, std::string> threadNames;        ///< by file, pid and tid
    std::unordered_map<std::string, std::int64_t> threadSortIndices; ///< by the same
    std::uint64_t sliceCount = 0;
    bool folder = false;
};

} // namespace stepscope::draft
