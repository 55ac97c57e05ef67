// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/SliceKind.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace stepscope
{

namespace
{

struct KindText {
    SliceKind kind;
    std::string_view key;
    std::string_view label;
};

constexpr std::array<KindText, kSliceKindCount> kTexts = {{
    {SliceKind::CpuOp, "cpu_op", "CPU op"},
    {SliceKind::Launch, "launch", "launch"},
    {SliceKind::Sync, "sync", "sync call"},
    {SliceKind::Runtime, "runtime", "runtime call"},
    {SliceKind::Python, "python", "Python frame"},
    {SliceKind::Annotation, "annotation", "annotation"},
    {SliceKind::DeviceAnnotation, "gpu_annotation", "device annotation"},
    {SliceKind::Kernel, "kernel", "kernel"},
    {SliceKind::CommunicationKernel, "kernel", "communication kernel"},
    {SliceKind::Memcpy, "memcpy", "memcpy"},
    {SliceKind::Memset, "memset", "memset"},
    {SliceKind::DeviceSync, "device_sync", "device sync"},
    {SliceKind::DeviceOther, "other", "device work"},
    {SliceKind::Overhead, "overhead", "profiler overhead"},
    {SliceKind::Other, "other", "other"},
}};

std::string lowered(std::string_view text)
{
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

/// The API name without vendor prefix: "cudaLaunchKernel" -> "launchkernel"; "" if it has none of the prefixes.
std::string_view withoutVendor(std::string_view lower)
{
    for (const std::string_view prefix : {"cuda", "hipext", "hiphcc", "hip", "cu", "ze", "ur", "mu"})
        if (lower.starts_with(prefix)) return lower.substr(prefix.size());
    return lower;
}

} // namespace

std::string_view kindKey(SliceKind kind) { return kTexts[static_cast<std::size_t>(kind)].key; }
std::string_view kindLabel(SliceKind kind) { return kTexts[static_cast<std::size_t>(kind)].label; }

SliceKind runtimeCallKind(std::string_view name)
{
    const std::string lower = lowered(name);
    const std::string_view call = withoutVendor(lower);
    for (const std::string_view prefix :
         {"devicesynchronize", "ctxsynchronize", "streamsynchronize", "eventsynchronize"})
        if (call.starts_with(prefix)) return SliceKind::Sync;
    for (const std::string_view prefix : {"launch", "modulelaunch", "graphlaunch", "memcpy", "memset",
                                          "memprefetchasync", "extlaunch", "extmodulelaunch", "commandlistappendlaunch",
                                          "commandlistappendmemory", "enqueuekernel", "enqueuemem", "enqueueusm"})
        if (call.starts_with(prefix)) return SliceKind::Launch;
    return SliceKind::Runtime;
}

bool isCommunicationKernelName(std::string_view name)
{
    const std::string lower = lowered(name);
    if (lower.starts_with("nccl")) return true;
    for (const std::string_view part :
         {"nccldevkernel", "ncclkernel", "ncclsym", "msccl", "rccl", "cross_device_reduce", "one_shot_all_reduce",
          "two_shot_all_reduce", "multimem_all_reduce", "nvshmem", "deep_ep::", "userbuffers"})
        if (lower.find(part) != std::string::npos) return true;
    return false;
}

} // namespace stepscope
