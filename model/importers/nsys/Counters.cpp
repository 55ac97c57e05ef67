// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/nsys/Readers.h"

#include "core/Utf8.h"
#include "io/JsonText.h"

#include <charconv>
#include <map>

namespace stepscope::nsys
{

namespace
{

constexpr std::int64_t kGpuOfType = 0xff; ///< the low byte of a GPU metric's typeId is the GPU

std::string deviceKey(std::int64_t gpu) { return std::string(kDevicePidPrefix) + std::to_string(gpu); }
std::string cpuKey(std::int64_t cpu) { return "CPU " + std::to_string(cpu); }

/// "SMs Active [Throughput %]" is the counter "SMs Active" in "%"; other brackets ("[MHz]", "[W]") are the unit.
std::pair<std::string, std::string> nameAndUnit(std::string_view text)
{
    const std::size_t open = text.rfind(" [");
    if (open == std::string_view::npos || !text.ends_with(']')) return {withReplacedBytes(text), {}};
    std::string unit = withReplacedBytes(text.substr(open + 2, text.size() - open - 3));
    if (unit.ends_with('%')) unit = "%";
    return {withReplacedBytes(text.substr(0, open)), unit};
}

/// The counters of a table in which each row is a sample of one of them, made on first use.
template<class Key>
class CounterSet
{
public:
    explicit CounterSet(Export& report) : m_report(report) {}

    template<class Describe>
    void add(const Key& key, std::int64_t ns, double value, Describe&& describe)
    {
        if (key != m_lastKey || m_last == kNone) {
            const auto [place, added] = m_counters.try_emplace(key, kNone);
            if (added) place->second = describe();
            m_lastKey = key;
            m_last = place->second;
        }
        m_report.sawTime(ns);
        m_report.builder.addSample(m_last, ns, value);
    }
    std::uint32_t make(const std::string& owner, const std::string& name, const std::string& unit)
    {
        const std::uint32_t counter = m_report.builder.counter(m_report.file, owner, name, "");
        m_report.builder.setCounterUnit(counter, unit);
        return counter;
    }

private:
    Export& m_report;
    std::map<Key, std::uint32_t> m_counters;
    Key m_lastKey{};
    std::uint32_t m_last = kNone;
};

using Pair = std::pair<std::int64_t, std::int64_t>;

/// Names by two ids, from a table of names.
std::map<Pair, std::string> namesOf(Export& report, std::string_view table, std::string_view first,
                                    std::string_view second, std::string_view name)
{
    std::map<Pair, std::string> names;
    TableReader rows(report, table, {first, second, name}, 3);
    while (rows.next()) names.emplace(Pair(rows.integer(0), rows.integer(1)), rows.text(2));
    return names;
}

void readGpuMetrics(Export& report)
{
    const auto names = namesOf(report, "TARGET_INFO_GPU_METRICS", "typeId", "metricId", "metricName");
    TableReader rows(report, "GPU_METRICS", {"timestamp", "typeId", "metricId", "value"}, 4);
    CounterSet<Pair> counters(report);
    while (rows.next()) {
        const auto ns = rows.time(0);
        if (!ns || rows.isNull(3)) continue;
        const Pair key(rows.integer(1), rows.integer(2));
        counters.add(key, *ns, rows.real(3), [&] {
            const auto known = names.find(key);
            const auto [name, unit] =
                nameAndUnit(known == names.end() ? "metric " + std::to_string(key.second) : known->second);
            return counters.make(deviceKey(key.first & kGpuOfType), name, unit);
        });
    }
}

std::optional<double> numberOf(std::string_view json)
{
    if (json.size() > 2 && json.front() == '"') json = json.substr(1, json.size() - 2);
    double number = 0;
    const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), number);
    return error == std::errc() && end == json.data() + json.size() ? std::optional(number) : std::nullopt;
}

/// Up to 2021 the same metrics were JSON objects, one a sample: each key with a number is a counter.
void readGenericEvents(Export& report)
{
    std::map<std::int64_t, std::string> types;
    {
        TableReader rows(report, "GENERIC_EVENT_TYPES", {"typeId", "data"}, 2);
        while (rows.next()) types.emplace(rows.integer(0), rows.text(1));
    }
    TableReader rows(report, "GENERIC_EVENTS", {"timestamp", "typeId", "data"}, 3);
    CounterSet<std::pair<std::int64_t, std::string>> counters(report);
    while (rows.next()) {
        const auto ns = rows.time(0);
        if (!ns) continue;
        const std::int64_t type = rows.integer(1);
        bool any = false;
        for (const json::Field& field : json::fieldsOf(rows.text(2))) {
            const auto number = numberOf(field.value);
            if (!number || field.key == "Timestamp" || field.key == "rawTimestamp") continue;
            any = true;
            counters.add({type, field.key}, *ns, *number, [&] {
                const auto [name, unit] = nameAndUnit(field.key);
                const auto known = types.find(type);
                const bool ofGpu = known == types.end() || known->second.find("GPU") != std::string::npos ||
                                   known->second.find("Gpu") != std::string::npos;
                return counters.make(ofGpu ? deviceKey(type & kGpuOfType) : std::string(), name, unit);
            });
        }
        if (!any) report.note(DiagnosticCode::NotAnEvent, rows.table(), rows.row());
    }
}

/// 1 while a thread of the profiled processes runs on the CPU, else 0.
void readScheduling(Export& report)
{
    TableReader rows(report, "SCHED_EVENTS", {"start", "cpu", "isSchedIn"}, 3);
    CounterSet<std::int64_t> counters(report);
    while (rows.next()) {
        const auto ns = rows.time(0);
        if (!ns) continue;
        const std::int64_t cpu = rows.integer(1);
        counters.add(cpu, *ns, rows.integer(2) != 0 ? 1 : 0,
                     [&] { return counters.make(cpuKey(cpu), "profiled thread running", ""); });
    }
}

void readCpuSamples(Export& report)
{
    TableReader rows(report, "COMPOSITE_EVENTS", {"start", "cpu", "cpuCycles"}, 3);
    CounterSet<std::int64_t> counters(report);
    while (rows.next()) {
        const auto ns = rows.isNull(1) ? std::nullopt : rows.time(0);
        if (!ns) continue;
        const std::int64_t cpu = rows.integer(1);
        counters.add(cpu, *ns, rows.real(2), [&] { return counters.make(cpuKey(cpu), "cycles per sample", "cycles"); });
    }
}

/// Core and uncore counters of a CPU; TARGET_INFO_COMPONENT would tell what the component is, where it is there.
void readPerfEvents(Export& report, std::string_view table, std::string_view idColumn, std::string_view valueColumn)
{
    std::map<std::int64_t, std::pair<std::string, std::string>> names;
    {
        TableReader rows(report, "TARGET_INFO_PERF_METRIC", {"id", "name", "unit"}, 2);
        while (rows.next()) names[rows.integer(0)] = {withReplacedBytes(rows.text(1)), withReplacedBytes(rows.text(2))};
    }
    TableReader rows(report, table, {"start", idColumn, valueColumn, "componentId"}, 3);
    CounterSet<Pair> counters(report);
    while (rows.next()) {
        const auto ns = rows.time(0);
        if (!ns || rows.isNull(2)) continue;
        const Pair key(rows.integer(3), rows.integer(1));
        counters.add(key, *ns, rows.real(2), [&] {
            const auto known = names.find(key.second);
            const auto described =
                known == names.end() ? std::pair("event " + std::to_string(key.second), std::string()) : known->second;
            return counters.make(cpuKey(key.first), described.first, described.second);
        });
    }
}

void readNetwork(Export& report)
{
    const auto names = namesOf(report, "TARGET_INFO_NETWORK_METRICS", "metricsListId", "metricsIdx", "name");
    TableReader rows(report, "NET_NIC_METRIC", {"start", "metricsListId", "metricsIdx", "value", "globalId", "portId"},
                     4);
    CounterSet<std::pair<Pair, Pair>> counters(report);
    while (rows.next()) {
        const auto ns = rows.time(0);
        if (!ns || rows.isNull(3)) continue;
        const Pair metric(rows.integer(1), rows.integer(2));
        const Pair port(rows.integer(4), rows.integer(5));
        counters.add({metric, port}, *ns, rows.real(3), [&] {
            const auto known = names.find(metric);
            const std::string name =
                known == names.end() ? "metric " + std::to_string(metric.second) : withReplacedBytes(known->second);
            // Cards are told apart by the low byte of their id, as the profiler numbers them.
            return counters.make(
                "", "NIC " + std::to_string(port.first & 0xff) + " port " + std::to_string(port.second) + " · " + name,
                "");
        });
    }
}

/// Allocations and releases; what is in use is their running sum.
void readDeviceMemory(Export& report)
{
    constexpr std::int64_t kRelease = 1; // ENUM_CUDA_DEV_MEM_EVENT_OPER
    TableReader rows(report, "CUDA_GPU_MEMORY_USAGE_EVENTS",
                     {"start", "deviceId", "bytes", "memoryOperationType", "memKind", "globalPid"}, 4);
    CounterSet<std::pair<Pair, std::uint64_t>> counters(report);
    while (rows.next()) {
        const auto ns = rows.time(0);
        if (!ns) continue;
        const Pair key(rows.integer(1), rows.isNull(4) ? -1 : rows.integer(4));
        const GlobalId process = rows.globalId(5).process();
        const double bytes = rows.real(2);
        counters.add({key, process.value}, *ns, rows.integer(3) == kRelease ? -bytes : bytes, [&] {
            constexpr std::string_view kKinds[] = {"pageable", "pinned",        "device",        "array",
                                                   "managed",  "device static", "managed static"};
            const bool known = key.second >= 0 && key.second < std::ssize(kKinds);
            const auto gpu = report.gpus.find({static_cast<std::int64_t>(process.pid()), key.first});
            const std::uint32_t counter = report.builder.counter(
                report.file, deviceKey(gpu == report.gpus.end() ? key.first : gpu->second),
                known ? "memory (" + std::string(kKinds[key.second]) + ")" : std::string("memory"),
                "pid " + std::to_string(process.pid()));
            report.builder.setCounterUnit(counter, "bytes");
            report.builder.markAsChanges(counter);
            return counter;
        });
    }
}

} // namespace

void readCounters(Export& report)
{
    readGpuMetrics(report);
    readGenericEvents(report);
    readScheduling(report);
    readCpuSamples(report);
    readPerfEvents(report, "PERF_EVENT_SOC_OR_CPU_RAW_EVENT", "eventId", "count");
    readPerfEvents(report, "PERF_EVENT_SOC_OR_CPU_METRIC_EVENT", "metricId", "value");
    readNetwork(report);
    readDeviceMemory(report);
}

} // namespace stepscope::nsys
