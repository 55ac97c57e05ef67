// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/RankSimulator.h"

#include <algorithm>

namespace stepscope
{
namespace
{

// How an ordinary step of GeneratorOptions::stepNs is divided, in thousandths.
constexpr std::int64_t kForwardShare = 280;
constexpr std::int64_t kBackwardShare = 560;
constexpr std::int64_t kOptimizerShare = 60;
constexpr std::int64_t kLoadingShare = 40;
/// The host needs this much of a step for its ops, so that it runs ahead of the device, as it should.
constexpr std::int64_t kHostShare = 450;
constexpr std::int64_t kShortestHostOpNs = 9'000;
constexpr std::int64_t kImageBytes = 64LL * 3 * 224 * 224 * 4;
constexpr std::int64_t kTokenBytes = 64LL * 77 * 8;
constexpr std::int64_t kBucketElements = 13'107'200; // DDP's default bucket: 25 MB of bf16

constexpr std::string_view kImageInputs =
    R"("Concrete Inputs": ["", "", "True"], "Input type": ["float", "float", "Scalar"], "Input Strides": [[150528, 50176, 224, 1], [150528, 50176, 224, 1], []], "Input Dims": [[64, 3, 224, 224], [64, 3, 224, 224], []])";
constexpr std::string_view kTokenInputs =
    R"("Concrete Inputs": ["", "", "True"], "Input type": ["long int", "long int", "Scalar"], "Input Strides": [[77, 1], [77, 1], []], "Input Dims": [[64, 77], [64, 77], []])";
constexpr std::string_view kScalarInputs =
    R"("Concrete Inputs": [""], "Input type": ["float"], "Input Strides": [[]], "Input Dims": [[]])";
constexpr std::string_view kGradientInputs =
    R"("Concrete Inputs": [""], "Input type": ["float"], "Input Strides": [[1]], "Input Dims": [[151277313]])";
constexpr std::string_view kBucketInputs =
    R"("Concrete Inputs": [""], "Input type": ["c10::BFloat16"], "Input Strides": [[1]], "Input Dims": [[13107200]])";

/// Annotations inside an encoder, outermost first; deeper ones are numbered.
constexpr std::string_view kInnerNames[] = {"transformer", "block", "attention_and_mlp"};

std::int64_t sumOfWeights(std::span<const OpInfo> ops, int count)
{
    std::int64_t sum = 0;
    for (int done = 0; done < count; ++done) sum += ops[static_cast<std::size_t>(done) % ops.size()].weight;
    return sum;
}

} // namespace

RankSimulator::RankSimulator(const GeneratorOptions& options, int rank)
    : m_options(options), m_rank(rank),
      m_random(options.seed * 0x2545F4914F6CDD1Du + static_cast<std::uint64_t>(rank) * 0x9E3779B9u),
      m_main(HostThreadName::Main, m_trace, m_counters), m_autograd(HostThreadName::Autograd, m_trace, m_counters)
{
    const int kernels = std::max(options.eventsPerStep, 7);
    const int forwards = kernels * 45 / 100;
    m_lossCount = std::max(1, forwards / 12);
    m_textCount = std::max(1, forwards / 3);
    m_visionCount = std::max(1, forwards - m_lossCount - m_textCount);
    m_optimizerCount = std::max(1, kernels - 2 * (m_visionCount + m_textCount + m_lossCount));
    m_forwardWeights = sumOfWeights(visionOps(), m_visionCount) + sumOfWeights(textOps(), m_textCount) +
                       sumOfWeights(lossOps(), m_lossCount);
    m_hostOpNs = std::max(kShortestHostOpNs, options.stepNs / 1000 * kHostShare / kernels);
    for (int index = 0; index < options.collectives; ++index) m_collectives.push_back({kBucketElements});
    // Ranks start a few ten microseconds apart; the first is the earliest and so waits longest for the others.
    m_main.waitUntil(options.startUnixNs + (rank == 0 ? 0 : m_random.between(20'000, 90'000)));
}

bool RankSimulator::annotate(int depth, std::string_view name)
{
    if (depth > m_options.annotationDepth) return false;
    m_main.open(HostKind::Annotation, name);
    return true;
}

void RankSimulator::closeAnnotation(bool opened)
{
    if (opened) m_main.close();
}

void RankSimulator::openPython(std::string_view frame)
{
    if (m_options.pythonStacks) m_main.open(HostKind::Python, frame);
}

void RankSimulator::closePython()
{
    if (m_options.pythonStacks) m_main.close();
}

HostSlice RankSimulator::makeCall(HostTimeline& thread, const Call& call)
{
    HostSlice& slice = thread.open(call.kind, call.name);
    slice.cbid = call.cbid;
    slice.flow = call.flow;
    thread.advance(m_random.between(2'600, 5'200));
    return thread.close();
}

void RankSimulator::runToBackward(std::int64_t step)
{
    m_trace.clear();
    m_trace.number = step;
    m_forwardOps.clear();
    m_pending.clear();
    m_main.open(HostKind::Annotation, m_trace.keep("ProfilerStep#" + std::to_string(step)));
    openPython("train.py(88): train_step");
    loadData(step);
    zeroGradients();
    forward();
    backward();
}

void RankSimulator::loadData(std::int64_t step)
{
    const bool opened = annotate(1, "dataloader.next");
    openPython("torch/utils/data/dataloader.py(701): __next__");
    m_main.advance(m_random.vary(m_options.stepNs / 1000 * kLoadingShare, 60));
    // The first rank loads a little faster than the others: it is the one that waits longest at a collective.
    if (m_rank != 0) m_main.advance(m_random.between(m_options.stepNs / 400, m_options.stepNs / 80));
    if (step == m_options.slowStep && m_rank == m_options.stragglerRank) m_main.advance(m_options.slowExtraNs);
    closePython();
    closeAnnotation(opened);
    copyInput(kImageInputs, kImageBytes);
    copyInput(kTokenInputs, kTokenBytes);
}

void RankSimulator::copyInput(std::string_view inputs, std::int64_t bytes)
{
    m_main.open(HostKind::CpuOp, "aten::to").inputs = inputs;
    m_main.open(HostKind::CpuOp, "aten::copy_").inputs = inputs;
    const HostSlice call = makeCall(m_main, {"cudaMemcpyAsync", 41});
    constexpr std::int64_t kBytesPerUs = 24'000; // of pinned memory over PCIe
    submit(DeviceKind::Memcpy, HostThreadName::Main, call, "Memcpy HtoD (Pinned -> Device)",
           m_random.vary(1'100 + bytes * 1000 / kBytesPerUs, 30))
        .bytes = bytes;
    m_main.close();
    m_main.close();
}

void RankSimulator::zeroGradients()
{
    const bool opened = annotate(1, "Optimizer.zero_grad#AdamW.zero_grad");
    m_main.open(HostKind::CpuOp, "aten::zero_").inputs = kGradientInputs;
    const HostSlice call = makeCall(m_main, {"cudaMemsetAsync", 51});
    submit(DeviceKind::Memset, HostThreadName::Main, call, "Memset (Device)", m_random.vary(242'000, 20)).bytes =
        605'109'252;
    m_main.close();
    closeAnnotation(opened);
}

void RankSimulator::forward()
{
    const bool opened = annotate(1, "forward");
    openPython("clip/model.py(358): forward");
    encoder("vision_encoder", visionOps(), m_visionCount, m_options.cudaGraphs);
    encoder("text_encoder", textOps(), m_textCount, false);
    encoder("contrastive_loss", lossOps(), m_lossCount, false);
    closePython();
    closeAnnotation(opened);
}

void RankSimulator::encoder(std::string_view name, std::span<const OpInfo> ops, int count, bool asGraph)
{
    const bool opened = annotate(2, name);
    if (asGraph) {
        launchGraph(ops, count);
    } else {
        nestedOps(ops, count);
    }
    closeAnnotation(opened);
}

void RankSimulator::nestedOps(std::span<const OpInfo> ops, int count)
{
    constexpr int kNamed = static_cast<int>(std::size(kInnerNames));
    const int deeper = std::max(0, m_options.annotationDepth - 2);
    for (int level = 0; level < deeper; ++level) {
        annotate(2, level < kNamed ? kInnerNames[level] : m_trace.keep("scope_" + std::to_string(level)));
    }
    for (int done = 0; done < count; ++done) forwardOp(ops[static_cast<std::size_t>(done) % ops.size()]);
    for (int level = 0; level < deeper; ++level) m_main.close();
}

void RankSimulator::launchGraph(std::span<const OpInfo> ops, int count)
{
    const HostSlice call = makeCall(m_main, {"cudaGraphLaunch", 311});
    for (int node = 0; node < count; ++node) {
        const OpInfo& op = ops[static_cast<std::size_t>(node) % ops.size()];
        DeviceSlice& run = submit(DeviceKind::Kernel, HostThreadName::Main, call, op.forwardKernel.name,
                                  runNs(kForwardShare, op.weight, m_forwardWeights));
        run.shape = op.forwardKernel.shape;
        run.graphNode = node;
        ForwardOp done{.op = &op, .runNs = runNs(kBackwardShare, op.weight, m_forwardWeights)};
        m_forwardOps.push_back(done);
    }
}

void RankSimulator::forwardOp(const OpInfo& op)
{
    ForwardOp done{.op = &op, .sequence = ++m_counters.sequence, .flowId = ++m_counters.flowId};
    done.runNs = runNs(kBackwardShare, op.weight, m_forwardWeights);
    openPython(op.module);
    openPython(op.function);
    m_main.open(HostKind::CpuOp, op.outer).inputs = op.inputs;
    m_main.advance(m_hostOpNs / 10);
    HostSlice& inner = m_main.open(HostKind::CpuOp, op.inner);
    inner.inputs = op.inputs;
    inner.sequence = done.sequence;
    inner.flow = FlowEnd::Start;
    inner.flowId = done.flowId;
    m_main.advance(m_hostOpNs / 10);
    allocate(done);
    const Call call = op.viaDriver ? Call{"cuLaunchKernel", 307, HostKind::Driver} : Call{"cudaLaunchKernel", 211};
    const HostSlice launch = makeCall(m_main, call);
    submit(DeviceKind::Kernel, HostThreadName::Main, launch, op.forwardKernel.name,
           runNs(kForwardShare, op.weight, m_forwardWeights))
        .shape = op.forwardKernel.shape;
    m_main.advance(m_hostOpNs / 5);
    m_main.close();
    m_main.advance(m_hostOpNs / 10);
    m_main.close();
    closePython();
    closePython();
    m_main.advance(m_random.vary(m_hostOpNs / 4, 300));
    m_forwardOps.push_back(done);
}

void RankSimulator::backward()
{
    const bool opened = annotate(1, "backward");
    openPython("torch/_tensor.py(525): backward");
    m_autograd.waitUntil(m_main.nowNs() + 31'000);
    std::size_t reduced = 0;
    for (std::size_t done = 1; done <= m_forwardOps.size(); ++done) {
        backwardOp(m_forwardOps[m_forwardOps.size() - done]);
        const std::size_t due = m_collectives.size() * done / m_forwardOps.size();
        while (reduced < due) allReduce(reduced++);
    }
    m_main.waitUntil(m_autograd.nowNs() + 22'000);
    closePython();
    closeAnnotation(opened);
}

void RankSimulator::backwardOp(const ForwardOp& done)
{
    const OpInfo& op = *done.op;
    const auto label = [&](HostSlice& slice) { slice.sequence = done.sequence; };
    label(m_autograd.open(HostKind::CpuOp,
                          m_trace.keep("autograd::engine::evaluate_function: " + std::string(op.backward))));
    m_autograd.advance(m_hostOpNs / 12);
    HostSlice& node = m_autograd.open(HostKind::CpuOp, op.backward);
    label(node);
    node.inputs = op.inputs;
    if (done.flowId != 0) {
        node.flow = FlowEnd::Finish;
        node.flowId = done.flowId;
    }
    m_autograd.advance(m_hostOpNs / 12);
    m_autograd.open(HostKind::CpuOp, op.innerBackward).inputs = op.inputs;
    m_autograd.advance(m_hostOpNs / 12);
    const HostSlice launch = makeCall(m_autograd, {"cudaLaunchKernel", 211});
    submit(DeviceKind::Kernel, HostThreadName::Autograd, launch, op.backwardKernel.name, done.runNs).shape =
        op.backwardKernel.shape;
    m_autograd.advance(m_hostOpNs / 6);
    m_autograd.close();
    m_autograd.close();
    release(done);
    m_autograd.close();
    m_autograd.advance(m_random.vary(m_hostOpNs / 4, 300));
}

void RankSimulator::allReduce(std::size_t index)
{
    const Collective* message = &m_collectives[index];
    m_autograd.open(HostKind::Annotation, "nccl:all_reduce");
    m_autograd.open(HostKind::CpuOp, "c10d::allreduce_").inputs = kBucketInputs;
    HostSlice& record = m_autograd.open(HostKind::CpuOp, "record_param_comms");
    record.inputs = kBucketInputs;
    record.collective = message;
    m_autograd.advance(m_random.between(9'000, 14'000));
    // The collective waits, on its own stream, for the gradients that the compute stream has been told to make so far.
    makeCall(m_autograd, {"cudaEventRecord", 135, HostKind::Runtime, FlowEnd::Finish});
    const HostSlice launch = makeCall(m_autograd, {"cudaLaunchKernelExC", 430});
    m_pending.push_back(static_cast<std::uint32_t>(m_trace.device.size()));
    DeviceSlice& run = m_trace.device.emplace_back();
    run.launchThread = HostThreadName::Autograd;
    run.stream = kNcclStream;
    run.launchNs = launch.startNs;
    run.startNs = std::max(launch.startNs + launch.durNs, m_computeFreeNs) + m_random.between(1'500, 3'500);
    run.name = allReduceKernel().name;
    run.shape = allReduceKernel().shape;
    run.externalId = launch.externalId;
    run.correlation = launch.correlation;
    run.collective = message;
    m_autograd.close();
    m_autograd.close();
    m_autograd.close();
    m_autograd.advance(4'000);
}

std::int64_t RankSimulator::collectiveStartNs(std::size_t index) const
{
    constexpr std::int64_t kGapNs = 900;
    return std::max(m_trace.device[m_pending[index]].startNs, m_ncclFreeNs + kGapNs);
}

void RankSimulator::endCollective(std::size_t index, std::int64_t endNs)
{
    DeviceSlice& run = m_trace.device[m_pending[index]];
    run.startNs = collectiveStartNs(index);
    run.durNs = endNs - run.startNs;
    m_ncclFreeNs = endNs;
}

void RankSimulator::finishStep()
{
    optimizerStep();
    readLoss();
    closePython();
    m_main.advance(m_random.between(40'000, 70'000));
    m_main.close();
    m_main.advance(m_random.between(9'000, 15'000)); // prof.step() itself
    mirrorAnnotations();
}

void RankSimulator::optimizerStep()
{
    const bool opened = annotate(1, "optimizer");
    const bool named = annotate(1, "Optimizer.step#AdamW.step");
    if (!m_pending.empty()) {
        const HostSlice event = makeCall(m_main, {"cudaEventRecord", 135, HostKind::Runtime, FlowEnd::Finish});
        const HostSlice wait = makeCall(m_main, {"cudaStreamWaitEvent", 147});
        syncRecord("Stream Wait Event", kComputeStream, wait, wait.startNs + 900, wait.startNs + 1'900);
        m_trace.device.back().waitCorrelation = event.correlation;
        m_computeFreeNs = std::max(m_computeFreeNs, m_ncclFreeNs);
    }
    const auto kernels = optimizerKernels();
    for (int done = 0; done < m_optimizerCount; ++done) {
        const KernelInfo& kernel = kernels[static_cast<std::size_t>(done) % kernels.size()];
        m_main.open(HostKind::CpuOp, done % 2 == 0 ? "aten::_fused_adamw_" : "aten::_foreach_norm").inputs =
            kGradientInputs;
        m_main.advance(m_hostOpNs / 8);
        const HostSlice launch = makeCall(m_main, {"cudaLaunchKernel", 211});
        submit(DeviceKind::Kernel, HostThreadName::Main, launch, kernel.name,
               runNs(kOptimizerShare, 1, m_optimizerCount))
            .shape = kernel.shape;
        m_main.advance(m_hostOpNs / 8);
        m_main.close();
    }
    closeAnnotation(named);
    closeAnnotation(opened);
}

void RankSimulator::readLoss()
{
    m_main.open(HostKind::CpuOp, "aten::item").inputs = kScalarInputs;
    m_main.open(HostKind::CpuOp, "aten::_local_scalar_dense").inputs = kScalarInputs;
    const HostSlice copy = makeCall(m_main, {"cudaMemcpyAsync", 41});
    DeviceSlice& run = submit(DeviceKind::Memcpy, HostThreadName::Main, copy, "Memcpy DtoH (Device -> Pinned)",
                              m_random.between(1'200, 1'900));
    run.bytes = 4;
    const std::int64_t doneNs = run.endNs();
    HostSlice& wait = m_main.open(HostKind::Runtime, "cudaStreamSynchronize");
    wait.cbid = 131;
    wait.flow = FlowEnd::Start;
    const std::int64_t waitFromNs = m_main.nowNs();
    m_main.waitUntil(doneNs + m_random.between(3'000, 6'000));
    const HostSlice ended = m_main.close();
    syncRecord("Stream Sync", kComputeStream, ended, waitFromNs, m_main.nowNs());
    m_main.close();
    m_main.close();
    synchronizeDevice(std::max(m_computeFreeNs, m_ncclFreeNs));
}

void RankSimulator::synchronizeDevice(std::int64_t untilNs)
{
    HostSlice& wait = m_main.open(HostKind::Runtime, "cudaDeviceSynchronize");
    wait.cbid = 165;
    wait.flow = FlowEnd::Start;
    const std::int64_t waitFromNs = m_main.nowNs();
    m_main.waitUntil(untilNs);
    m_main.advance(m_random.between(4'000, 8'000));
    const HostSlice ended = m_main.close();
    syncRecord("Context Sync", kNoStream, ended, waitFromNs, m_main.nowNs());
}

} // namespace stepscope
