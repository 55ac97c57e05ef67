// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Diagnostics.h"
#include "core/Progress.h"
#include "core/Result.h"
#include "profile/Profile.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace stepscope
{

struct RawSlice {
    std::int64_t startNs = 0; ///< in the file's own time
    std::int64_t durNs = 0;   ///< >= 0
    StringId name;
    SourceRef source;
    std::uint16_t category = 0;
    SliceKind kind = SliceKind::Other;
    std::optional<std::uint64_t> correlation = {}; ///< unique among the launches of its file
    std::optional<std::int64_t> step = {};         ///< the slice is this training step, whatever its name
};

/// Counters of "device N" in the process's own numbering are filed under this pid, followed by the number.
inline constexpr std::string_view kDevicePidPrefix = "device:";

struct FileFacts {
    std::string format;                  ///< "" keeps the one given to addFile()
    std::string host;                    ///< "" if unknown
    std::vector<std::string> parts;      ///< all paths, where several files are read as one
    std::optional<std::int64_t> epochNs; ///< wall clock of the file's time 0
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> worldSize;
    std::vector<std::pair<std::int64_t, std::string>> deviceModels;
    std::vector<std::pair<std::string, std::string>> metadata;
    std::shared_ptr<const SliceSource> source;
    std::uint64_t inflatedBytes = 0;
};

/// The only writer of a Profile. Importers say what they find, in any order; finish() sorts, nests, links and freezes.
/// All times are the file's own; files are brought to one clock by finish(). What has a time that no clock can have is
/// counted and left out. One thread at a time.
class ProfileBuilder
{
public:
    ProfileBuilder();
    ~ProfileBuilder();
    ProfileBuilder(const ProfileBuilder&) = delete;
    ProfileBuilder& operator=(const ProfileBuilder&) = delete;

    StringPool& strings();
    [[nodiscard]] const StringPool& strings() const;
    DiagnosticLog& diagnostics();
    /// The number of a category text, for RawSlice::category. At most 65,535 differ; later ones share the last.
    std::uint16_t category(StringId text);

    std::uint32_t addFile(std::string path, std::string format, std::uint64_t bytes);
    /// What is known about a file when all of it was read.
    void setFileFacts(std::uint32_t file, FileFacts facts);
    /// Forgets everything said about the newest file, which turned out to be unusable.
    void dropFile(std::uint32_t file);

    std::uint32_t process(std::uint32_t file, std::string_view pid);
    void setProcessName(std::uint32_t process, std::string_view name);
    void setProcessLabel(std::uint32_t process, std::string_view label);
    /// The machine of a process, where a file speaks of several; else it is that of the file.
    void setProcessHost(std::uint32_t process, std::string_view host);
    /// Where the processes of one file have ranks of their own; else it is that of the file.
    void setProcessRank(std::uint32_t process, std::int64_t rank);
    /// Wish of the file: processes and threads with a lower index come first.
    void setProcessSortIndex(std::uint32_t process, std::int64_t index);
    void setThreadSortIndex(std::uint32_t file, std::string_view pid, std::string_view tid, std::int64_t index);
    std::uint32_t device(std::uint32_t file, std::int64_t number, std::string_view pid);
    /// What a device is called ("TPU-0") and which model it is; else "GPU-" and its number, and what FileFacts tells.
    void setDeviceName(std::uint32_t device, std::string_view name, std::string_view model);
    /// The process that a device's rows stand under; else the one that submitted most of its runs.
    void setDeviceProcess(std::uint32_t device, std::uint32_t process);
    /// The lane of a thread, made on first use.
    std::uint32_t threadLane(std::uint32_t process, std::string_view tid);
    /// The lane of a stream; kind is Stream, StreamAnnotations or StreamSync.
    std::uint32_t streamLane(std::uint32_t device, std::string_view stream, TrackKind kind);
    /// The lane of asynchronous work of a process, whose slices may overlap; `key` is its name.
    std::uint32_t asyncLane(std::uint32_t process, std::string_view key);
    /// A name from the file's metadata for whatever lane stands for this thread or stream.
    void setThreadName(std::uint32_t file, std::string_view pid, std::string_view tid, std::string_view name);

    /// So many more slices are about to be added to the lane: saves the copies of a growing list. An estimate will do.
    void expectSlices(std::uint32_t lane, std::uint64_t count);
    /// Returns the slice's place among those of the lane, for markStep().
    std::uint32_t addSlice(std::uint32_t lane, const RawSlice& slice);
    /// The slice is this training step, where that is only known later than the slice.
    void markStep(std::uint32_t lane, std::uint32_t slice, std::int64_t step);
    void addBegin(std::uint32_t lane, const RawSlice& begin);
    /// `source` is where the file says more about the slice that ends here.
    void addEnd(std::uint32_t lane, std::int64_t timeNs, SourceRef source = {});
    /// Where the file says more about the slice whose source is `begin`.
    void addEndSource(std::uint32_t file, SourceRef begin, SourceRef end);
    /// A mark; lane kNone for the whole profile.
    void addInstant(std::uint32_t file, std::uint32_t lane, std::int64_t timeNs, StringId name, SourceRef source);
    /// One end of an arrow. `launch` marks the profiler's own launch arrows.
    void addFlowEnd(std::uint32_t file, std::uint32_t lane, std::int64_t timeNs, std::uint64_t id, StringId category,
                    bool start, FlowBinding binding, bool launch);
    /// The same, but the end is at the slice that was added to the lane last, wherever it will stand.
    void addSliceFlowEnd(std::uint32_t lane, std::uint64_t id, StringId category, bool start);
    /// The counter of a process (or of a CPU or device that the file names in place of one). `series` tells several
    /// values under one name apart.
    std::uint32_t counter(std::uint32_t file, std::string_view pid, std::string_view name, std::string_view series);
    void setCounterUnit(std::uint32_t counter, std::string_view unit);
    /// The samples of this counter are changes; the profile holds their running sum.
    void markAsChanges(std::uint32_t counter);
    void addSample(std::uint32_t counter, std::int64_t timeNs, double value);
    /// Widens the file's span by a moment that is no slice.
    void touch(std::uint32_t file, std::int64_t timeNs);

    /// The profile's format becomes "folder", unless its files are pieces of one recording.
    void markAsFolder();
    [[nodiscard]] std::uint64_t sliceCount() const;
    [[nodiscard]] std::size_t fileCount() const;

    /// Builds the profile; the builder is empty afterwards. Null if cancelled.
    [[nodiscard]] std::shared_ptr<const Profile> finish(std::string path, LoadProgress& progress);

private:
    /// Whether a time is one that a clock can have; counts those that are not.
    [[nodiscard]] bool accept(std::uint32_t file, std::int64_t timeNs);

    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stepscope
