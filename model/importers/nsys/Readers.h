// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/nsys/Export.h"

/// What reads which tables. Each function reads all rows of its tables into the builder; missing tables are normal.
namespace stepscope::nsys
{

/// Runtime and driver calls, OS runtime, cuDNN, cuBLAS, MPI, profiler overhead: slices on threads.
void readCalls(Export& report);
/// Kernels, copies, sets, whole graphs and synchronisations: slices on streams.
void readRuns(Export& report);
/// NVTX ranges and marks: annotations.
void readNvtx(Export& report);
/// GPU metrics, CPU counters and samples, scheduling, network cards, device memory: counters.
void readCounters(Export& report);

/// Names of processes, threads, hosts and GPUs; to be read first.
void readNames(Export& report);
/// What the file says about itself and its machine. Times must have been read. Never the environments of processes.
[[nodiscard]] FileFacts readFacts(Export& report, const std::string& path);
/// What the profiler noted while it recorded, and the tables that are not shown or not there.
void readNotices(Export& report);

/// One value of a set that the file names itself (ENUM_...), or else we do.
struct EnumName {
    std::int64_t value = 0;
    std::string_view label;
};

} // namespace stepscope::nsys
