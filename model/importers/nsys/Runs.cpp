// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/nsys/Readers.h"

#include <array>
#include <map>

namespace stepscope::nsys
{

namespace
{

/// Values of copyKind, by the label of ENUM_CUDA_MEMCPY_OPER and by number, with the short names that CUPTI's own
/// traces use.
struct CopyKind {
    std::int64_t value;
    std::string_view label;
    std::string_view shortName;
};
constexpr auto kCopyKinds = std::to_array<CopyKind>({
    {0, "Unknown", "unknown"},
    {1, "Host-to-Device", "HtoD"},
    {2, "Device-to-Host", "DtoH"},
    {3, "Host-to-Array", "HtoA"},
    {4, "Array-to-Host", "AtoH"},
    {5, "Array-to-Array", "AtoA"},
    {6, "Array-to-Device", "AtoD"},
    {7, "Device-to-Array", "DtoA"},
    {8, "Device-to-Device", "DtoD"},
    {9, "Host-to-Host", "HtoH"},
    {10, "Peer-to-Peer", "PtoP"},
    {11, "Unified Host-to-Device", "unified HtoD"},
    {12, "Unified Device-to-Host", "unified DtoH"},
    {13, "Unified Device-to-Device", "unified DtoD"},
});
constexpr auto kMemoryKinds = std::to_array<EnumName>({
    {0, "Pageable"},
    {1, "Pinned"},
    {2, "Device"},
    {3, "Array"},
    {4, "Managed"},
    {5, "Device Static"},
    {6, "Managed Static"},
    {7, "Unknown"},
});
constexpr auto kSyncTypes = std::to_array<EnumName>({
    {1, "Event Sync"},
    {2, "Stream Wait Event"},
    {3, "Stream Sync"},
    {4, "Context Sync"},
});

/// The labels that the file itself gives to the values of a set; ours where it gives none.
template<class Labels>
std::map<std::int64_t, std::string> labelsOf(Export& report, std::string_view table, const Labels& known)
{
    std::map<std::int64_t, std::string> labels;
    for (const auto& entry : known) labels.emplace(entry.value, entry.label);
    TableReader rows(report, table, {"id", "label"}, 2);
    while (rows.next())
        if (!rows.text(1).empty()) labels[rows.integer(0)] = rows.text(1);
    return labels;
}

std::string labelOf(const std::map<std::int64_t, std::string>& labels, std::int64_t value)
{
    const auto label = labels.find(value);
    return label == labels.end() ? "kind " + std::to_string(value) : label->second;
}

/// The columns that all tables of device work have, in the order in which they are asked for.
#define STEPSCOPE_RUN_COLUMNS "start", "end", "deviceId", "streamId", "contextId", "correlationId", "globalPid"
constexpr int kFirstOwnColumn = 7;

/// Adds the row as a slice of a stream. False if its times are no times.
bool addRun(Export& report, TableReader& rows, RawSlice& slice, TrackKind lane)
{
    const auto interval = rows.startAndDuration();
    if (!interval) return false;
    slice.startNs = interval->first;
    slice.durNs = interval->second;
    slice.source = rows.source();
    const GlobalId process = rows.globalId(6).process();
    // Ids are the process's own: without a process they name no launch.
    const bool told = process.value != 0 || !rows.isNull(6);
    slice.correlation = told ? report.correlation(process, rows.integer(5)) : std::nullopt;
    report.builder.addSlice(report.streamLane(process, rows.integer(2), rows.integer(4), rows.integer(3), lane), slice);
    return true;
}

RawSlice sliceOf(Export& report, SliceKind kind, std::string_view category)
{
    RawSlice slice;
    slice.kind = kind;
    slice.category = report.builder.category(report.builder.strings().intern(category));
    return slice;
}

void readKernels(Export& report)
{
    TableReader rows(report, "CUPTI_ACTIVITY_KIND_KERNEL",
                     {STEPSCOPE_RUN_COLUMNS, "demangledName|shortName|mangledName"}, 3);
    RawSlice slice = sliceOf(report, SliceKind::Kernel, "kernel");
    const StringId nameless = report.builder.strings().intern("kernel");
    while (rows.next()) {
        const std::int64_t id = rows.integer(kFirstOwnColumn);
        slice.name = id == 0 && rows.isNull(kFirstOwnColumn) ? nameless : report.string(id);
        addRun(report, rows, slice, TrackKind::Stream);
    }
}

/// "Memcpy HtoD (Pageable -> Device)", as CUPTI's other traces call it.
void readCopies(Export& report)
{
    TableReader rows(report, "CUPTI_ACTIVITY_KIND_MEMCPY", {STEPSCOPE_RUN_COLUMNS, "copyKind", "srcKind", "dstKind"},
                     3);
    RawSlice slice = sliceOf(report, SliceKind::Memcpy, "gpu_memcpy");
    const auto directions = labelsOf(report, "ENUM_CUDA_MEMCPY_OPER", kCopyKinds);
    const auto memories = labelsOf(report, "ENUM_CUDA_MEM_KIND", kMemoryKinds);
    std::map<std::array<std::int64_t, 3>, StringId> names;
    while (rows.next()) {
        const bool told = !rows.isNull(8) && !rows.isNull(9);
        const std::array<std::int64_t, 3> key = {rows.integer(7), told ? rows.integer(8) : -1, rows.integer(9)};
        StringId& name = names[key];
        if (!name.valid()) {
            std::string text = labelOf(directions, key[0]);
            for (const CopyKind& kind : kCopyKinds)
                if (kind.label == text) text = kind.shortName;
            text = "Memcpy " + text;
            if (told) text += " (" + labelOf(memories, key[1]) + " -> " + labelOf(memories, key[2]) + ")";
            name = report.intern(text);
        }
        slice.name = name;
        addRun(report, rows, slice, TrackKind::Stream);
    }
}

void readSets(Export& report)
{
    TableReader rows(report, "CUPTI_ACTIVITY_KIND_MEMSET", {STEPSCOPE_RUN_COLUMNS, "memKind"}, 3);
    RawSlice slice = sliceOf(report, SliceKind::Memset, "gpu_memset");
    const auto memories = labelsOf(report, "ENUM_CUDA_MEM_KIND", kMemoryKinds);
    while (rows.next()) {
        slice.name = rows.isNull(7) ? report.builder.strings().intern("Memset")
                                    : report.intern("Memset (" + labelOf(memories, rows.integer(7)) + ")");
        addRun(report, rows, slice, TrackKind::Stream);
    }
}

/// With graph tracing on the level of graphs, a launch has one run: the whole graph. It counts as a kernel, since it
/// is what keeps the device busy.
void readGraphs(Export& report)
{
    TableReader rows(report, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", {STEPSCOPE_RUN_COLUMNS, "graphId"}, 3);
    RawSlice slice = sliceOf(report, SliceKind::Kernel, "graph");
    while (rows.next()) {
        slice.name = report.intern(rows.isNull(7) ? "CUDA graph" : "CUDA graph " + std::to_string(rows.integer(7)));
        addRun(report, rows, slice, TrackKind::Stream);
    }
}

void readSyncs(Export& report)
{
    TableReader rows(report, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                     {STEPSCOPE_RUN_COLUMNS, "syncType", "deprecatedSyncType"}, 3);
    RawSlice slice = sliceOf(report, SliceKind::DeviceSync, "cuda_sync");
    std::map<std::int64_t, std::string> labels;
    for (const EnumName& entry : kSyncTypes) labels.emplace(entry.value, entry.label);
    while (rows.next()) {
        const std::int64_t type = rows.isNull(7) ? rows.integer(8) : rows.integer(7);
        slice.name = report.intern(labels.contains(type) ? labels[type] : "Sync " + std::to_string(type));
        addRun(report, rows, slice, TrackKind::StreamSync);
    }
}

} // namespace

void readRuns(Export& report)
{
    readKernels(report);
    readCopies(report);
    readSets(report);
    readGraphs(report);
    readSyncs(report);
}

} // namespace stepscope::nsys
