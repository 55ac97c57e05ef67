// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/nsys/Readers.h"

namespace stepscope::nsys
{

namespace
{

/// CUPTI_ACTIVITY_KIND_RUNTIME holds calls of both APIs; eventClass 1 are the driver's.
void readCudaCalls(Export& report)
{
    TableReader rows(report, "CUPTI_ACTIVITY_KIND_RUNTIME",
                     {"start", "end", "nameId", "globalTid", "correlationId", "eventClass"}, 3);
    const std::uint16_t runtime = report.builder.category(report.builder.strings().intern("cuda_runtime"));
    const std::uint16_t driver = report.builder.category(report.builder.strings().intern("cuda_driver"));
    RawSlice slice;
    slice.kind = SliceKind::Runtime;
    while (rows.next()) {
        const auto interval = rows.startAndDuration();
        if (!interval) continue;
        const GlobalId thread = rows.globalId(3);
        report.noteCaller(thread);
        slice.startNs = interval->first;
        slice.durNs = interval->second;
        slice.name = report.apiName(rows.integer(2));
        slice.source = rows.source();
        slice.category = rows.integer(5) == 1 ? driver : runtime;
        slice.correlation = report.correlation(thread.process(), rows.integer(4));
        report.builder.addSlice(report.threadLane(thread), slice);
    }
}

struct CallTable {
    std::string_view table;
    std::string_view nameColumn;
    std::string_view category;
    SliceKind kind;
};

/// Calls of other libraries, told apart by table only.
constexpr CallTable kCallTables[] = {
    {"OSRT_API", "nameId", "osrt", SliceKind::Other},
    {"CUDNN_EVENTS", "nameId", "cudnn", SliceKind::CpuOp},
    {"CUBLAS_EVENTS", "nameId", "cublas", SliceKind::CpuOp},
    {"MPI_P2P_EVENTS", "textId", "mpi", SliceKind::CpuOp},
    {"MPI_COLLECTIVES_EVENTS", "textId", "mpi", SliceKind::CpuOp},
    {"MPI_START_WAIT_EVENTS", "textId", "mpi", SliceKind::CpuOp},
    {"MPI_OTHER_EVENTS", "textId", "mpi", SliceKind::CpuOp},
    {"PROFILER_OVERHEAD", "nameId", "overhead", SliceKind::Overhead},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", "nameId", "overhead", SliceKind::Overhead},
};

void readLibraryCalls(Export& report, const CallTable& calls)
{
    TableReader rows(report, calls.table, {"start", "end", calls.nameColumn, "globalTid"}, 2);
    RawSlice slice;
    slice.kind = calls.kind;
    slice.category = report.builder.category(report.builder.strings().intern(calls.category));
    const StringId nameless = report.builder.strings().intern(calls.category);
    while (rows.next()) {
        const auto interval = rows.startAndDuration();
        if (!interval) continue;
        slice.startNs = interval->first;
        slice.durNs = interval->second;
        slice.name = rows.isNull(2) ? nameless : report.string(rows.integer(2));
        slice.source = rows.source();
        report.builder.addSlice(report.threadLane(rows.globalId(3)), slice);
    }
}

} // namespace

void readCalls(Export& report)
{
    readCudaCalls(report);
    for (const CallTable& calls : kCallTables) readLibraryCalls(report, calls);
}

} // namespace stepscope::nsys
