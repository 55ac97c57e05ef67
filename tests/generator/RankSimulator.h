// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "generator/HostTimeline.h"
#include "generator/OpCatalog.h"
#include "generator/ProfileGenerator.h"
#include "generator/Random.h"
#include "generator/StepTrace.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stepscope
{

/// One training process: two CPU threads and one device. A step is simulated in two halves, because the all-reduces of
/// its backward pass end only when every rank has reached them.
class RankSimulator
{
public:
    /// The trace refers to this object's parts, so it stays where it was made.
    RankSimulator(const GeneratorOptions& options, int rank);
    RankSimulator(const RankSimulator&) = delete;
    RankSimulator& operator=(const RankSimulator&) = delete;

    /// Data loading, forward and backward. Then pendingCollectives() hold when this rank is ready for each.
    void runToBackward(std::int64_t step);
    /// Rows of trace().device whose durNs is still 0, in order of launch.
    [[nodiscard]] std::span<const std::uint32_t> pendingCollectives() const { return m_pending; }
    /// When a pending collective starts here: once its data is ready and the one before has ended.
    [[nodiscard]] std::int64_t collectiveStartNs(std::size_t index) const;
    void endCollective(std::size_t index, std::int64_t endNs);
    /// Optimizer, the wait for the device, device annotations, and the step's end.
    void finishStep();

    [[nodiscard]] StepTrace& trace() { return m_trace; }
    [[nodiscard]] const StepTrace& trace() const { return m_trace; }
    [[nodiscard]] int rank() const { return m_rank; }
    [[nodiscard]] int device() const { return m_rank % m_options.gpusPerHost; }
    [[nodiscard]] std::int64_t pid() const { return 812 + 61 * (m_rank % m_options.gpusPerHost); }
    [[nodiscard]] std::int64_t autogradTid() const { return pid() + 17; }

private:
    struct ForwardOp {
        const OpInfo* op = nullptr;
        std::int64_t sequence = -1;
        std::int64_t flowId = 0;
        std::int64_t runNs = 0;   ///< of the backward kernel
        std::int64_t address = 0; ///< of the activation kept for backward
        std::int64_t bytes = 0;
    };
    struct Call {
        std::string_view name;
        int cbid = 0;
        HostKind kind = HostKind::Runtime;
        FlowEnd flow = FlowEnd::Start;
    };

    // Host side.
    bool annotate(int depth, std::string_view name);
    void closeAnnotation(bool opened);
    void openPython(std::string_view frame);
    void closePython();
    HostSlice makeCall(HostTimeline& thread, const Call& call);
    void loadData(std::int64_t step);
    void copyInput(std::string_view inputs, std::int64_t bytes);
    void zeroGradients();
    void forward();
    void encoder(std::string_view name, std::span<const OpInfo> ops, int count, bool asGraph);
    void launchGraph(std::span<const OpInfo> ops, int count);
    void forwardOp(const OpInfo& op);
    void nestedOps(std::span<const OpInfo> ops, int count);
    void backward();
    void backwardOp(const ForwardOp& done);
    void allReduce(std::size_t index);
    void optimizerStep();
    void readLoss();
    void synchronizeDevice(std::int64_t untilNs);
    void allocate(ForwardOp& done);
    void release(const ForwardOp& done);
    void memoryEvent(HostThreadName thread, std::int64_t timeNs, std::int64_t address, std::int64_t bytes);

    // Device side.
    DeviceSlice& submit(DeviceKind kind, HostThreadName thread, const HostSlice& call, std::string_view name,
                        std::int64_t durNs);
    void syncRecord(std::string_view name, int stream, const HostSlice& call, std::int64_t startNs, std::int64_t endNs);
    void mirrorAnnotations();
    void mirror(const HostSlice& annotation, int stream);
    [[nodiscard]] std::int64_t runNs(std::int64_t phaseNs, std::int64_t weight, std::int64_t weights);

    const GeneratorOptions& m_options;
    int m_rank;
    Random m_random;
    StepTrace m_trace;
    RankCounters m_counters;
    HostTimeline m_main;
    HostTimeline m_autograd;
    std::int64_t m_computeFreeNs = 0; ///< when stream 7 has done all that was submitted
    std::int64_t m_ncclFreeNs = 0;
    std::int64_t m_allocatedBytes = 9'663'676'416;
    std::int64_t m_nextAddress = 0x7F1A40000000;
    std::vector<ForwardOp> m_forwardOps;
    std::vector<std::uint32_t> m_pending;
    std::vector<Collective> m_collectives;
    // Plan of one step, fixed by the options.
    int m_visionCount = 0;
    int m_textCount = 0;
    int m_lossCount = 0;
    int m_optimizerCount = 0;
    std::int64_t m_forwardWeights = 0;
    std::int64_t m_hostOpNs = 0;
};

} // namespace stepscope
