// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/kineto/EventBatch.h"
#include "importers/xplane/Names.h"
#include "importers/xplane/StepMarks.h"
#include "profile/ProfileBuilder.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace stepscope::kineto
{

/// A thread of a trace without categories whose process is named after what it stands for.
struct NamedLane {
    std::uint32_t lane = kNone;
    xplane::LineRole role = xplane::LineRole::Generic;
    bool tpu = false;
    SliceKind kind = SliceKind::Other; ///< of slices whose own name tells nothing
    std::uint16_t category = 0;
};

/// Finds those threads. TensorFlow and JAX write XPlane's planes and lines as processes and threads, whose names come
/// before the events; PyTorch before 1.8 wrote a process "CPU functions" and a process "CUDA functions" with one thread
/// a device.
class NamedLanes
{
public:
    NamedLanes(ProfileBuilder& builder, std::uint32_t file) : m_builder(builder), m_file(file) {}

    void learn(MetaRecord::What what, const std::string& pid, const std::string& tid, std::string_view text);
    /// Whether a process is named like a plane.
    [[nodiscard]] bool any() const { return !m_processes.empty(); }
    /// Null for an ordinary thread. Stays valid.
    [[nodiscard]] const NamedLane* find(const std::string& pid, const std::string& tid);
    /// True if the process stands for a device: what metadata says of its threads has been used already.
    [[nodiscard]] bool isDevice(const std::string& pid) const;

    /// Gives the slice the kind and category that its lane and name tell.
    void refine(const NamedLane& lane, RawSlice& slice);
    /// `place` is the slice's number in the lane.
    void markStep(const NamedLane& lane, const RawSlice& slice, std::uint32_t place, const GroupRecord* group);
    void finish();

private:
    struct Process {
        xplane::PlanePlace plane;
        std::map<std::string, std::string> lineNames; ///< by tid
        bool hasStreams = false;
        bool legacy = false;
        std::optional<std::uint32_t> device = {}; ///< of the builder
    };
    struct NameKinds {
        SliceKind onHost = SliceKind::Other;
        SliceKind onDevice = SliceKind::Other;
    };

    [[nodiscard]] NamedLane made(const std::string& pid, const std::string& tid, Process& process);
    [[nodiscard]] NamedLane madeLegacy(const std::string& pid, const std::string& tid);
    [[nodiscard]] std::uint32_t streamLane(const std::string& pid, Process& process, const std::string& line,
                                           bool beside);
    [[nodiscard]] NameKinds kindsOf(StringId name);

    ProfileBuilder& m_builder;
    std::uint32_t m_file;
    std::map<std::string, Process> m_processes;
    std::map<std::pair<std::string, std::string>, NamedLane> m_lanes;
    std::unordered_map<std::uint32_t, NameKinds> m_kinds; ///< by name
    xplane::StepMarks m_steps;
    std::int64_t m_nextOther = 1000; ///< numbers of devices that have none
};

} // namespace stepscope::kineto
