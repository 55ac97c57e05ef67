// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace stepscope
{

/// A kernel and the JSON members of its launch configuration, as Kineto prints them.
struct KernelInfo {
    std::string_view name;
    std::string_view shape;
};

/// A differentiable operator: how it looks on the host, and what it runs forward and backward.
struct OpInfo {
    std::string_view outer;    ///< aten::linear
    std::string_view inner;    ///< aten::addmm; launches the kernel
    std::string_view backward; ///< autograd node
    std::string_view innerBackward;
    KernelInfo forwardKernel;
    KernelInfo backwardKernel;
    std::int64_t weight;       ///< relative device time
    std::string_view inputs;   ///< JSON members of record_shapes
    std::string_view module;   ///< python frame of the module
    std::string_view function; ///< python frame inside it
    bool viaDriver = false;    ///< launched by cuLaunchKernel, as Triton does
};

[[nodiscard]] std::span<const OpInfo> visionOps();
[[nodiscard]] std::span<const OpInfo> textOps();
[[nodiscard]] std::span<const OpInfo> lossOps();
[[nodiscard]] std::span<const KernelInfo> optimizerKernels();
[[nodiscard]] const KernelInfo& allReduceKernel();

} // namespace stepscope
