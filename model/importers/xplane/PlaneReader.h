// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/xplane/EventFields.h"
#include "importers/xplane/SpaceIndex.h"
#include "importers/xplane/StepMarks.h"
#include "profile/ProfileBuilder.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stepscope::xplane
{

/// What the planes of one file share while they are read.
struct ImportState {
    ProfileBuilder& builder;
    LoadProgress& progress;
    WireFile& file;
    std::uint32_t fileNumber = 0;
    std::string fileName;      ///< without folders, for places
    bool reportsBytes = false; ///< progress counts the bytes of the events' windows
    std::uint64_t reportedBytes = 0;
    /// Taken off times since 1970 in a file that has both sorts of time.
    std::int64_t epochShiftNs = 0;
    std::optional<std::string> hostPid;   ///< of the process that owns the devices
    std::set<std::int64_t> deviceNumbers; ///< taken ones
    StepMarks steps;
    std::uint64_t events = 0; ///< put on the timeline, samples included

    /// Counts something at a byte of the file; only the first place is spelled out.
    void note(DiagnosticCode code, std::uint64_t offset, std::uint64_t count = 1);
};

/// Times up to here are taken: about the year 2096 in ns since 1970.
inline constexpr std::int64_t kLatestNs = 4'000'000'000'000'000'000;
/// Times above this are since 1970, others since the beginning of the recording.
inline constexpr std::int64_t kEarliestEpochNs = 100'000'000'000'000'000;

/// Reads the lines of one plane into the builder.
class PlaneReader
{
public:
    /// `pid` names the process of the plane's threads, for planes of a host or of an unknown sort; else it is "".
    PlaneReader(ImportState& state, const PlaneIndex& plane, std::string pid);

    void run();

private:
    struct Line {
        const LineIndex* index = nullptr;
        LineRole role = LineRole::Generic;
        SliceKind kind = SliceKind::Other; ///< of what nothing else tells the kind
        std::int64_t baseNs = 0;
        std::uint32_t lane = kNone; ///< made for the first slice
    };

    /// What the device says that it is. Not while events are read: both need the file's one window.
    [[nodiscard]] std::string readModel();
    void readLine(const LineIndex& index);
    /// The rest of a line is likely to hold events as closely as its first window did.
    void expectRest(const Line& line, std::uint64_t events, std::uint64_t bytes, std::uint64_t left);
    /// Reads the events of a window; returns how many bytes of it are done.
    std::size_t readWindow(Line& line, std::string_view window, std::uint64_t offset);
    /// What to do where no whole record stands; returns how many bytes to pass over, 0 to read on from there.
    std::uint64_t passBroken(std::string_view window, std::uint64_t offset, std::uint64_t left);
    void readOne(Line& line, std::string_view bytes, std::uint64_t offset);
    void addSlice(Line& line, RawSlice& slice, const EventInfo& info);
    void addSample(const EventInfo& info, std::int64_t timeNs);
    void addMemorySamples(std::int64_t timeNs);
    void addFlows(std::uint32_t lane);
    void markSteps(const Line& line, const RawSlice& slice, std::uint32_t place);
    [[nodiscard]] bool setTimes(const Line& line, std::uint64_t offset, RawSlice& slice);
    [[nodiscard]] SliceKind hostKind(const Line& line, const EventInfo& info) const;
    [[nodiscard]] SliceKind operationKind(const Line& line, const EventInfo& info) const;
    [[nodiscard]] std::uint32_t laneOf(const Line& line);
    [[nodiscard]] std::uint32_t threadLaneOf(const Line& line);
    [[nodiscard]] std::uint32_t device();
    void reportBytes(std::uint64_t bytes);

    ImportState& m_state;
    const PlaneIndex& m_plane;
    PlanePlace m_place;
    std::string m_pid;
    PlaneMetadata m_metadata;
    EventFields m_fields;
    std::string m_model; ///< of the device
    bool m_hasStreams = false;
    std::optional<std::uint32_t> m_device;
    std::unordered_map<std::string, std::string> m_threadNames;                     ///< by key
    std::unordered_map<std::string, std::array<std::uint32_t, 3>> m_memoryCounters; ///< by allocator and device
    std::uint16_t m_category = 0;
};

} // namespace stepscope::xplane
