// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/SliceKind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What the names of planes, lines, events and stats mean. Sources in FORMAT.md.
namespace stepscope::xplane
{

enum class PlaneRole : std::uint8_t {
    Host,        ///< "/host:CPU": its lines are threads
    Gpu,         ///< "/device:GPU:0": its lines are streams
    Tpu,         ///< "/device:TPU:0", a SparseCore: its lines are views of one core
    OtherDevice, ///< "/device:CUSTOM:..."
    HloModules,  ///< "/host:metadata": no lines
    Environment, ///< "Task Environment": no lines
    Generic,     ///< anything else: a group of rows
};

struct PlanePlace {
    PlaneRole role = PlaneRole::Generic;
    std::string device;                  ///< "GPU-0", "TPU-0 SparseCore 1"
    std::optional<std::int64_t> ordinal; ///< of a whole GPU or TPU
};

[[nodiscard]] PlanePlace placeOfPlane(std::string_view name);
/// True for the beginnings of the names that profilers give to planes.
[[nodiscard]] bool isKnownPlaneName(std::string_view name);

enum class LineRole : std::uint8_t {
    Thread,
    Operations,      ///< what makes a device busy
    AsyncOperations, ///< TPU copies that run beside the operations
    Derived,         ///< the same work told again: modules, name scopes, framework ops
    Steps,
    Counters,
    DeviceWork, ///< of a device of an unknown sort
    Generic,
};

/// `hasStreams`: the plane has a line "Stream ...". Then other lines that restate it are no operations.
[[nodiscard]] LineRole roleOfLine(PlaneRole plane, std::string_view name, std::int64_t id, bool hasStreams);

/// "17" of "Stream #17(Kernel)"; else the name.
[[nodiscard]] std::string_view streamKey(std::string_view lineName);
/// All activities in the line's brackets are copies (or sets).
[[nodiscard]] SliceKind kindOfStream(std::string_view lineName);

/// A slice on a device's line of operations, told by its name alone.
[[nodiscard]] SliceKind kindOfDeviceName(std::string_view name);
/// True for XLA's own collectives ("all-reduce.1").
[[nodiscard]] bool isCollectiveOperation(std::string_view name);

/// A slice of a host thread, told by its name alone. Annotation where nothing says otherwise.
[[nodiscard]] SliceKind kindOfHostName(std::string_view name);
/// A slice of a host thread whose own name tells nothing.
[[nodiscard]] SliceKind kindOfThread(std::string_view lineName);

enum class StatRole : std::uint8_t {
    None,
    Correlation,
    GroupId,
    StepNumber,
    IterationNumber,
    Root,
    ProducerType,
    ProducerId,
    ConsumerType,
    ConsumerId,
    ContextScope,
    Flow,
    KernelDetails,
    MemcpyDetails,
    MemsetDetails,
    Operation, ///< only operators carry it
    AllocatorName,
    BytesAllocated,
    BytesReserved,
    BytesAvailable,
    AllocatorDevice,
    CounterValue,
    DroppedTraces,
    StepName,
};
inline constexpr std::size_t kStatRoleCount = static_cast<std::size_t>(StatRole::StepName) + 1;

[[nodiscard]] StatRole roleOfStat(std::string_view name);

/// "PjRt" for 5: who hands work to whom.
[[nodiscard]] std::string contextName(std::uint64_t type);

} // namespace stepscope::xplane
