// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/StrongId.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stepscope
{

/// What a node of the tree stands for. The order is that of siblings of different kinds.
enum class TrackKind : std::uint8_t {
    Host,
    CpuGroup,
    Cpu,
    GpuGroup,
    Process,
    Steps,
    GpuUtilisation,
    GpuHost,
    Device,
    StreamAnnotations,
    Stream,
    StreamSync,
    CounterGroup,
    Counter,
    ThreadGroup,
    Thread,
    AsyncGroup,
    Async,
    ProcessGroup,
};

inline constexpr std::uint32_t kNone = 0xffffffffu;

/// Rows of slices that belong to a process; the other rows of slices belong to a device.
[[nodiscard]] constexpr bool isOfProcess(TrackKind kind)
{
    return kind == TrackKind::Thread || kind == TrackKind::Async;
}

/// Which slice of a lane an arrow's end means: the deepest that encloses the moment, the one that starts then or next,
/// or the latter only where none encloses it.
enum class FlowBinding : std::uint8_t { Enclosing, Next, EnclosingOrNext };

/// A node of the tree: a heading, or one track of the timeline. What is expanded or hidden is the view's business.
struct Track {
    TrackKind kind = TrackKind::Host;
    std::string name;
    TrackId parent;
    std::vector<TrackId> children;

    std::uint32_t firstRow = 0;    ///< its lines of slices: Profile::row(firstRow) .. firstRow + rowCount - 1
    std::uint32_t rowCount = 0;    ///< 0 for headings and counters
    std::uint32_t counter = kNone; ///< index into Profile::counters
    std::uint32_t process = kNone; ///< index into Profile::processes
    std::uint32_t device = kNone;  ///< index into Profile::devices
    /// Indices into Profile::busy. The node's busy fraction at a time is the mean over these.
    std::vector<std::uint32_t> busy;
};

} // namespace stepscope
