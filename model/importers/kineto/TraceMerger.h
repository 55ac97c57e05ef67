// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/kineto/AsyncPairs.h"
#include "importers/kineto/EventBatch.h"
#include "importers/kineto/NamedLanes.h"
#include "importers/kineto/StackFrames.h"
#include "importers/kineto/TraceMetadata.h"
#include "profile/ProfileBuilder.h"

#include <map>
#include <string>
#include <vector>

namespace stepscope::kineto
{

/// Carries batches, in file order, into the builder. What can only be placed once the whole file is known (names, work
/// without a device number) waits until finish().
class TraceMerger
{
public:
    TraceMerger(ProfileBuilder& builder, std::uint32_t file, std::string fileName);

    void add(const EventBatch& batch);
    /// A sample of a call stack, from beside the events.
    void addSample(const StackSample& sample, std::string_view name);
    void finish();

    [[nodiscard]] std::uint64_t timedEvents() const { return m_timedEvents; }
    [[nodiscard]] bool sawProfilerCategories() const { return m_sawProfilerCategories; }
    [[nodiscard]] std::uint64_t brokenEvents() const { return m_brokenEvents; }
    [[nodiscard]] std::uint64_t firstBroken() const { return m_firstBroken; }
    [[nodiscard]] std::int64_t firstNs() const { return m_firstNs; }
    /// Whether processes are named as TensorFlow and JAX name them.
    [[nodiscard]] bool isTensorFlow() const { return m_named.any(); }
    /// Whether the file has a process of this pid.
    [[nodiscard]] bool hasPid(const std::string& pid) const { return m_pids.contains(pid); }

private:
    struct WaitingSlice {
        RawSlice slice;
        std::string pid;
        std::string stream;
        TrackKind kind;
    };
    struct Meta {
        MetaRecord::What what;
        std::string pid;
        std::string tid;
        std::string text;
    };
    class Names;

    void addSlices(const EventBatch& batch, Names& names);
    void addBinds(const EventBatch& batch, std::size_t& next, std::uint32_t slice, std::uint32_t lane);
    void addAsyncs(const EventBatch& batch, Names& names);
    void addSlice(const EventBatch& batch, const SliceRecord& record, const RawSlice& slice, std::uint32_t lane);
    void addNamed(const EventBatch& batch, const SliceRecord& record, RawSlice& slice, const NamedLane& named,
                  std::size_t& nextGroup);
    void addFlows(const EventBatch& batch, Names& names);
    void addSamples(const EventBatch& batch);
    void addMemory(const EventBatch& batch);
    void addMetas(const EventBatch& batch);
    void addNotices(const EventBatch& batch);
    [[nodiscard]] std::uint32_t laneOf(const EventBatch& batch, const LaneKey& key);
    void memorySample(const MemoryRecord& record, const std::string& pid, const std::string& name, std::int64_t value,
                      bool delta);
    void note(std::int64_t timeNs);

    ProfileBuilder& m_builder;
    std::uint32_t m_file;
    std::string m_fileName;
    StringId m_bindCategory;
    std::vector<WaitingSlice> m_waiting;
    std::vector<Meta> m_metas;
    AsyncPairs m_asyncs;
    NamedLanes m_named;
    std::map<std::string, std::int64_t> m_deviceOfPid;
    std::map<std::string, bool> m_pids;
    std::uint64_t m_timedEvents = 0;
    std::uint64_t m_brokenEvents = 0;
    std::uint64_t m_firstBroken = 0; ///< byte
    std::int64_t m_firstNs = INT64_MAX;
    bool m_sawProfilerCategories = false;
};

} // namespace stepscope::kineto
