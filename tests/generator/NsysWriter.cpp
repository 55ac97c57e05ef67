// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/NsysWriter.h"

#include <array>
#include <charconv>
#include <sqlite3.h>
#include <system_error>
#include <utility>

namespace stepscope
{
namespace
{

constexpr std::int64_t kBeforeStepsNs = 2'000'000'000; ///< the session starts so long before the first step
constexpr std::int64_t kMachine = 1;                   ///< virtual machine; hardware is 0
constexpr std::int64_t kGpuMetricType = (kMachine << 48) | (std::int64_t(3) << 8);
constexpr std::int64_t kNoStreamId = 4294967295;

constexpr std::string_view kSchema = R"(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT, systemClockNs INTEGER);
CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT NOT NULL, name TEXT NOT NULL,
  nameEnum INTEGER NOT NULL, value TEXT NOT NULL);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, totalMemory INTEGER,
  smCount INTEGER, computeMajor INTEGER, computeMinor INTEGER);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL, uuid TEXT,
  numMultiprocessors INTEGER);
CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, sourceId INTEGER, typeName TEXT, metricId INTEGER,
  metricName TEXT);
CREATE TABLE TARGET_INFO_PERF_METRIC (id INTEGER, name TEXT, description TEXT, unit TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL,
  callchainId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
  category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER,
  domainId INTEGER, uint64Value INTEGER, int64Value INTEGER, doubleValue REAL, uint32Value INTEGER,
  int32Value INTEGER, floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
  globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER,
  launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL,
  gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL,
  blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL,
  localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL,
  sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
  globalPid INTEGER, bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, deprecatedSrcId INTEGER, srcKind INTEGER,
  dstKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
  globalPid INTEGER, value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT NULL,
  deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, syncType INTEGER NOT NULL, eventId INTEGER NOT NULL,
  eventSyncId INTEGER);
)";

/// The numbers behind `key` in a kernel's launch configuration, such as "grid": [132, 1, 1].
std::array<std::int64_t, 3> numbersBehind(std::string_view shape, std::string_view key)
{
    std::array<std::int64_t, 3> numbers{};
    std::size_t at = shape.find(key);
    if (at == std::string_view::npos) return numbers;
    at += key.size();
    for (std::int64_t& number : numbers) {
        at = shape.find_first_of("0123456789,", shape.find_first_of(",]0123456789", at));
        while (at < shape.size() && (shape[at] == ',' || shape[at] == ' ')) ++at;
        const auto [end, error] = std::from_chars(shape.data() + at, shape.data() + shape.size(), number);
        if (error != std::errc{}) break;
        at = static_cast<std::size_t>(end - shape.data());
    }
    return numbers;
}

std::int64_t syncType(std::string_view name)
{
    if (name == "Event Sync") return 1;
    if (name == "Stream Wait Event") return 2;
    return name == "Stream Sync" ? 3 : 4;
}

} // namespace

std::unique_ptr<NsysWriter> NsysWriter::create(const GeneratorOptions& options, RankIdentity identity,
                                               const std::filesystem::path& file)
{
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    sqlite3* database = nullptr;
    if (sqlite3_open(file.string().c_str(), &database) != SQLITE_OK) {
        sqlite3_close(database);
        return nullptr;
    }
    return std::unique_ptr<NsysWriter>(new NsysWriter(options, std::move(identity), database));
}

NsysWriter::NsysWriter(const GeneratorOptions& options, RankIdentity identity, sqlite3* database)
    : m_options(options), m_identity(std::move(identity)), m_database(database),
      m_sessionNs(options.startUnixNs - kBeforeStepsNs)
{
}

NsysWriter::~NsysWriter()
{
    for (sqlite3_stmt* statement :
         {m_string, m_call, m_range, m_kernel, m_copy, m_set, m_sync, m_memory, m_gpuMetric, m_cpuMetric})
        sqlite3_finalize(statement);
    sqlite3_close(m_database);
}

void NsysWriter::run(const std::string& sql)
{
    if (sqlite3_exec(m_database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) m_failed = true;
}

sqlite3_stmt* NsysWriter::prepare(std::string_view table, int columns)
{
    std::string sql = "INSERT INTO " + std::string(table) + " VALUES (?";
    for (int column = 1; column < columns; ++column) sql += ",?";
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(m_database, (sql + ")").c_str(), -1, &statement, nullptr) != SQLITE_OK) m_failed = true;
    return statement;
}

void NsysWriter::bind(sqlite3_stmt* statement, int place, std::int64_t value)
{
    sqlite3_bind_int64(statement, place, value);
}
void NsysWriter::bind(sqlite3_stmt* statement, int place, double value)
{
    sqlite3_bind_double(statement, place, value);
}
void NsysWriter::bind(sqlite3_stmt* statement, int place, Null) { sqlite3_bind_null(statement, place); }
void NsysWriter::bind(sqlite3_stmt* statement, int place, std::string_view value)
{
    sqlite3_bind_text(statement, place, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
}

template<class... Values>
void NsysWriter::insert(sqlite3_stmt* statement, const Values&... values)
{
    int place = 0;
    (bind(statement, ++place, values), ...);
    if (sqlite3_step(statement) != SQLITE_DONE) m_failed = true;
    sqlite3_reset(statement);
}

void NsysWriter::writeHeader()
{
    run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536; BEGIN");
    run(std::string(kSchema));
    // An event type that was never seen has no table.
    if (m_options.memoryEvents)
        run("CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER NOT NULL, globalPid INTEGER, deviceId INTEGER, "
            "contextId INTEGER, address INTEGER, bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER, "
            "name TEXT, correlationId INTEGER)");
    if (m_options.gpuCounters)
        run("CREATE TABLE GPU_METRICS (rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, metricId INTEGER, "
            "value INTEGER)");
    if (m_options.perfCpus > 0)
        run("CREATE TABLE PERF_EVENT_SOC_OR_CPU_RAW_EVENT (start INTEGER, end INTEGER, vmId INTEGER, "
            "componentId INTEGER, eventId INTEGER, count INTEGER)");
    prepareEvents();
    describeMachine();
    describeCapture();
}

void NsysWriter::prepareEvents()
{
    m_string = prepare("StringIds", 2);
    m_call = prepare("CUPTI_ACTIVITY_KIND_RUNTIME", 8);
    m_range = prepare("NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)", 6);
    m_kernel = prepare("CUPTI_ACTIVITY_KIND_KERNEL", 28);
    m_copy = prepare("CUPTI_ACTIVITY_KIND_MEMCPY", 13);
    m_set = prepare("CUPTI_ACTIVITY_KIND_MEMSET", 12);
    m_sync = prepare("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", 11);
    if (m_options.memoryEvents) m_memory = prepare("CUDA_GPU_MEMORY_USAGE_EVENTS", 10);
    if (m_options.gpuCounters) m_gpuMetric = prepare("GPU_METRICS", 5);
    if (m_options.perfCpus > 0) m_cpuMetric = prepare("PERF_EVENT_SOC_OR_CPU_RAW_EVENT", 6);
}

void NsysWriter::describeMachine()
{
    const std::string machine = std::to_string(kMachine << 48);
    run("INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES (" + machine + ", 'Local (CLI)', 'Hostname', 619, '" +
        m_identity.host + "'), (" + machine + ", 'Local (CLI)', 'NvDriverVersion', 205, '570.86.15')");
    for (int device = 0; device < m_options.gpusPerHost; ++device) {
        const std::string number = std::to_string(device);
        run("INSERT INTO TARGET_INFO_GPU VALUES (1, " + number + ", 'NVIDIA H100 80GB HBM3', 85018279936, 132, 9, 0)");
        run("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (" + number + ", " + number + ", " +
            std::to_string(m_identity.pid) + ", NULL, 132)");
    }
    run("INSERT INTO PROCESSES VALUES (" + std::to_string(globalPid()) + ", " + std::to_string(m_identity.pid) +
        ", '/usr/bin/python3.11')");
    for (const auto& [thread, name] :
         {std::pair(HostThreadName::Main, "pt_main_thread"), std::pair(HostThreadName::Autograd, "pt_autograd_0")})
        run("INSERT INTO ThreadNames VALUES (" + std::to_string(stringId(name)) + ", 10, " +
            std::to_string(globalTid(thread)) + ")");
}

void NsysWriter::describeCapture()
{
    run("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'), "
        "('EXPORT_PRODUCT_VERSION', '2026.2.1.210'), ('EXPORT_SCHEMA_VERSION', '3.25.0'), "
        "('EXPORT_PARAM_TIME_NORMALIZE', 'false'), ('synthetic', 'generated by stepscope_generate; not a recording')");
    const std::string variable = "('PROCESS_0:ENVIRONMENT_VARIABLE', '";
    run("INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:COMMAND', 'python3'), " + variable + "RANK=\"" +
        std::to_string(m_identity.rank) + "\"'), " + variable + "WORLD_SIZE=\"" + std::to_string(m_identity.worldSize) +
        "\"'), " + variable + "API_TOKEN=\"none-of-your-business\"')");
    run("INSERT INTO TARGET_INFO_SESSION_START_TIME (utcEpochNs) VALUES (" + std::to_string(m_sessionNs) + ")");
}

std::int64_t NsysWriter::globalPid() const { return kMachine << 48 | m_identity.pid << 24; }

std::int64_t NsysWriter::globalTid(HostThreadName thread) const
{
    return globalPid() | (thread == HostThreadName::Main ? m_identity.pid : m_identity.autogradTid);
}

std::int64_t NsysWriter::stringId(std::string_view text)
{
    const auto known = m_strings.find(text);
    if (known != m_strings.end()) return known->second;
    const auto id = static_cast<std::int64_t>(m_strings.size()) + 1;
    m_strings.emplace(text, id);
    insert(m_string, id, text);
    return id;
}

void NsysWriter::writeStep(const StepTrace& trace)
{
    for (const HostSlice& slice : trace.host) {
        if (slice.kind == HostKind::Runtime || slice.kind == HostKind::Driver) call(slice);
        else if (slice.kind == HostKind::Annotation) annotation(slice);
    }
    for (const DeviceSlice& slice : trace.device) {
        switch (slice.kind) {
        case DeviceKind::Kernel:
            kernel(slice);
            break;
        case DeviceKind::Memcpy:
        case DeviceKind::Memset:
            copy(slice);
            break;
        case DeviceKind::Sync:
            sync(slice);
            break;
        case DeviceKind::Annotation:
            break;
        }
    }
    for (const MemoryEvent& event : trace.memory) memoryEvent(event);
    for (const CounterSample& sample : trace.counters) counter(sample);
    sqlite3_stmt* pages = nullptr;
    sqlite3_prepare_v2(m_database, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", -1, &pages,
                       nullptr);
    if (sqlite3_step(pages) == SQLITE_ROW) m_bytes = static_cast<std::uint64_t>(sqlite3_column_int64(pages, 0));
    sqlite3_finalize(pages);
}

void NsysWriter::call(const HostSlice& slice)
{
    const bool driver = slice.kind == HostKind::Driver;
    // Names of the runtime's functions carry the version of the interface.
    const std::int64_t name = stringId(driver ? std::string(slice.name) : std::string(slice.name) + "_v11060");
    insert(m_call, time(slice.startNs), time(slice.startNs + slice.durNs), std::int64_t{driver},
           globalTid(slice.thread), slice.correlation, name, std::int64_t{0}, std::nullopt);
}

void NsysWriter::annotation(const HostSlice& slice)
{
    constexpr std::int64_t kPushPopRange = 59;
    insert(m_range, time(slice.startNs), time(slice.startNs + slice.durNs), kPushPopRange, slice.name,
           globalTid(slice.thread), std::int64_t{0});
}

void NsysWriter::kernel(const DeviceSlice& slice)
{
    const std::int64_t name = stringId(slice.name);
    const auto grid = numbersBehind(slice.shape, "\"grid\": [");
    const auto block = numbersBehind(slice.shape, "\"block\": [");
    const std::int64_t zero = 0;
    const std::int64_t node = slice.graphNode + 1;
    insert(m_kernel, time(slice.startNs), time(slice.endNs()), std::int64_t{m_identity.device}, std::int64_t{1}, zero,
           std::int64_t{slice.stream}, slice.correlation, globalPid(), name, name, std::nullopt, std::int64_t{1}, zero,
           numbersBehind(slice.shape, "\"registers per thread\": ")[0], grid[0], grid[1], grid[2], block[0], block[1],
           block[2], zero, numbersBehind(slice.shape, "\"shared memory\": ")[0], zero, zero, slice.correlation,
           std::nullopt, node, zero);
}

void NsysWriter::copy(const DeviceSlice& slice)
{
    const std::int64_t one = 1;
    const std::int64_t zero = 0;
    constexpr std::int64_t kDeviceMemory = 2;
    if (slice.kind == DeviceKind::Memset) {
        insert(m_set, time(slice.startNs), time(slice.endNs()), std::int64_t{m_identity.device}, one, zero,
               std::int64_t{slice.stream}, slice.correlation, globalPid(), zero, slice.bytes, std::nullopt,
               kDeviceMemory);
        return;
    }
    const bool toDevice = slice.name.find("HtoD") != std::string_view::npos;
    const std::int64_t hostMemory = slice.name.find("Pageable") == std::string_view::npos ? 1 : 0;
    insert(m_copy, time(slice.startNs), time(slice.endNs()), std::int64_t{m_identity.device}, one, zero,
           std::int64_t{slice.stream}, slice.correlation, globalPid(), slice.bytes, std::int64_t{toDevice ? 1 : 2},
           std::nullopt, toDevice ? hostMemory : kDeviceMemory, toDevice ? kDeviceMemory : hostMemory);
}

void NsysWriter::sync(const DeviceSlice& slice)
{
    const std::int64_t stream = slice.stream == kNoStream ? kNoStreamId : slice.stream;
    insert(m_sync, time(slice.startNs), time(slice.endNs()), std::int64_t{m_identity.device}, std::int64_t{1},
           std::int64_t{0}, stream, slice.correlation, globalPid(), syncType(slice.name), kNoStreamId, std::nullopt);
}

void NsysWriter::memoryEvent(const MemoryEvent& event)
{
    constexpr std::int64_t kDeviceMemory = 2;
    insert(m_memory, time(event.timeNs), globalPid(), std::int64_t{m_identity.device}, std::int64_t{1}, event.address,
           event.bytes < 0 ? -event.bytes : event.bytes, kDeviceMemory, std::int64_t{event.bytes < 0}, std::nullopt,
           std::nullopt);
}

std::int64_t NsysWriter::metricId(const CounterSample& sample)
{
    const auto known = m_metrics.find(sample.name);
    if (known != m_metrics.end()) return known->second;
    const auto id = static_cast<std::int64_t>(m_metrics.size()) + 1;
    m_metrics.emplace(sample.name, id);
    const std::string name(sample.name);
    const std::string unit(sample.unit);
    if (sample.cpu >= 0)
        run("INSERT INTO TARGET_INFO_PERF_METRIC VALUES (" + std::to_string(id) + ", '" + name + "', '', '" + unit +
            "')");
    else
        run("INSERT INTO TARGET_INFO_GPU_METRICS VALUES (" + std::to_string(kGpuMetricType | m_identity.device) +
            ", 1, 'GPU Metrics', " + std::to_string(id) + ", '" + name + " [" + unit + "]')");
    return id;
}

void NsysWriter::counter(const CounterSample& sample)
{
    const std::int64_t ns = time(sample.timeNs);
    const double value = static_cast<double>(sample.tenths) / 10;
    if (sample.cpu >= 0) insert(m_cpuMetric, ns, ns, kMachine, std::int64_t{sample.cpu}, metricId(sample), value);
    else insert(m_gpuMetric, ns, ns, kGpuMetricType | m_identity.device, metricId(sample), value);
}

bool NsysWriter::finish(std::int64_t, std::int64_t)
{
    run("COMMIT");
    return !m_failed;
}

} // namespace stepscope
