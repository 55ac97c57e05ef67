// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of Nsight Systems, made here: what their tables become.
#include "support/NsysSql.h"

#include <QElapsedTimer>
#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

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
    void normalisedTimes();
    void unknownTables();
    void rankOfTheEnvironment();
    void compressed();
    void manyNestedRanges();
};

void TestNsys::everyTable()
{
    const auto profile = openSql(
        minimal() + kMemcpyTable + kSession + "CREATE TABLE NVTX_EVENTS" + kNvtxColumns +
        insert("CUPTI_ACTIVITY_KIND_MEMCPY", "3000,3100,0,1,7,8," + kPid300 + ",4096,1,0,2") +
        call("2600", "2700", "8", kTid301, "4") + range("900", "2800", "59", "'step_41'") +
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, correlationId, globalPid, "
        "value, bytes, memKind);" +
        insert("CUPTI_ACTIVITY_KIND_MEMSET", "3200,3210,0,1,7,NULL," + kPid300 + ",0,64,2") +
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
    const auto profile =
        openSql(kStrings + kRuntimeTable + kKernelTable + call("1000", "1010", "7") +
                call("5000", "5010", "7", kTid400) + call("6000", "6010", "8", kTid400) + kernel("1100", "1200", "7") +
                kernel("5100", "5200", "7", kPid400, "3") + kernel("7000", "7100", "8", kPid300));
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
        return "CREATE TABLE " + name + kNvtxColumns +
               range("10", "30", "59", "'forward of " + name + "'", "NULL,NULL,NULL,0,NULL", name);
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
        minimal() + "CREATE TABLE NVTX_EVENTS" + kNvtxColumns +
        range("5", "NULL", "75", "'NCCL'", "NULL,NULL,NULL,2,NULL") + range("100", "200", "59", "'outer'") +
        range("110", "150", "59", "NULL", "NULL,NULL,5,2,NULL") + range("120", "NULL", "34", "'mark'") +
        range("130", "900", "60", "'overlapping a'") + range("140", "950", "60", "'overlapping b'") +
        range("300", "NULL", "59", "'never closed'") + range("400", "NULL", "37", "'raw'", "77,NULL,NULL,0,NULL") +
        range("480", "NULL", "38", "NULL", "77,NULL,NULL,0,NULL") + range("500", "NULL", "35", "'pushed'") +
        range("520", "NULL", "36", "NULL") + range("600", "610", "70", "NULL", "NULL,NULL,NULL,0,'{\"size\":4}'") +
        range("620", "630", "64", "'unknown'") + range("640", "650", "59", "NULL", "NULL,NULL,NULL,9,NULL"));
    QVERIFY(profile != nullptr);
    const auto span = [&](const char* name) {
        const TimeSpan found = profile->sliceSpan(sliceNamed(*profile, name));
        return std::pair(found.beginNs, found.endNs);
    };
    QCOMPARE(span("outer"), std::pair(std::int64_t(100), std::int64_t(200)));
    QCOMPARE(span("forward"), std::pair(std::int64_t(110), std::int64_t(150)));       // a registered string
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
        "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (281474976710656, 0, 'GPU Metrics', 4, 'SMs Active [Throughput "
        "%]'),"
        " (281474976710656, 0, 'GPU Metrics', 5, 'GPC Clock Frequency [MHz]');"
        "CREATE TABLE GENERIC_EVENTS (rawTimestamp, timestamp, typeId, data);"
        "INSERT INTO GENERIC_EVENTS VALUES (0, 1300, 0, '{\"GR Active\":\"55\",\"Name\":\"x\"}'), (0, 1400, 0, "
        "'broken');"
        "CREATE TABLE SCHED_EVENTS (start, cpu, isSchedIn, globalTid);"
        "INSERT INTO SCHED_EVENTS VALUES (1000, 3, 1, 0), (1500, 3, 0, 0);"
        "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start, globalPid, deviceId, bytes, memKind, memoryOperationType);"
        "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (1000, " +
        kPid300 + ", 0, 100, 2, 0), (1100, " + kPid300 + ", 0, 50, 2, 0), (1200, " + kPid300 + ", 0, 100, 2, 1);");
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

void TestNsys::normalisedTimes()
{
    for (const QByteArray& note : {QByteArray(), insert("META_DATA_EXPORT", "'EXPORT_PARAM_TIME_NORMALIZE','true'")}) {
        const auto profile =
            openSql(kStrings + kRuntimeTable + kSession + note + call("1700000000000000100", "1700000000000000200"));
        QVERIFY(profile != nullptr);
        QCOMPARE(*profile->originUnixNs + profile->span.beginNs, std::int64_t(1'700'000'000'000'000'100));
    }
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

void TestNsys::rankOfTheEnvironment()
{
    // A launcher's own variables say nothing about the several processes below it; MPI says who is who.
    const auto profile = openSql(minimal() + call("3000", "3010", "9", kTid400) +
                                 "CREATE TABLE META_DATA_CAPTURE (name, value);"
                                 "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'RANK=5');"
                                 "CREATE TABLE MPI_RANKS (globalTid, rank);" +
                                 insert("MPI_RANKS", kTid400 + ",1"));
    QVERIFY(profile != nullptr);
    for (const Process& process : profile->processes)
        QCOMPARE(process.rank, process.pid == "400" ? std::optional<std::int64_t>(1) : std::nullopt);
}

void TestNsys::compressed()
{
    const auto profile = openBytes(gzipped(databaseOf(minimal())));
    QVERIFY(profile != nullptr);
    QCOMPARE(profile->format, std::string("nsys"));
    QCOMPARE(int(profile->links.size()), 1);
    QCOMPARE(fieldsOf(*profile, sliceNamed(*profile, "void gemm<float>(float*)"))["gridX"], std::string("64"));
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
               "'part', " +
               kTid301 + ", NULL, NULL, 0, NULL FROM n;" + numbers + count +
               ") INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i * 1000 + 100, i * 1000 + 110, 0, " + kTid301 +
               ", i + 1, 1, 0 FROM n;" + numbers + count +
               ") INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i * 1000 + 2000, i * 1000 + 2100 + i % 7, 0, 1, 7, i + "
               "1, " +
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
