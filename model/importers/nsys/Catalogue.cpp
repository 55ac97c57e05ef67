// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/nsys/Catalogue.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace stepscope::nsys
{

namespace
{

/// Tables whose rows become slices, marks or samples.
constexpr auto kEventTables = std::to_array<std::string_view>({
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUPTI_ACTIVITY_KIND_OVERHEAD",
    "CUDA_GPU_MEMORY_USAGE_EVENTS",
    "CUDNN_EVENTS",
    "CUBLAS_EVENTS",
    "NVTX_EVENTS",
    "OSRT_API",
    "PROFILER_OVERHEAD",
    "MPI_P2P_EVENTS",
    "MPI_COLLECTIVES_EVENTS",
    "MPI_START_WAIT_EVENTS",
    "MPI_OTHER_EVENTS",
    "SCHED_EVENTS",
    "COMPOSITE_EVENTS",
    "GPU_METRICS",
    "GENERIC_EVENTS",
    "NET_NIC_METRIC",
    "PERF_EVENT_SOC_OR_CPU_RAW_EVENT",
    "PERF_EVENT_SOC_OR_CPU_METRIC_EVENT",
});

/// Tables that explain the others. Some are read on demand only; ProcessStreams and ANALYSIS_FILE hold what the
/// program printed and the profiler's own files, which may have secrets in them and are never read.
constexpr auto kOtherKnownTables = std::to_array<std::string_view>({
    "StringIds",
    "META_DATA_EXPORT",
    "META_DATA_CAPTURE",
    "EXPORT_META_DATA",
    "ANALYSIS_FILE",
    "ANALYSIS_DETAILS",
    "ProcessStreams",
    "PROCESSES",
    "ThreadNames",
    "MPI_RANKS",
    "DIAGNOSTIC_EVENT",
    "TARGET_INFO_SYSTEM_ENV",
    "TARGET_INFO_SESSION_START_TIME",
    "TARGET_INFO_GPU",
    "TARGET_INFO_CUDA_DEVICE",
    "TARGET_INFO_CUDA_CONTEXT_INFO",
    "TARGET_INFO_CUDA_NULL_STREAM",
    "TARGET_INFO_CUDA_STREAM",
    "TARGET_INFO_NVTX_CUDA_DEVICE",
    "TARGET_INFO_NVTX_CUDA_CONTEXT",
    "TARGET_INFO_NVTX_CUDA_STREAM",
    "TARGET_INFO_GPU_METRICS",
    "TARGET_INFO_PERF_METRIC",
    "TARGET_INFO_COMPONENT",
    "TARGET_INFO_NETWORK_METRICS",
    "TARGET_INFO_NIC_INFO",
    "NIC_ID_MAP",
    "GENERIC_EVENT_TYPES",
    "OSRT_CALLCHAINS",
    "CUDA_CALLCHAINS",
    "NVTX_PAYLOAD_SCHEMAS",
    "NVTX_PAYLOAD_SCHEMA_ENTRIES",
    "NVTX_PAYLOAD_ENUMS",
    "NVTX_PAYLOAD_ENUM_ENTRIES",
    "NVTX_SCOPES",
});

template<class Names>
bool contains(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// "NVTX_EVENTS_V10" is version 10 of "NVTX_EVENTS"; a plain name is version 0.
std::pair<std::string_view, std::uint32_t> splitVersion(std::string_view name)
{
    const std::size_t mark = name.rfind("_V");
    if (mark == std::string_view::npos || mark + 2 == name.size()) return {name, 0};
    std::uint32_t version = 0;
    const auto [end, error] = std::from_chars(name.data() + mark + 2, name.data() + name.size(), version);
    if (error != std::errc() || end != name.data() + name.size()) return {name, 0};
    return {name.substr(0, mark), version};
}

} // namespace

Catalogue::Catalogue(std::vector<SqliteTable> tables) : m_tables(std::move(tables))
{
    for (std::size_t index = 0; index < m_tables.size(); ++index) {
        const auto [name, version] = splitVersion(m_tables[index].name);
        const auto [place, added] = m_newest.try_emplace(std::string(name), index);
        if (!added && splitVersion(m_tables[place->second].name).second < version) place->second = index;
    }
}

const SqliteTable* Catalogue::find(std::string_view name) const
{
    const auto place = m_newest.find(name);
    return place == m_newest.end() ? nullptr : &m_tables[place->second];
}

std::size_t Catalogue::indexOf(const SqliteTable& table) const
{
    return static_cast<std::size_t>(&table - m_tables.data());
}

std::vector<const SqliteTable*> Catalogue::unusedTables() const
{
    std::vector<const SqliteTable*> unused;
    for (const SqliteTable& table : m_tables) {
        const std::string_view name = splitVersion(table.name).first;
        const bool known =
            contains(kEventTables, name) || contains(kOtherKnownTables, name) || table.name.starts_with("ENUM_");
        if (!known || find(name) != &table) unused.push_back(&table);
    }
    return unused;
}

bool Catalogue::isExport() const
{
    const bool cupti = std::any_of(m_tables.begin(), m_tables.end(), [](const SqliteTable& table) {
        return table.name.starts_with("CUPTI_ACTIVITY_KIND_");
    });
    if (cupti) return true;
    if (!has("StringIds")) return false;
    return has("META_DATA_EXPORT") || has("TARGET_INFO_SYSTEM_ENV") ||
           std::any_of(kEventTables.begin(), kEventTables.end(), [this](std::string_view name) { return has(name); });
}

} // namespace stepscope::nsys
