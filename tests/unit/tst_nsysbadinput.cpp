// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of Nsight Systems with the faults that real and hostile files have.
#include "importers/OpenProfile.h"
#include "support/NsysSql.h"

#include <QDir>
#include <QElapsedTimer>
#include <QtTest>
#include <thread>

using namespace stepscope;
using namespace stepscope::test;

class TestNsysBadInput : public QObject
{
    Q_OBJECT

private slots:
    void missingColumns();
    void stringsWithoutIndex();
    void faultyTimes();
    void invalidText();
    void viewsAndTriggersAreNoTables();
    void virtualTablesAreNoTables();
    void hostileSchema();
    void generatedColumnsAreNotRun();
    void environmentsStayInside();
    void writeAheadLog();
    void lockedFiles();
    void truncatedAnywhere();
    void garbageBehindTheHeader();
    void errors_data();
    void errors();
    void gzipBomb();
    void neverModifiesTheFile();
    void cancelStopsLoading();
    void changedFilesAreNotRead();
};

void TestNsysBadInput::missingColumns()
{
    // Kernels without a start cannot be shown; the calls can, though they lack ids and classes.
    const auto profile = openSql(kStrings + "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, nameId);"
                                            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 20, 1);"
                                            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (begin, duration, deviceId);"
                                            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0);");
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->slices.size()), 1);
    QCOMPARE(countFor(*profile, DiagnosticCode::MissingColumn, "CUPTI_ACTIVITY_KIND_KERNEL.start"), std::uint64_t(1));
}

void TestNsysBadInput::stringsWithoutIndex()
{
    QByteArray sql = "CREATE TABLE StringIds (id INTEGER, value TEXT);" + kRuntimeTable;
    for (int id = 0; id < 20'000; ++id) {
        const QByteArray number = QByteArray::number(id);
        sql += insert("StringIds", number + ",'api" + number + "'") +
               call(number + "0", number + "5", number, kTid301, number);
    }
    const QByteArray bytes = databaseOf(sql);
    QElapsedTimer timer;
    timer.start();
    const auto profile = openBytes(bytes);
    QVERIFY(profile != nullptr);
    QVERIFY(timer.elapsed() < 3000); // a scan per string would take minutes
    QVERIFY(sliceNamed(*profile, "api19999").valid());
}

void TestNsysBadInput::faultyTimes()
{
    const auto profile =
        openSql(minimal() + kernel("NULL", "10") + kernel("9223372036854775807", "9223372036854775807") +
                kernel("-9223372036854775808", "5") + kernel("100", "9223372036854775807") +
                kernel("3000", "NULL", "7", kPid300, "3") + kernel("4000", "3900") + kernel("'soon'", "20") +
                kernel("-500", "-400", "7", kPid300, "99"));
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

void TestNsysBadInput::invalidText()
{
    const auto profile =
        openSql(kStrings + kRuntimeTable + "INSERT INTO StringIds VALUES (50, CAST(X'61ff62' AS TEXT));" +
                call("10", "20", "1", kTid301, "50"));
    QVERIFY(profile != nullptr);
    QVERIFY(sliceNamed(*profile, "a\xEF\xBF\xBD"
                                 "b")
                .valid());
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::RepairedEvent), std::uint64_t(1));
}

void TestNsysBadInput::viewsAndTriggersAreNoTables()
{
    const auto profile =
        openSql(minimal() +
                "CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT start + 1 FROM n) "
                "SELECT start, start + 1 AS end, 59 AS eventType, 'evil' AS text FROM n;"
                "CREATE VIEW TARGET_INFO_GPU AS SELECT randomblob(1000000000) AS id, 'evil' AS name;"
                "CREATE TRIGGER OSRT_API AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END;");
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->slices.size()), 2);
    QCOMPARE(profile->devices[0].model, std::string());
}

void TestNsysBadInput::virtualTablesAreNoTables()
{
    const auto profile = openSql(minimal() + "CREATE VIRTUAL TABLE NVTX_EVENTS USING rtree(id, start, end);");
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->slices.size()), 2);
    QCOMPARE(countFor(*profile, DiagnosticCode::MissingTable, "NVTX_EVENTS"), std::uint64_t(1));
}

void TestNsysBadInput::hostileSchema()
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

void TestNsysBadInput::generatedColumnsAreNotRun()
{
    const auto profile = openSql(
        minimal() + "CREATE TABLE OSRT_API (start, end AS (length(hex(zeroblob(100000000)))), nameId, globalTid);"
                    "INSERT INTO OSRT_API (start, nameId, globalTid) VALUES (1, 8, 5);");
    QVERIFY(profile != nullptr);
    QCOMPARE(int(profile->slices.size()), 2);
    QCOMPARE(countFor(*profile, DiagnosticCode::MissingColumn, "OSRT_API.end"), std::uint64_t(1));
}

void TestNsysBadInput::environmentsStayInside()
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

void TestNsysBadInput::writeAheadLog()
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

void TestNsysBadInput::lockedFiles()
{
    const TempFolder folder;
    const std::string path = folder.path("locked.sqlite");
    OpenDatabase writer(path, minimal());
    writer.run("BEGIN EXCLUSIVE");
    const auto opened = open(path);
    QVERIFY(opened.ok());
    QCOMPARE(int(opened.value()->slices.size()), 2);
}

void TestNsysBadInput::truncatedAnywhere()
{
    QByteArray sql = minimal();
    for (int index = 0; index < 2000; ++index)
        sql += kernel(QByteArray::number(index * 10), QByteArray::number(index * 10 + 5));
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

void TestNsysBadInput::garbageBehindTheHeader()
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

void TestNsysBadInput::errors_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("native report") << QByteArray("NVIDIA Tegra Profiler Report\n\0\1\2", 32)
                                   << "nsys export --type sqlite --output report.sqlite report.nsys-rep";
    QTest::newRow("no events") << databaseOf(kStrings + kRuntimeTable + kKernelTable)
                               << "none of its tables holds an event";
    QTest::newRow("another database") << databaseOf("CREATE TABLE recipes (name, text)") << "SQLite database";
    QTest::newRow("empty database") << databaseOf("CREATE TABLE x (a); DROP TABLE x") << "SQLite database";
    QTest::newRow("header alone") << databaseOf(minimal()).left(100) << "damaged";
    QTest::newRow("magic alone") << QByteArray("SQLite format 3\0", 16) << "damaged";
}

void TestNsysBadInput::errors()
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

void TestNsysBadInput::gzipBomb()
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

void TestNsysBadInput::neverModifiesTheFile()
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

void TestNsysBadInput::cancelStopsLoading()
{
    const TempFolder folder;
    const std::string path = folder.write(
        "report.sqlite",
        databaseOf(kStrings + kRuntimeTable +
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

void TestNsysBadInput::changedFilesAreNotRead()
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

QTEST_GUILESS_MAIN(TestNsysBadInput)
#include "tst_nsysbadinput.moc"
