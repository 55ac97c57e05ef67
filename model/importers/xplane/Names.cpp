// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/Names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace stepscope::xplane
{

namespace
{

constexpr std::string_view kDevice = "/device:";

template<std::size_t Count>
bool startsWithAny(std::string_view text, const std::array<std::string_view, Count>& beginnings)
{
    return std::any_of(beginnings.begin(), beginnings.end(), [&](auto part) { return text.starts_with(part); });
}

template<std::size_t Count>
bool isOneOf(std::string_view text, const std::array<std::string_view, Count>& names)
{
    return std::find(names.begin(), names.end(), text) != names.end();
}

std::string lowered(std::string_view text)
{
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

/// "/device:TPU:0 SparseCore 1": the sort up to the second colon, then a number and what more there is.
PlanePlace placeOfDevice(std::string_view text)
{
    PlanePlace place;
    const std::size_t colon = text.find(':');
    const std::string_view sort = text.substr(0, colon);
    const std::string_view rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    const bool numbered = error == std::errc() && number >= 0;
    place.device = std::string(sort) + (numbered ? "-" : " ") + std::string(rest);
    place.role = sort == "GPU" ? PlaneRole::Gpu : sort == "TPU" ? PlaneRole::Tpu : PlaneRole::OtherDevice;
    if (numbered && end == rest.data() + rest.size() && place.role != PlaneRole::OtherDevice) place.ordinal = number;
    return place;
}

/// Derived lines may say which stream they were derived from.
std::string_view withoutOrigin(std::string_view name) { return name.substr(0, name.find(" - from #")); }

/// XProf numbers the lines that it derives from this on; older files hold the number as 32 bits with a sign.
bool isDerivedId(std::int64_t id)
{
    constexpr std::int64_t kFirstDerived = 0xdeadbeef;
    const std::int64_t plain = id < 0 ? id + (std::int64_t{1} << 32) : id;
    return plain >= kFirstDerived && plain < kFirstDerived + 64;
}

constexpr std::array<std::string_view, 14> kDerivedLines = {
    "XLA Modules",    "Sparse Core Modules", "Framework Name Scope", "Framework Ops",        "TensorFlow Name Scope",
    "TensorFlow Ops", "Launch Stats",        "Source code",          "Source Code",          "XLA TraceMe",
    "Overlay",        "XLA Overhead",        "Kernel Launch",        "Tensor Core Sync Flag"};

LineRole roleOfGpuLine(std::string_view name, std::int64_t id, bool hasStreams)
{
    if (name.starts_with("Stream")) return LineRole::Operations;
    if (isDerivedId(id) || isOneOf(name, kDerivedLines)) return LineRole::Derived;
    return hasStreams ? LineRole::Derived : LineRole::Operations;
}

LineRole roleOfTpuLine(std::string_view name)
{
    if (name == "XLA Ops" || name == "Sparse Core Ops" || name.starts_with("Stream")) return LineRole::Operations;
    if (name == "Async XLA Ops" || name == "Host Offload Ops") return LineRole::AsyncOperations;
    return LineRole::Derived;
}

/// "cudaLaunchKernel", "cuLaunchKernel", "hipMemcpyAsync": a vendor's prefix and a capital letter.
bool isApiCall(std::string_view name)
{
    for (const std::string_view prefix : {"cuda", "cu", "hip", "hsa_", "ze", "nccl"}) {
        if (!name.starts_with(prefix) || name.size() <= prefix.size()) continue;
        const auto next = static_cast<unsigned char>(name[prefix.size()]);
        if (std::isupper(next) || prefix.back() == '_') return true;
    }
    return false;
}

/// "model/dense/MatMul:MatMul": TensorFlow's executor writes an operator's name and its type.
bool isTypedOperator(std::string_view name)
{
    const std::size_t colon = name.rfind(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == name.size()) return false;
    const std::string_view type = name.substr(colon + 1);
    return name.find(' ') == std::string_view::npos &&
           std::all_of(type.begin(), type.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; }) &&
           (std::isupper(static_cast<unsigned char>(type.front())) || type.front() == '_');
}

/// A thread of the runtime's own, where no user's code runs.
bool isRuntimeThread(std::string_view lineName)
{
    constexpr std::array<std::string_view, 8> kPools = {"tf_",     "tfrt",     "pjrt", "py_xla_execute",
                                                        "EventFD", "switchto", "tsl_", "xla_"};
    return startsWithAny(lineName, kPools);
}

struct NamedStat {
    std::string_view name;
    StatRole role;
};

constexpr std::array<NamedStat, 36> kStats = {{
    {"correlation_id", StatRole::Correlation},
    {"group_id", StatRole::GroupId},
    {"step_num", StatRole::StepNumber},
    {"iter_num", StatRole::IterationNumber},
    {"_r", StatRole::Root},
    {"_pt", StatRole::ProducerType},
    {"_p", StatRole::ProducerId},
    {"_ct", StatRole::ConsumerType},
    {"_c", StatRole::ConsumerId},
    {"_pid", StatRole::ContextScope},
    {"flow", StatRole::Flow},
    {"kernel_details", StatRole::KernelDetails},
    {"memcpy_details", StatRole::MemcpyDetails},
    {"memset_details", StatRole::MemsetDetails},
    {"tf_op", StatRole::Operation},
    {"hlo_op", StatRole::Operation},
    {"hlo_module", StatRole::Operation},
    {"kernel_name", StatRole::Operation},
    {"long_name", StatRole::Operation},
    {"is_eager", StatRole::Operation},
    {"program_id", StatRole::Operation},
    {"run_id", StatRole::Operation},
    {"num_output_edges", StatRole::Operation},
    {"index_on_host", StatRole::AllocatorDevice},
    {"device_ordinal", StatRole::None},
    {"allocator_name", StatRole::AllocatorName},
    {"bytes_allocated", StatRole::BytesAllocated},
    {"bytes_reserved", StatRole::BytesReserved},
    {"bytes_available", StatRole::BytesAvailable},
    {"counter_value", StatRole::CounterValue},
    {"Scaled Value", StatRole::CounterValue},
    {"Raw Value", StatRole::CounterValue},
    {"dropped_traces", StatRole::DroppedTraces},
    {"step_name", StatRole::StepName},
    {"MemcpyDetails", StatRole::MemcpyDetails},
    {"MemsetDetails", StatRole::MemsetDetails},
}};

constexpr std::array<std::string_view, 17> kContexts = {"generic",
                                                        "legacy",
                                                        "TF executor",
                                                        "TFRT executor",
                                                        "batch scheduler",
                                                        "PjRt",
                                                        "adaptive scheduler",
                                                        "TFRT TPU runtime",
                                                        "TPU embedding",
                                                        "GPU launch",
                                                        "batcher",
                                                        "TPU stream",
                                                        "TPU launch",
                                                        "Pathways",
                                                        "PjRt library call",
                                                        "thread pool",
                                                        "JAX serving"};

} // namespace

PlanePlace placeOfPlane(std::string_view name)
{
    if (name.starts_with(kDevice)) return placeOfDevice(name.substr(kDevice.size()));
    if (name == "/host:metadata") return {PlaneRole::HloModules, {}, {}};
    if (name == "Task Environment") return {PlaneRole::Environment, {}, {}};
    if (name.starts_with("/host:")) return {PlaneRole::Host, {}, {}};
    return {};
}

bool isKnownPlaneName(std::string_view name)
{
    constexpr std::array<std::string_view, 7> kBeginnings = {"/device:",         "/host:",   "/virtualdevice:", "#Chip",
                                                             "Task Environment", "Host CPU", "Syscalls"};
    return startsWithAny(name, kBeginnings);
}

LineRole roleOfLine(PlaneRole plane, std::string_view name, std::int64_t id, bool hasStreams)
{
    name = withoutOrigin(name);
    if (plane == PlaneRole::Host) return LineRole::Thread;
    if (name == "_counters_") return LineRole::Counters;
    if (plane == PlaneRole::Generic) return LineRole::Generic;
    if (name == "Steps" || name == "Sparse Core Steps") return LineRole::Steps;
    if (plane == PlaneRole::Gpu) return roleOfGpuLine(name, id, hasStreams);
    if (plane == PlaneRole::Tpu) return roleOfTpuLine(name);
    return LineRole::DeviceWork;
}

std::string_view streamKey(std::string_view lineName)
{
    constexpr std::string_view kStream = "Stream #";
    if (!lineName.starts_with(kStream)) return lineName;
    const std::string_view number = lineName.substr(kStream.size());
    const std::size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
    return digits == 0 ? lineName : number.substr(0, digits);
}

SliceKind kindOfStream(std::string_view lineName)
{
    const std::size_t open = lineName.find('(');
    if (open == std::string_view::npos || !lineName.ends_with(')')) return SliceKind::Kernel;
    std::string_view kinds = lineName.substr(open + 1, lineName.size() - open - 2);
    SliceKind result = SliceKind::Kernel;
    while (!kinds.empty()) {
        const std::size_t comma = std::min(kinds.find(','), kinds.size());
        result = kindOfDeviceName(kinds.substr(0, comma));
        if (result == SliceKind::Kernel) return result;
        kinds.remove_prefix(std::min(comma + 1, kinds.size()));
    }
    return result;
}

SliceKind kindOfDeviceName(std::string_view name)
{
    const std::string lower = lowered(name);
    constexpr std::array<std::string_view, 5> kCopies = {"memcpy", "copydeviceto", "copyhostto", "__amd_rocclr_copy",
                                                         "copypeer"};
    constexpr std::array<std::string_view, 2> kSets = {"memset", "__amd_rocclr_fill"};
    if (startsWithAny(std::string_view(lower), kCopies)) return SliceKind::Memcpy;
    if (startsWithAny(std::string_view(lower), kSets)) return SliceKind::Memset;
    return SliceKind::Kernel;
}

bool isCollectiveOperation(std::string_view name)
{
    if (name.starts_with('%')) name.remove_prefix(1);
    constexpr std::array<std::string_view, 7> kCollectives = {
        "all-reduce",        "all-gather",         "reduce-scatter",      "all-to-all",
        "ragged-all-to-all", "collective-permute", "collective-broadcast"};
    return startsWithAny(name, kCollectives);
}

SliceKind kindOfHostName(std::string_view name)
{
    if (name.starts_with('$')) return SliceKind::Python;
    if (isApiCall(name)) return SliceKind::Runtime;
    constexpr std::array<std::string_view, 6> kFramework = {"PjitFunction(",      "PJRT_",        "Executor",
                                                            "MemoryDeallocation", "RemoteCallOp", "MemoryAllocation"};
    if (startsWithAny(name, kFramework)) return SliceKind::CpuOp;
    if (name.find("::") != std::string_view::npos || isTypedOperator(name)) return SliceKind::CpuOp;
    return SliceKind::Annotation;
}

SliceKind kindOfThread(std::string_view lineName)
{
    if (lineName.find("overhead") != std::string_view::npos) return SliceKind::Overhead;
    return isRuntimeThread(lineName) ? SliceKind::CpuOp : SliceKind::Annotation;
}

StatRole roleOfStat(std::string_view name)
{
    const auto known =
        std::find_if(kStats.begin(), kStats.end(), [&](const NamedStat& stat) { return stat.name == name; });
    return known == kStats.end() ? StatRole::None : known->role;
}

std::string contextName(std::uint64_t type)
{
    return type < kContexts.size() ? std::string(kContexts[type]) : "context " + std::to_string(type);
}

} // namespace stepscope::xplane
