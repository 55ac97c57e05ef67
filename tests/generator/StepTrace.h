// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace stepscope
{

inline constexpr int kComputeStream = 7;
inline constexpr int kNcclStream = 20;
/// Kineto's stream of a synchronisation that concerns the whole context.
inline constexpr int kNoStream = -1;

enum class HostThreadName : std::uint8_t { Main, Autograd };
enum class HostKind : std::uint8_t { CpuOp, Annotation, Runtime, Driver, Python };
enum class DeviceKind : std::uint8_t { Kernel, Memcpy, Memset, Annotation, Sync };
enum class FlowEnd : std::uint8_t { None, Start, Finish };

/// An all-reduce's message; the same on the op that asks for it and on its kernel.
struct Collective {
    std::int64_t elements = 0;
};

/// A slice on a CPU thread. Views point to constants or into StepTrace::texts.
struct HostSlice {
    HostKind kind = HostKind::CpuOp;
    HostThreadName thread = HostThreadName::Main;
    FlowEnd flow = FlowEnd::None; ///< ac2g of a call, fwdbwd of an op
    std::int64_t startNs = 0;
    std::int64_t durNs = 0;
    std::string_view name;
    std::string_view inputs;      ///< cpu_op: the JSON members that record_shapes adds
    std::int64_t externalId = 0;  ///< own of an op or annotation; the enclosing op's of a call; 0: none
    std::int64_t correlation = 0; ///< of a call
    std::int64_t sequence = -1;   ///< of an op that autograd knows; -1: none
    std::int64_t flowId = 0;      ///< of a fwdbwd flow
    std::int64_t eventIndex = 0;
    std::int64_t pythonId = 0;
    std::int64_t pythonParent = 0; ///< 0: none
    const Collective* collective = nullptr;
    int cbid = 0;               ///< CUPTI's number of the called function
    std::uint32_t firstRun = 0; ///< annotation: runs launched inside it, as a range of StepTrace::device
    std::uint32_t endRun = 0;
};

/// A slice on a device stream.
struct DeviceSlice {
    DeviceKind kind = DeviceKind::Kernel;
    HostThreadName launchThread = HostThreadName::Main;
    int stream = kComputeStream;
    std::int64_t startNs = 0;
    std::int64_t durNs = 0;
    std::int64_t launchNs = 0; ///< start of the call that submitted it
    std::string_view name;
    std::string_view shape; ///< kernel: the JSON members of its launch configuration
    std::int64_t externalId = 0;
    std::int64_t correlation = 0;
    std::int64_t bytes = 0;           ///< memcpy, memset
    std::int64_t graphNode = -1;      ///< kernel of a graph launch
    std::int64_t waitCorrelation = 0; ///< sync: the event record that a stream waited for; 0: none
    const Collective* collective = nullptr;

    [[nodiscard]] bool isRun() const { return kind <= DeviceKind::Memset; }
    [[nodiscard]] std::int64_t endNs() const { return startNs + durNs; }
};

/// One allocation (bytes > 0) or release (bytes < 0) of device memory.
struct MemoryEvent {
    HostThreadName thread = HostThreadName::Main;
    std::int64_t timeNs = 0;
    std::int64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t allocatedBytes = 0; ///< after the event
    std::int64_t reservedBytes = 0;
    std::int64_t eventIndex = 0;
};

struct CounterSample {
    std::string_view name;
    std::string_view unit; ///< the key in args
    int cpu = -1;          ///< of a perf counter; -1: a counter of the device
    std::int64_t timeNs = 0;
    std::int64_t tenths = 0; ///< value x 10, so that no double is ever printed
};

/// Everything one rank did in one step. Reused from step to step.
struct StepTrace {
    std::int64_t number = 0;
    std::vector<HostSlice> host;
    std::vector<DeviceSlice> device;
    std::vector<MemoryEvent> memory;
    std::vector<CounterSample> counters;
    std::deque<std::string> texts; ///< names made for this step; a deque keeps the views valid

    std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
    void clear()
    {
        host.clear();
        device.clear();
        memory.clear();
        counters.clear();
        texts.clear();
    }
};

} // namespace stepscope
