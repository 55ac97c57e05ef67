// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stepscope
{

/// What a slice is. Communication kernels are kernels too: isKernel() is true for both.
enum class SliceKind : std::uint8_t {
    CpuOp,
    Launch,
    Sync,
    Runtime,
    Python,
    Annotation,
    DeviceAnnotation,
    Kernel,
    CommunicationKernel,
    Memcpy,
    Memset,
    DeviceSync,
    DeviceOther, ///< work on a device whose nature the format does not tell (MTIA commands)
    Overhead,
    Other,
};
inline constexpr std::size_t kSliceKindCount = static_cast<std::size_t>(SliceKind::Other) + 1;

[[nodiscard]] constexpr bool isKernel(SliceKind kind)
{
    return kind == SliceKind::Kernel || kind == SliceKind::CommunicationKernel;
}
/// Kernel, memcpy or memset: what a launch submits, and what makes a device busy.
[[nodiscard]] constexpr bool isRun(SliceKind kind)
{
    return isKernel(kind) || kind == SliceKind::Memcpy || kind == SliceKind::Memset;
}
[[nodiscard]] constexpr bool isRuntimeCall(SliceKind kind)
{
    return kind == SliceKind::Launch || kind == SliceKind::Sync || kind == SliceKind::Runtime;
}

/// The key under `slices.by_kind` of `info --json`.
[[nodiscard]] std::string_view kindKey(SliceKind kind);
/// The kind for people: "communication kernel".
[[nodiscard]] std::string_view kindLabel(SliceKind kind);

/// Kinds that may begin a link or block the host, told from the API's name (CUDA, HIP, Level Zero; any case of
/// `_v7000`, `_ptsz`, `_ptds` endings). Source: the lists of NVIDIA's and AMD's runtime APIs.
[[nodiscard]] SliceKind runtimeCallKind(std::string_view name);

/// True for the kernels of NCCL, RCCL, MSCCL, NVSHMEM and the usual custom all-reduces.
[[nodiscard]] bool isCommunicationKernelName(std::string_view name);

} // namespace stepscope
