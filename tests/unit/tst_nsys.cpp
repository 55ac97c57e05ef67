// SPDX-License-Identifier: GPL-3.0-or-later
// Nsight Systems exports: small ones made here, with the faults that real and hostile files have, and the recorded ones
// against facts that independent scripts computed from the same files.
#include "analysis/LinkQuery.h"
#include "analysis/SliceDetails.h"
#include "importers/OpenProfile.h"
#include "support/SqliteFixture.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QtTest>
#include <functional>
#include <thread>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

/// pid 300 and its thread 301; pid 400. Packed by hand: 300 << 24 = 5033164800, 400 << 24 = 6710886400.
const QByteArray kPid300 = "5033164800";
const QByteArray kTid301 = "5033165101";
const QByteArray kPid400 = "6710886400";
const QByteArray kTid400 = "6710886800";

const QByteArray kStrings = R"(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'void gemm<float>(float*)'), (3, 'ncclDevKernel_SendRecv'),
  (4, 'cudaMemcpyAsync_v3020'), (5, 'forward'), (6, 'cuMemcpyHtoDAsync_v2'), (7, 'pt_main'), (8, 'read'),
  (9, 'AWS_SECRET_ACCESS_KEY=hunter2');
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0');)";

const QByteArray kRuntimeTable = R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL);)";
const QByteArray kKernelTable = R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, gridX INTEGER, launchType INTEGER);)";
const QByteArray kMemcpyTable = R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER,
  dstKind INTEGER);)";
const QByteArray kNvtxColumns = R"( (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
  text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, jsonText TEXT);)";
const QByteArray kSession = R"(
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);)";

QByteArray insert(const QByteArray& table, const QByteArray& values)
{
    return "INSERT INTO " + table + " VALUES (" + values + ");";
}

QByteArray kernel(const QByteArray& start, const QByteArray& end, const QByteArray& correlation = "7",
                  const QByteArray& pid = kPid300, const QByteArray& name = "2")
{
    return insert("CUPTI_ACTIVITY_KIND_KERNEL",
                  start + "," + end + ",0,1,7," + correlation + "," + pid + "," + name + ",2,64,1");
}

QByteArray call(const QByteArray& start, const QByteArray& end, const QByteArray& correlation = "7",
                const QByteArray& tid = kTid301, const QByteArray& name = "1")
{
    return insert("CUPTI_ACTIVITY_KIND_RUNTIME", start + "," + end + ",0," + tid + "," + correlation + "," + name + ",0");
}

QByteArray range(const QByteArray& start, const QByteArray& end, const QByteArray& type, const QByteArray& text,
                 const QByteArray& more = "NULL,NULL,NULL,0,NULL", const QByteArray& table = "NVTX_EVENTS")
{
    return insert(table, start + "," + end + "," + type + "," + more.split(',')[0] + "," + text + "," + kTid301 + "," +
                             more.mid(more.indexOf(',') + 1));
}

/// One launch, one kernel: what most cases start from.
QByteArray minimal() { return kStrings + kRuntimeTable + kKernelTable + call("1000", "1500") + kernel("2000", "2500"); }

std::shared_ptr<const Profile> openBytes(const QByteArray& bytes, QString* error = nullptr)
{
    const TempFolder folder;
    auto opened = open(folder.write("report.sqlite", bytes));
    if (!opened.ok() && error != nullptr) *error = QString::fromStdString(opened.error().sentence());
    if (!opened.ok() && error == nullptr) qWarning("%s", opened.error().sentence().c_str());
    return opened.ok() ? opened.take() : nullptr;
}

std::shared_ptr<const Profile> openSql(const QByteArray& sql) { return openBytes(databaseOf(sql)); }

std::uint64_t countFor(const Profile& profile, DiagnosticCode code, const std::string& subject)
{
    for (const Diagnostic& diagnostic : profile.diagnostics)
        if (diagnostic.code == code && diagnostic.message.starts_with(subject + ":")) return diagnostic.count;
    return 0;
}

std::map<std::string, std::string> fieldsOf(const Profile& profile, SliceId slice)
{
    std::map<std::string, std::string> values;
    const auto fields = sourceFieldsOf(profile, slice);
    if (fields)
        for (const SourceField& field : *fields) values[field.key] = field.value;
    return values;
}

} // namespace

class TestNsys : public QObject
{
    Q_OBJECT

private slots:
    void everyTable();
    void linksStayInTheirProcess();
    void streamsOfTwoProcesses();
    void nvtxVersions_data();
    void nvtxVersions();
    void nvtxKinds();
    void counters();
    void missingColumns();
    void stringsWithoutIndex();
    void normalisedTimes();
    void faultyTimes();
    void invalidText();
    void unknownTables();
    void viewsAndTriggersAreNoTables();
    void virtualTablesAreNoTables();
    void hostileSchema();
    void generatedColumnsAreNotRun();
    void environmentsStayInside();
    void rankOfTheEnvironment();
    void writeAheadLog();
    void lockedFiles();
    void compressed();
    void truncatedAnywhere();
    void garbageBehindTheHeader();
    void errors_data();
    void errors();
    void gzipBomb();
    void neverModifiesTheFile();
    void cancelStopsLoading();
    void changedFilesAreNotRead();
    void manyNestedRanges();
};

void TestNsys::everyTable()
{
    const auto profile = openSql(
        minimal() + kMemcpyTable + kSession + "CREATE TABLE NVTX_EVENTS" + kNvtxColumns +
        insert("CUPTI_ACTIVITY_KIND_MEMCPY", "3000,3100,0,1,7,8," + kPid300 + ",4096,1,0,2") +
        call("2600", "2700", "8", kTid301, "4") + range("900", "2800", "59", "'step_41'") +
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, correlationId, globalPid, "
        "value, bytes, memKind);" + insert("CUPTI_ACTIVITY_KIND_MEMSET", "3200,3210,0,1,7,NULL," + kPid300 + ",0,64,2") +
        "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end, deviceId, contextId, streamId, correlationId, "
        "globalPid, syncType, eventId);" +
        insert("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "3300,3400,0,1,4294967295,9," + kPid300 + ",4,1") +
        "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, contextId, streamId, correlationId, "
        "globalPid, graphId);" +
        insert("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "3500,3600,0,1,7,10," + kPid300 + ",5") +
        call("3450", "3460", "10", kTid301, "1") +
        "CREATE TABLE OSRT_API (start, end, globalTid, nameId, returnValue);" +
        insert("OSRT_API", "100,200," + kTid301 + ",8,0") +
        "CREATE TABLE CUBLAS_EVENTS (start, end, eventClass, globalTid, nameId);" +
        insert("CUBLAS_EVENTS", "950,1600,29," + kTid301 + ",5") +
        "CREATE TABLE PROFILER_OVERHEAD (start, end, globalTid, nameId);" +
        insert("PROFILER_OVERHEAD", "50,60," + kTid301 + ",7") +
        "CREATE TABLE ThreadNames (nameId, priority, globalTid);" + insert("ThreadNames", "7,10," + kTid301) +
        "CREATE TABLE PROCESSES (globalPid, pid, name);" + insert("PROCESSES", kPid300 + ",300,'/usr/bin/python3'") +
        "CREATE TABLE TARGET_INFO_GPU (id, name);" + insert("TARGET_INFO_GPU", "3,'Test GPU'") +
        "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid);" + insert("TARGET_INFO_CUDA_DEVICE", "3,0,300") +
        "CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid, devStateName, name, nameEnum, value);" +
        insert("TARGET_INFO_SYSTEM_ENV", "0,'Local','Hostname',619,'node-a'"));
    QVERIFY(profile != nullptr);
    QCOMPARE(printedTree(*profile), QByteArray("node-a\n"
                                               "  GPUs\n"
                                               "    python3 · pid 300\n"
                                               "      steps [1]\n"
                                               "      GPU-3 utilisation\n"
                                               "      GPU-3 host [2]\n"
                                               "      GPU-3 device\n"
                                               "        context sync [1]\n"
                                               "        stream 7 [1]\n"
                                               "      threads\n"
                                               "        thread 301 (pt_main) [3]\n"));
    QCOMPARE(profile->format, std::string("nsys"));
    QCOMPARE(*profile->originUnixNs, std::int64_t(1'700'000'000'000'000'000));
    QCOMPARE(profile->devices[0].model, std::string("Test GPU"));
    QCOMPARE(int(profile->links.size()), 3); // kernel, copy, graph
    QCOMPARE(profile->steps[0].number, std::int64_t(41));
    QCOMPARE(profile->steps[0].host.lengthNs(), std::int64_t(1900));
    QCOMPARE(profile->steps[0].device->beginNs, std::int64_t(2000)); // of the kernel and the copy launched within
    QCOMPARE(profile->steps[0].device->endNs, std::int64_t(3100));
    QCOMPARE(profile->busy[profile->devices[0].busy].totalNs(), std::int64_t(500 + 100 + 10 + 100));
    const auto kindOf = [&](const char* name) { return profile->slices.kind[sliceNamed(*profile, name).value]; };
    QVERIFY(kindOf("cudaLaunchKernel") == SliceKind::Launch);
    QVERIFY(kindOf("Memcpy HtoD (Pageable -> Device)") == SliceKind::Memcpy);
    QVERIFY(kindOf("Memset (Device)") == SliceKind::Memset);
    QVERIFY(kindOf("Context Sync") == SliceKind::DeviceSync);
    QVERIFY(kindOf("CUDA graph 5") == SliceKind::Kernel);
    QVERIFY(kindOf("read") == SliceKind::Other);
    QVERIFY(kindOf("step_41") == SliceKind::Annotation);
    QVERIFY(kindOf("pt_main") == SliceKind::Overhead);
}

void TestNsys::linksStayInTheirProcess()
{
    // The same id in two processes: each launch has its own run, and a run without a launch of its own has none.
    const auto profile = openSql(kStrings + kRuntimeTable + kKernelTable + call("1000", "1010", "7") +
                                 call("5000", "5010", "7", kTid400) + call("6000", "6010", "8", kTid400) +
                                 kernel("1100", "1200", "7") + kernel("5100", "5200", "7", kPid400, "3") +
                                 kernel("7000", "7100", "8", kPid300));
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->links.size()), 2);
    for (std::size_t link = 0; link < profile->links.size(); ++link)
        QCOMPARE(profile->slices.startNs[profile->links.run[link].value] -
                     profile->slices.startNs[profile->links.launch[link].value],
                 std::int64_t(100));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::UnlinkedRun), std::uint64_t(1));
}

void TestNsys::streamsOfTwoProcesses()
{
    const auto profile = openSql(minimal() + kernel("2100", "2200", "9", kPid400));
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->devices.size()), 1);
    QCOMPARE(profile->devices[0].streams, (std::vector<std::string>{"7", "7 · pid 400"}));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::Overlap), std::uint64_t(0));
}

void TestNsys::nvtxVersions_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::addColumn<int>("ranges");
    const auto table = [](const QByteArray& name) {
        return "CREATE TABLE " + name + kNvtxColumns + range("10", "30", "59", "'forward of " + name + "'", "NULL,NULL,NULL,0,NULL", name);
    };
    QTest::newRow("plain") << table("NVTX_EVENTS") << 1;
    QTest::newRow("suffixed") << table("NVTX_EVENTS_V3") + table("NVTX_EVENTS_V10") + table("NVTX_EVENTS_V2") << 1;
    QTest::newRow("absent") << QByteArray() << 0;
}

void TestNsys::nvtxVersions()
{
    QFETCH(QByteArray, sql);
    QFETCH(int, ranges);
    const auto profile = openSql(minimal() + sql);
    QVERIFY(profile != nullptr);
    const auto count = std::count(profile->slices.kind.begin(), profile->slices.kind.end(), SliceKind::Annotation);
    QCOMPARE(int(count), ranges);
    QCOMPARE(countFor(*profile, DiagnosticCode::MissingTable, "NVTX_EVENTS"), std::uint64_t(ranges == 0 ? 1 : 0));
    if (!sql.contains("_V10")) return;
    QVERIFY(sliceNamed(*profile, "forward of NVTX_EVENTS_V10").valid());
    QCOMPARE(countFor(*profile, DiagnosticCode::UnknownTable, "NVTX_EVENTS_V3"), std::uint64_t(1));
}

void TestNsys::nvtxKinds()
{
    const auto profile = openSql(
        minimal() + "CREATE TABLE NVTX_EVENTS" + kNvtxColumns + range("5", "NULL", "75", "'NCCL'", "NULL,NULL,NULL,2,NULL") +
        range("100", "200", "59", "'outer'") + range("110", "150", "59", "NULL", "NULL,NULL,5,2,NULL") +
        range("120", "NULL", "34", "'mark'") + range("130", "900", "60", "'overlapping a'") +
        range("140", "950", "60", "'overlapping b'") + range("300", "NULL", "59", "'never closed'") +
        range("400", "NULL", "37", "'raw'", "77,NULL,NULL,0,NULL") + range("480", "NULL", "38", "NULL", "77,NULL,NULL,0,NULL") +
        range("500", "NULL", "35", "'pushed'") + range("520", "NULL", "36", "NULL") +
        range("600", "610", "70", "NULL", "NULL,NULL,NULL,0,'{\"size\":4}'") + range("620", "630", "64", "'unknown'") +
        range("640", "650", "59", "NULL", "NULL,NULL,NULL,9,NULL"));
    QVERIFY(profile != nullptr);
    const auto span = [&](const char* name) {
        const TimeSpan found = profile->sliceSpan(sliceNamed(*profile, name));
        return std::pair(found.beginNs, found.endNs);
    };
    QCOMPARE(span("outer"), std::pair(std::int64_t(100), std::int64_t(200)));
    QCOMPARE(span("forward"), std::pair(std::int64_t(110), std::int64_t(150))); // a registered string
    QCOMPARE(span("never closed"), std::pair(std::int64_t(300), std::int64_t(2500))); // to the end of the recording
    QCOMPARE(span("raw"), std::pair(std::int64_t(400), std::int64_t(480)));
    QCOMPARE(span("pushed"), std::pair(std::int64_t(500), std::int64_t(520)));
    QVERIFY(sliceNamed(*profile, "{\"size\":4}").valid());
    QVERIFY(sliceNamed(*profile, "(unnamed range)").valid());
    const auto category = [&](const char* name) {
        return profile->strings.view(profile->categories[profile->slices.category[sliceNamed(*profile, name).value]]);
    };
    QCOMPARE(category("outer"), std::string_view("nvtx"));
    QCOMPARE(category("forward"), std::string_view("nvtx NCCL"));
    QCOMPARE(category("(unnamed range)"), std::string_view("nvtx domain 9"));
    QVERIFY(profile->track(profile->trackOf(sliceNamed(*profile, "overlapping b"))).kind == TrackKind::Async);
    QCOMPARE(int(profile->instants.size()), 1);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::UnmatchedBegin), std::uint64_t(1));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::UnknownPhase), std::uint64_t(1));
}

void TestNsys::counters()
{
    const auto profile = openSql(
        minimal() +
        "CREATE TABLE GPU_METRICS (rawTimestamp, timestamp, typeId, metricId, value);"
        "INSERT INTO GPU_METRICS VALUES (0, 1100, 281474976710656, 4, 80), (0, 1200, 281474976710656, 4, 20),"
        " (0, 1100, 281474976710656, 5, 1410);"
        "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId, sourceId, typeName, metricId, metricName);"
        "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (281474976710656, 0, 'GPU Metrics', 4, 'SMs Active [Throughput %]'),"
        " (281474976710656, 0, 'GPU Metrics', 5, 'GPC Clock Frequency [MHz]');"
        "CREATE TABLE GENERIC_EVENTS (rawTimestamp, timestamp, typeId, data);"
        "INSERT INTO GENERIC_EVENTS VALUES (0, 1300, 0, '{\"GR Active\":\"55\",\"Name\":\"x\"}'), (0, 1400, 0, 'broken');"
        "CREATE TABLE SCHED_EVENTS (start, cpu, isSchedIn, globalTid);"
        "INSERT INTO SCHED_EVENTS VALUES (1000, 3, 1, 0), (1500, 3, 0, 0);"
        "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start, globalPid, deviceId, bytes, memKind, memoryOperationType);"
        "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (1000, " + kPid300 + ", 0, 100, 2, 0), (1100, " + kPid300 +
        ", 0, 50, 2, 0), (1200, " + kPid300 + ", 0, 100, 2, 1);");
    QVERIFY(profile != nullptr);
    std::map<std::string, const CounterSeries*> series;
    for (const CounterSeries& counter : profile->counters) series[counter.name] = &counter;
    QCOMPARE(int(series.size()), 5);
    QCOMPARE(series.at("SMs Active")->value, (std::vector<double>{80, 20}));
    QCOMPARE(series.at("SMs Active")->unit, std::string("%"));
    QCOMPARE(series.at("GPC Clock Frequency")->unit, std::string("MHz"));
    QCOMPARE(series.at("GR Active")->value, (std::vector<double>{55}));
    QCOMPARE(series.at("profiled thread running")->value, (std::vector<double>{1, 0}));
    QCOMPARE(series.at("memory (device)")->value, (std::vector<double>{100, 150, 50}));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::NotAnEvent), std::uint64_t(1));
}

void TestNsys::missingColumns()
{
    // Kernels without a start cannot be shown; the calls can, though they lack ids and classes.
    const auto profile = openSql(kStrings +
                                 "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, nameId);"
                                 "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 20, 1);"
                                 "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (begin, duration, deviceId);"
                                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0);");
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->slices.size()), 1);
    QCOMPARE(countFor(*profile, DiagnosticCode::MissingColumn, "CUPTI_ACTIVITY_KIND_KERNEL.start"), std::uint64_t(1));
}

void TestNsys::stringsWithoutIndex()
{
    QByteArray sql = "CREATE TABLE StringIds (id INTEGER, value TEXT);" + kRuntimeTable;
    for (int id = 0; id < 20'000; ++id) {
        const QByteArray number = QByteArray::number(id);
        sql += insert("StringIds", number + ",'api" + number + "'") + call(number + "0", number + "5", number, kTid301, number);
    }
    const QByteArray bytes = databaseOf(sql);
    QElapsedTimer timer;
    timer.start();
    const auto profile = openBytes(bytes);
    QVERIFY(profile != nullptr);
    QVERIFY(timer.elapsed() < 3000); // a scan per string would take minutes
    QVERIFY(sliceNamed(*profile, "api19999").valid());
}

void TestNsys::normalisedTimes()
{
    for (const QByteArray& note : {QByteArray(), insert("META_DATA_EXPORT", "'EXPORT_PARAM_TIME_NORMALIZE','true'")}) {
        const auto profile = openSql(kStrings + kRuntimeTable + kSession + note +
                                     call("1700000000000000100", "1700000000000000200"));
        QVERIFY(profile != nullptr);
        QCOMPARE(*profile->originUnixNs + profile->span.beginNs, std::int64_t(1'700'000'000'000'000'100));
    }
}

void TestNsys::faultyTimes()
{
    const auto profile = openSql(minimal() + kernel("NULL", "10") + kernel("9223372036854775807", "9223372036854775807") +
                                 kernel("-9223372036854775808", "5") + kernel("100", "9223372036854775807") +
                                 kernel("3000", "NULL", "7", kPid300, "3") + kernel("4000", "3900") +
                                 kernel("'soon'", "20") + kernel("-500", "-400", "7", kPid300, "99"));
    QVERIFY(profile != nullptr);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::MissingTime), std::uint64_t(1));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::TimeOutOfRange), std::uint64_t(3));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::MissingDuration), std::uint64_t(1));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::NegativeDuration), std::uint64_t(1));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::DanglingReference), std::uint64_t(1));
    QVERIFY(sliceNamed(*profile, "#99").valid());
    QCOMPARE(profile->span.beginNs, std::int64_t(-500));
    QCOMPARE(int(profile->slices.size()), 1 + 5); // 'soon' counts as 0, as SQLite reads it
}

void TestNsys::invalidText()
{
    const auto profile = openSql(kStrings + kRuntimeTable + "INSERT INTO StringIds VALUES (50, CAST(X'61ff62' AS TEXT));" +
                                 call("10", "20", "1", kTid301, "50"));
    QVERIFY(profile != nullptr);
    QVERIFY(sliceNamed(*profile, "a\xEF\xBF\xBD" "b").valid());
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::RepairedEvent), std::uint64_t(1));
}

void TestNsys::unknownTables()
{
    const auto profile = openSql(minimal() + "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN clusterShape TEXT;"
                                             "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET clusterShape = '2x1';"
                                             "UPDATE META_DATA_EXPORT SET value = '9.1.0';"
                                             "CREATE TABLE QUANTUM_EVENTS (start, end);"
                                             "INSERT INTO QUANTUM_EVENTS VALUES (1, 2), (3, 4), (5, 6);"
                                             "CREATE TABLE EMPTY_EVENTS (start, end);");
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->slices.size()), 2);
    QCOMPARE(countFor(*profile, DiagnosticCode::UnknownTable, "QUANTUM_EVENTS"), std::uint64_t(3));
    QCOMPARE(countFor(*profile, DiagnosticCode::UnknownTable, "EMPTY_EVENTS"), std::uint64_t(0));
    // A column that this version does not know is shown all the same.
    QCOMPARE(fieldsOf(*profile, sliceNamed(*profile, "void gemm<float>(float*)"))["clusterShape"], std::string("2x1"));
}

void TestNsys::viewsAndTriggersAreNoTables()
{
    const auto profile = openSql(
        minimal() +
        "CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT start + 1 FROM n) "
        "SELECT start, start + 1 AS end, 59 AS eventType, 'evil' AS text FROM n;"
        "CREATE VIEW TARGET_INFO_GPU AS SELECT randomblob(1000000000) AS id, 'evil' AS name;"
        "CREATE TRIGGER OSRT_API AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END;");
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->slices.size()), 2);
    QCOMPARE(profile->devices[0].model, std::string());
}

void TestNsys::virtualTablesAreNoTables()
{
    const auto profile = openSql(minimal() + "CREATE VIRTUAL TABLE NVTX_EVENTS USING rtree(id, start, end);");
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->slices.size()), 2);
    QCOMPARE(countFor(*profile, DiagnosticCode::MissingTable, "NVTX_EVENTS"), std::uint64_t(1));
}

void TestNsys::hostileSchema()
{
    // A schema that does not parse: either the tables are shown, or one sentence says why not.
    for (const char* sql :
         {"UPDATE sqlite_master SET sql = 'CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start' WHERE name LIKE '%KERNEL';",
          "UPDATE sqlite_master SET rootpage = 99999 WHERE name LIKE '%KERNEL';",
          "UPDATE sqlite_master SET rootpage = 1 WHERE name LIKE '%KERNEL';",
          "UPDATE sqlite_master SET type = 'index' WHERE name LIKE '%KERNEL';",
          "UPDATE sqlite_master SET sql = 'DROP TABLE StringIds' WHERE name = 'StringIds';"}) {
        QString error;
        const auto profile = openBytes(databaseOf(minimal() + "PRAGMA writable_schema=ON;" + sql), &error);
        QVERIFY(profile != nullptr || error.contains("damaged") || error.contains("no format") ||
                error.contains("does not read"));
    }
    // Names that would be SQL.
    const auto profile = openSql(minimal() + "CREATE TABLE \"x\"\"; DROP TABLE StringIds; --\" (a); INSERT INTO "
                                             "\"x\"\"; DROP TABLE StringIds; --\" VALUES (1);");
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->slices.size()), 2);
}

void TestNsys::generatedColumnsAreNotRun()
{
    const auto profile = openSql(
        minimal() + "CREATE TABLE OSRT_API (start, end AS (length(hex(zeroblob(100000000)))), nameId, globalTid);"
                    "INSERT INTO OSRT_API (start, nameId, globalTid) VALUES (1, 8, 5);");
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->slices.size()), 2);
    QCOMPARE(countFor(*profile, DiagnosticCode::MissingColumn, "OSRT_API.end"), std::uint64_t(1));
}

void TestNsys::environmentsStayInside()
{
    const auto profile = openSql(
        minimal() + "CREATE TABLE META_DATA_CAPTURE (name, value);"
                    "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'TOKEN=\"hunter2\"'),"
                    " ('PROCESS_0:COMMAND', 'python'), ('PROCESS_0:ENVIRONMENT_VARIABLE', 'RANK=\"5\"');"
                    "CREATE TABLE ProcessStreams (globalPid, filenameId, contentId);"
                    "INSERT INTO ProcessStreams VALUES (1, 9, 9);");
    QVERIFY(profile != nullptr);
    for (std::uint32_t id = 0; id < profile->strings.size(); ++id)
        QVERIFY(profile->strings.view({id}).find("hunter2") == std::string_view::npos);
    bool command = false;
    for (const auto& [key, value] : profile->files[0].metadata) {
        QVERIFY(value.find("hunter2") == std::string::npos);
        command = command || value == "\"python\"";
    }
    QVERIFY(command);
    QCOMPARE(*profile->processes[0].rank, std::int64_t(5));
}

void TestNsys::rankOfTheEnvironment()
{
    // A launcher's own variables say nothing about the several processes below it; MPI says who is who.
    const auto profile = openSql(minimal() + call("3000", "3010", "9", kTid400) +
                                 "CREATE TABLE META_DATA_CAPTURE (name, value);"
                                 "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'RANK=5');"
                                 "CREATE TABLE MPI_RANKS (globalTid, rank);" + insert("MPI_RANKS", kTid400 + ",1"));
    QVERIFY(profile != nullptr);
    for (const Process& process : profile->processes)
        QCOMPARE(process.rank, process.pid == "400" ? std::optional<std::int64_t>(1) : std::nullopt);
}

void TestNsys::writeAheadLog()
{
    const TempFolder folder;
    const std::string path = folder.path("live.sqlite");
    OpenDatabase writer(path, "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;" + minimal() +
                                  "PRAGMA wal_checkpoint(TRUNCATE);");
    writer.run(kernel("4000", "4100"));
    const auto opened = open(path);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().sentence().c_str());
    QCOMPARE(int(opened.value()->slices.size()), 2); // the third is in the log only
    QCOMPARE(diagnosticCount(*opened.value(), DiagnosticCode::UncheckpointedLog), std::uint64_t(1));
    // The same file, compressed.
    const auto packed = openBytes(gzipped(contentOf(path)));
    QVERIFY(packed != nullptr);
    QCOMPARE(int(packed->slices.size()), 2);
}

void TestNsys::lockedFiles()
{
    const TempFolder folder;
    const std::string path = folder.path("locked.sqlite");
    OpenDatabase writer(path, minimal());
    writer.run("BEGIN EXCLUSIVE");
    const auto opened = open(path);
    QVERIFY(opened.ok());
    QCOMPARE(int(opened.value()->slices.size()), 2);
}

void TestNsys::compressed()
{
    const auto profile = openBytes(gzipped(databaseOf(minimal())));
    QVERIFY(profile != nullptr);
    QCOMPARE(profile->format, std::string("nsys"));
    QCOMPARE(int(profile->links.size()), 1);
    QCOMPARE(fieldsOf(*profile, sliceNamed(*profile, "void gemm<float>(float*)"))["gridX"], std::string("64"));
}

void TestNsys::truncatedAnywhere()
{
    QByteArray sql = minimal();
    for (int index = 0; index < 2000; ++index) sql += kernel(QByteArray::number(index * 10), QByteArray::number(index * 10 + 5));
    const QByteArray bytes = databaseOf(sql);
    int shown = 0;
    for (qsizetype size = 1; size < bytes.size(); size += 997) {
        for (const bool packed : {false, true}) {
            QString error;
            const QByteArray cut = packed ? gzipped(bytes.left(size)) : bytes.left(size);
            const auto profile = openBytes(cut, &error);
            QVERIFY(profile != nullptr || !error.isEmpty());
            if (profile == nullptr) continue;
            ++shown;
            QVERIFY(diagnosticCount(*profile, DiagnosticCode::TruncatedFile) > 0);
        }
    }
    QVERIFY(shown > 60); // most of the file are kernels
    // A compressed file that itself is cut off.
    const QByteArray packed = gzipped(bytes);
    QString error;
    const auto half = openBytes(packed.left(packed.size() * 3 / 4), &error);
    QVERIFY(half != nullptr || !error.isEmpty());
    if (half != nullptr) QVERIFY(diagnosticCount(*half, DiagnosticCode::TruncatedFile) > 0);
}

void TestNsys::garbageBehindTheHeader()
{
    QByteArray bytes = databaseOf(minimal());
    QByteArray garbage = bytes;
    for (qsizetype at = 100; at < garbage.size(); ++at) garbage[at] = char(at * 7919 >> 3); // as an encrypted one looks
    QString error;
    QVERIFY(openBytes(garbage, &error) == nullptr);
    QVERIFY2(error.contains("damaged"), qPrintable(error));
    // One byte after the other wrong: never a crash, and never silence.
    for (qsizetype at = 16; at < bytes.size(); at += 61) {
        QByteArray broken = bytes;
        broken[at] = char(~broken[at]);
        error.clear();
        const auto profile = openBytes(broken, &error);
        QVERIFY(profile != nullptr || !error.isEmpty());
    }
}

void TestNsys::errors_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("native report") << QByteArray("NVIDIA Tegra Profiler Report\n\0\1\2", 32)
                                   << "nsys export --type sqlite --output report.sqlite report.nsys-rep";
    QTest::newRow("no events") << databaseOf(kStrings + kRuntimeTable + kKernelTable) << "none of its tables holds an event";
    QTest::newRow("another database") << databaseOf("CREATE TABLE recipes (name, text)") << "SQLite database";
    QTest::newRow("empty database") << databaseOf("CREATE TABLE x (a); DROP TABLE x") << "SQLite database";
    QTest::newRow("header alone") << databaseOf(minimal()).left(100) << "damaged";
    QTest::newRow("magic alone") << QByteArray("SQLite format 3\0", 16) << "damaged";
}

void TestNsys::errors()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, sentence);
    const TempFolder folder;
    const bool native = bytes.startsWith("NVIDIA");
    const auto opened = open(folder.write(native ? "report.nsys-rep" : "report.sqlite", bytes));
    QVERIFY(!opened.ok());
    QVERIFY2(opened.error().sentence().find(sentence.toStdString()) != std::string::npos,
             opened.error().sentence().c_str());
}

void TestNsys::gzipBomb()
{
    // The header announces 16 TB: refused before it is unpacked.
    QByteArray huge = databaseOf(minimal());
    huge[16] = 0x10; // pages of 4096 bytes
    huge[17] = 0;
    for (int at = 28; at < 32; ++at) huge[at] = char(at == 28 ? 0xff : 0);
    QString error;
    QVERIFY(openBytes(gzipped(huge), &error) == nullptr);
    QVERIFY2(error.contains("4 GB"), qPrintable(error));
    // What comes behind the announced size is not unpacked at all.
    const auto profile = openBytes(gzipped(databaseOf(minimal()) + QByteArray(200'000'000, '\0')));
    QVERIFY(profile != nullptr);
    QVERIFY(profile->files[0].inflatedBytes < 1'000'000);
}

void TestNsys::neverModifiesTheFile()
{
    const TempFolder folder;
    const QByteArray bytes = databaseOf(minimal());
    const std::string path = folder.write("report.sqlite", bytes);
    {
        const auto opened = open(path);
        QVERIFY(opened.ok());
    }
    QCOMPARE(contentOf(path), bytes);
    QCOMPARE(int(QDir(QString::fromStdString(folder.path())).entryList(QDir::Files).size()), 1); // no -shm, no -journal
}

void TestNsys::cancelStopsLoading()
{
    const TempFolder folder;
    const std::string path = folder.write(
        "report.sqlite", databaseOf(kStrings + kRuntimeTable +
                                    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 400000) "
                                    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i * 10, i * 10 + 5, 0, 1, i, 1, 0 FROM n;"));
    LoadProgress progress;
    std::jthread canceller([&] {
        while (progress.slices() == 0) std::this_thread::yield();
        progress.cancel();
    });
    const auto opened = openProfile(path, progress);
    QVERIFY(opened.ok());
    QVERIFY(opened.value() == nullptr);
}

void TestNsys::changedFilesAreNotRead()
{
    const TempFolder folder;
    const std::string path = folder.write("report.sqlite", databaseOf(minimal()));
    const auto opened = open(path);
    QVERIFY(opened.ok());
    const SliceId slice = sliceNamed(*opened.value(), "void gemm<float>(float*)");
    QVERIFY(sourceFieldsOf(*opened.value(), slice).has_value());
    QTest::qSleep(20);
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::Append));
    file.write("x");
    file.close();
    QVERIFY(!sourceFieldsOf(*opened.value(), slice).has_value());
}

void TestNsys::manyNestedRanges()
{
    // Steps and what ran in them must not cost ranges times kernels. Each step encloses its parts and launches.
    const auto sqlOf = [](int steps) {
        const QByteArray count = QByteArray::number(steps);
        const QByteArray numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ";
        return kStrings + kRuntimeTable + kKernelTable + "CREATE TABLE NVTX_EVENTS" + kNvtxColumns + numbers + count +
               ") INSERT INTO NVTX_EVENTS SELECT i * 1000, i * 1000 + 900, 59, NULL, 'step_' || i, " + kTid301 +
               ", NULL, NULL, 0, NULL FROM n;" + numbers + count +
               " * 8) INSERT INTO NVTX_EVENTS SELECT i / 8 * 1000 + 10 + i % 8, i / 8 * 1000 + 890 - i % 8, 59, NULL, "
               "'part', " + kTid301 + ", NULL, NULL, 0, NULL FROM n;" + numbers + count +
               ") INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i * 1000 + 100, i * 1000 + 110, 0, " + kTid301 +
               ", i + 1, 1, 0 FROM n;" + numbers + count +
               ") INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i * 1000 + 2000, i * 1000 + 2100 + i % 7, 0, 1, 7, i + 1, " +
               kPid300 + ", 2, 2, 1, 1 FROM n;";
    };
    const auto small = openSql(sqlOf(100));
    QVERIFY(small != nullptr);
    QCOMPARE(int(small->steps.size()), 100);
    for (const Step& step : small->steps) { // by hand: the kernel of step i runs from i * 1000 + 2000 on
        QCOMPARE(step.device->beginNs, step.number * 1000 + 2000);
        QCOMPARE(step.device->endNs, step.number * 1000 + 2100 + step.number % 7);
    }
    const auto timed = [&](int steps) {
        const QByteArray bytes = databaseOf(sqlOf(steps));
        QElapsedTimer timer;
        timer.start();
        const auto profile = openBytes(bytes);
        return profile == nullptr ? -1 : timer.elapsed();
    };
    const qint64 once = timed(20'000);
    const qint64 fourTimes = timed(80'000);
    QVERIFY(once >= 0 && fourTimes >= 0);
    QVERIFY2(fourTimes < once * 10 + 500, qPrintable(QString("%1 ms and %2 ms").arg(once).arg(fourTimes)));
}

QTEST_GUILESS_MAIN(TestNsys)
#include "tst_nsys.moc"
