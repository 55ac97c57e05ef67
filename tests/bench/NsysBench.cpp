// SPDX-License-Identifier: GPL-3.0-or-later
// Opening an export of Nsight Systems beside a bare pass over the same columns of the same tables, both told by the CPU
// time of all threads, so that they compare on one core.
#include "bench/BenchFiles.h"
#include "importers/OpenProfile.h"

#include <benchmark/benchmark.h>
#include <filesystem>
#include <sqlite3.h>

namespace stepscope
{

namespace
{

/// What the importer asks of the tables that a generated job has; texts are touched, numbers added up.
constexpr const char* kBareQueries[] = {
    "SELECT rowid, start, end, nameId, globalTid, correlationId, eventClass FROM CUPTI_ACTIVITY_KIND_RUNTIME",
    "SELECT rowid, start, end, deviceId, streamId, contextId, correlationId, globalPid, "
    "coalesce(demangledName, shortName, mangledName) FROM CUPTI_ACTIVITY_KIND_KERNEL",
    "SELECT rowid, start, end, deviceId, streamId, contextId, correlationId, globalPid, copyKind, srcKind, dstKind "
    "FROM CUPTI_ACTIVITY_KIND_MEMCPY",
    "SELECT rowid, start, end, deviceId, streamId, contextId, correlationId, globalPid, memKind "
    "FROM CUPTI_ACTIVITY_KIND_MEMSET",
    "SELECT rowid, start, end, deviceId, streamId, contextId, correlationId, globalPid, syncType, NULL "
    "FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "SELECT rowid, start, end, eventType, text, textId, globalTid, domainId, rangeId, jsonText, jsonTextId "
    "FROM NVTX_EVENTS",
};

struct BareResult {
    std::uint64_t rows = 0;
    std::uint64_t sum = 0;
};

BareResult bareSelect(const std::string& path)
{
    BareResult result;
    sqlite3* database = nullptr;
    sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    for (const char* query : kBareQueries) {
        sqlite3_stmt* rows = nullptr;
        if (sqlite3_prepare_v2(database, query, -1, &rows, nullptr) != SQLITE_OK) continue;
        const int columns = sqlite3_column_count(rows);
        int textColumn = 0;
        while (textColumn < columns && sqlite3_column_name(rows, textColumn) != std::string("text")) ++textColumn;
        while (sqlite3_step(rows) == SQLITE_ROW) {
            ++result.rows;
            for (int column = 0; column < columns; ++column) {
                if (column == textColumn) {
                    benchmark::DoNotOptimize(sqlite3_column_text(rows, column));
                    result.sum += static_cast<std::uint64_t>(sqlite3_column_bytes(rows, column));
                } else {
                    result.sum += static_cast<std::uint64_t>(sqlite3_column_int64(rows, column));
                }
            }
        }
        sqlite3_finalize(rows);
    }
    sqlite3_close(database);
    return result;
}

void bareNsys(benchmark::State& state)
{
    const std::string path = generatedNsysFile();
    BareResult result;
    for (auto _ : state) {
        result = bareSelect(path);
        benchmark::DoNotOptimize(result.sum);
    }
    state.counters["rows/s"] =
        benchmark::Counter(static_cast<double>(result.rows), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(bareNsys)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->MinTime(2);

void openNsys(benchmark::State& state)
{
    const std::string path = generatedNsysFile();
    std::size_t slices = 0;
    std::size_t indexBytes = 0;
    for (auto _ : state) {
        LoadProgress progress;
        auto opened = openProfile(path, progress);
        if (!opened.ok()) return state.SkipWithError("cannot open the generated export");
        slices = opened.value()->slices.size();
        indexBytes = opened.value()->indexBytes();
        state.PauseTiming(); // closing is not opening
        opened = Error{};
        state.ResumeTiming();
    }
    state.counters["rows/s"] =
        benchmark::Counter(static_cast<double>(slices), benchmark::Counter::kIsIterationInvariantRate);
    state.counters["slices"] = static_cast<double>(slices);
    state.counters["bytes_per_slice"] = static_cast<double>(indexBytes) / static_cast<double>(slices);
}
BENCHMARK(openNsys)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->MinTime(2);

} // namespace

} // namespace stepscope
