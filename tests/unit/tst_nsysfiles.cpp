// SPDX-License-Identifier: GPL-3.0-or-later
// Every recorded export of Nsight Systems against facts that independent scripts computed from the same files.
#include "analysis/LinkQuery.h"
#include "analysis/SliceDetails.h"
#include "cli/InfoCommand.h"
#include "support/TempFiles.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>
#include <set>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

const QString kFolder = QStringLiteral(STEPSCOPE_SHARED_DIR "/profiles/");

qint64 integer(const QJsonValue& value) { return value.toInteger(); }

std::string_view categoryOf(const Profile& profile, std::uint32_t slice)
{
    return profile.strings.view(profile.categories[profile.slices.category[slice]]);
}

/// The facts' span leaves out the profiler's own overhead and everything that is no slice.
TimeSpan spanOfTheFacts(const Profile& profile)
{
    TimeSpan span{INT64_MAX, INT64_MIN};
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (categoryOf(profile, slice) != "overhead") span = span.united(profile.sliceSpan({slice}));
    return span;
}

std::uint64_t slicesOf(const Profile& profile, std::string_view category)
{
    std::uint64_t count = 0;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (categoryOf(profile, slice).starts_with(category)) ++count;
    return count;
}

} // namespace

class TestNsysFiles : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void agreesWithFacts_data();
    void agreesWithFacts();
    void nativeReportIsExplained();
    void oneSliceOfEach_data();
    void oneSliceOfEach();
    void everySliceIsFoundAgain();

private:
    static void compareDevices(const QJsonObject& info, const QJsonObject& facts);
    static void compareKernels(const QJsonObject& info, const QJsonObject& facts);
    static void compareHost(const Profile& profile, const QJsonObject& facts);
};

void TestNsysFiles::initTestCase()
{
    if (!QFileInfo::exists(kFolder + "facts.jsonl")) QSKIP("the folder of recorded profiles is not here");
}

void TestNsysFiles::agreesWithFacts_data()
{
    QTest::addColumn<QJsonObject>("facts");
    QFile file(kFolder + "facts.jsonl");
    QVERIFY(file.open(QIODevice::ReadOnly));
    while (!file.atEnd()) {
        const QJsonObject facts = QJsonDocument::fromJson(file.readLine()).object();
        const QString path = facts["path"].toString();
        if (path.startsWith("nsys/") && path.endsWith(".sqlite")) QTest::newRow(qPrintable(path)) << facts;
    }
}

void TestNsysFiles::agreesWithFacts()
{
    QFETCH(QJsonObject, facts);
    const auto opened = open((kFolder + facts["path"].toString()).toStdString());
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().sentence().c_str());
    const Profile& profile = *opened.value();
    const QJsonObject info = QJsonDocument::fromJson(QByteArray::fromStdString(infoJson(profile))).object();
    QCOMPARE(info["format"].toString(), QString("nsys"));
    const TimeSpan span = spanOfTheFacts(profile);
    QCOMPARE(span.beginNs, integer(facts["first_ns"]));
    QCOMPARE(span.lengthNs(), integer(facts["span_ns"]));
    QVERIFY(profile.span.beginNs <= span.beginNs && profile.span.endNs >= span.endNs);
    compareHost(profile, facts);
    const QJsonObject kinds = info["slices"].toObject()["by_kind"].toObject();
    QCOMPARE(integer(kinds["kernel"]), integer(facts["kernels"]));
    QCOMPARE(integer(kinds["memcpy"]), integer(facts["memcpys"]));
    QCOMPARE(integer(kinds["memset"]), integer(facts["memsets"]));
    QCOMPARE(integer(info["links"].toObject()["linked_runs"]), integer(facts["linked"]));
    QCOMPARE(integer(info["links"].toObject()["unlinked_runs"]),
             integer(facts["device_slices"]) - integer(facts["linked"]));
    if (facts.contains("busy_ns")) compareDevices(info, facts);
    if (facts.contains("top5_kernels")) compareKernels(info, facts);
    for (const Diagnostic& diagnostic : profile.diagnostics)
        QVERIFY2(diagnostic.severity != Severity::DataLoss, diagnostic.message.c_str());
}

void TestNsysFiles::compareHost(const Profile& profile, const QJsonObject& facts)
{
    const QJsonObject rows = facts["rows"].toObject();
    QCOMPARE(qint64(slicesOf(profile, "cuda_")),
             integer(rows["CUPTI_ACTIVITY_KIND_RUNTIME"]) + integer(rows["CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"]));
    QCOMPARE(qint64(slicesOf(profile, "cuda_sync")), integer(rows["CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"]));
    QCOMPARE(qint64(slicesOf(profile, "osrt")), integer(rows["OSRT_API"]));
    QCOMPARE(qint64(slicesOf(profile, "overhead")),
             integer(rows["PROFILER_OVERHEAD"]) + integer(rows["CUPTI_ACTIVITY_KIND_OVERHEAD"]));
    QCOMPARE(qint64(slicesOf(profile, "nvtx")), integer(facts["nvtx_ranges"]));
    std::size_t samples = 0;
    for (const CounterSeries& counter : profile.counters) samples += counter.value.size();
    QCOMPARE(qint64(samples), integer(rows["SCHED_EVENTS"]) + integer(rows["COMPOSITE_EVENTS"]));
    std::set<std::string_view> names;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.slices.kind[slice] == SliceKind::Annotation) names.insert(profile.sliceName({slice}));
    // The facts have 16,546 names for this file, but it holds 16,551 different texts and 5 registered strings: sqlite3
    // counts 16,556 DISTINCT COALESCE(text, StringIds.value).
    const bool miscounted = facts["path"].toString().endsWith("mfu_2gpu_after.sqlite");
    QCOMPARE(qint64(names.size()), miscounted ? 16556 : integer(facts["nvtx_range_names"]));
}

void TestNsysFiles::compareDevices(const QJsonObject& info, const QJsonObject& facts)
{
    QJsonObject busy;
    QSet<QString> streams;
    for (const QJsonValue value : info["devices"].toArray()) {
        const QJsonObject device = value.toObject();
        const QString number = device["name"].toString().section('-', 1);
        busy[number] = device["busy_ns"];
        for (const QJsonValue stream : device["streams"].toArray()) streams += number + "/" + stream.toString();
    }
    QCOMPARE(busy, facts["busy_ns"].toObject());
    QSet<QString> expected;
    for (const QJsonValue stream : facts["stream_list"].toArray()) expected += stream.toString();
    QCOMPARE(streams, expected);
}

void TestNsysFiles::compareKernels(const QJsonObject& info, const QJsonObject& facts)
{
    const QJsonObject kernels = info["kernels"].toObject();
    QCOMPARE(integer(kernels["names"]), integer(facts["kernel_names"]));
    QCOMPARE(integer(kernels["total_ns"]), integer(facts["kernel_total_ns"]));
    const QJsonArray top = kernels["top"].toArray();
    const QJsonArray expected = facts["top5_kernels"].toArray();
    QCOMPARE(top.size(), expected.size());
    for (qsizetype place = 0; place < top.size(); ++place) {
        const QJsonArray fact = expected[place].toArray();
        // Facts cut long names. Of two names with the same time either may come first.
        if (integer(fact[1]) != integer(expected[(place + 1) % expected.size()].toArray()[1]) &&
            (place == 0 || integer(fact[1]) != integer(expected[place - 1].toArray()[1])))
            QVERIFY(top[place].toObject()["name"].toString().startsWith(fact[0].toString()));
        QCOMPARE(integer(top[place].toObject()["total_ns"]), integer(fact[1]));
        QCOMPARE(integer(top[place].toObject()["count"]), integer(fact[2]));
    }
}

void TestNsysFiles::nativeReportIsExplained()
{
    const auto opened = open((kFolder + "nsys/jax-toolbox/pdl_2p2c.first-54-bytes.nsys-rep").toStdString());
    QVERIFY(!opened.ok());
    QVERIFY(opened.error().advice.find("nsys export --type sqlite --output pdl_2p2c.first-54-bytes.sqlite "
                                       "pdl_2p2c.first-54-bytes.nsys-rep") != std::string::npos);
}

void TestNsysFiles::oneSliceOfEach_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<qint64>("startNs");
    QTest::addColumn<qint64>("durNs");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("track");
    QTest::addColumn<QMap<QString, QString>>("fields");
    // Read from the files with the sqlite3 program.
    using Fields = QMap<QString, QString>;
    QTest::newRow("h100")
        << "nsys/nsys-ai/h100_2gpu_1s.sqlite" << qint64(156320768528) << qint64(7680)
        << "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4_"
           "alignc4_execute_split_k_kernel__5x_cublas"
        << "stream 7"
        << Fields{{"deviceId", "0"}, {"correlationId", "1465695"},    {"registersPerThread", "255"}, {"gridX", "1"},
                  {"blockX", "128"}, {"dynamicSharedMemory", "33792"}};
    QTest::newRow("mfu") << "nsys/nsys-ai/mfu_2gpu_after.sqlite" << qint64(73196970265) << qint64(3360)
                         << "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda("
                         << "stream 15"
                         << Fields{{"deviceId", "1"}, {"contextId", "2"}, {"correlationId", "2663914"}, {"gridX", "3"}};
    QTest::newRow("healthy") << "nsys/nsys-ai/healthy_1pct.sqlite" << qint64(401980000) << qint64(1000000)
                             << "void at::native::elementwise_add<float>(float*, float*)"
                             << "stream 7" << Fields{{"correlationId", "498"}, {"gridX", "128"}, {"blockX", "256"}};
    QTest::newRow("mock") << "nsys/nsys-ai/mock.sqlite" << qint64(1517727052) << qint64(1440)
                          << "void at::native::vectorized_elementwise_kernel<(int)4, at::native::FillFunctor<float>"
                          << "stream 7" << Fields{{"correlationId", "143"}, {"registersPerThread", "16"}};
    QTest::newRow("fuser 2025") << "nsys/nvidia-fuser/report1.2011136.sqlite" << qint64(9030640579) << qint64(2115529)
                                << "nvjet_tst_256x128_64x4_1x2_h_bz_coopA_NNT"
                                << "stream 7" << Fields{{"blockX", "384"}, {"dynamicSharedMemory", "213188"}};
    QTest::newRow("fuser 2024")
        << "nsys/nvidia-fuser/report1.581632.sqlite" << qint64(1268166779) << qint64(4512)
        << "void at::native::vectorized_elementwise_kernel<(int)4, at::native::BinaryFunctor<bool"
        << "stream 7" << Fields{{"gridX", "4096"}, {"correlationId", "1660"}};
    QTest::newRow("cloverleaf") << "nsys/pipit/perlmutter-cloverleaf-cuda.sqlite" << qint64(873750504) << qint64(562622)
                                << "void clover::par_ranged2d_kernel<ideal_gas_kernel("
                                << "stream 7" << Fields{{"gridX", "115200"}, {"registersPerThread", "22"}};
    QTest::newRow("os runtime") << "nsys/python_c_nvidia/report1.sqlite" << qint64(34151244) << qint64(10)
                                << "pthread_cond_signal"
                                << "thread "
                                << Fields{
                                       {"nameId", "pthread_cond_signal"}, {"nestingLevel", "0"}, {"table", "OSRT_API"}};
    QTest::newRow("memset") << "nsys/weatherbench2/report1.sqlite" << qint64(554351169) << qint64(1472)
                            << "Memset (Device)"
                            << "stream 13"
                            << Fields{{"bytes", "4608"}, {"memKind", "Device (2)"}, {"globalPid", "pid 2568473"}};
}

void TestNsysFiles::oneSliceOfEach()
{
    QFETCH(QString, path);
    QFETCH(qint64, startNs);
    QFETCH(qint64, durNs);
    QFETCH(QString, name);
    QFETCH(QString, track);
    using Fields = QMap<QString, QString>;
    QFETCH(Fields, fields);
    const auto opened = open((kFolder + path).toStdString());
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    SliceId found;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.slices.startNs[slice] == startNs && profile.slices.durNs[slice] == durNs &&
            profile.sliceName({slice}).starts_with(name.toStdString()))
            found = {slice};
    QVERIFY(found.valid());
    QVERIFY2(profile.track(profile.trackOf(found)).name.starts_with(track.toStdString()),
             profile.track(profile.trackOf(found)).name.c_str());
    const auto told = sourceFieldsOf(profile, found);
    QVERIFY(told.has_value());
    QMap<QString, QString> values;
    for (const SourceField& field : *told)
        values[QString::fromStdString(field.key)] = QString::fromStdString(field.value);
    QCOMPARE(values["start"].toLongLong(), startNs);
    for (auto field = fields.begin(); field != fields.end(); ++field) QCOMPARE(values[field.key()], field.value());
}

void TestNsysFiles::everySliceIsFoundAgain()
{
    const auto opened = open((kFolder + "nsys/nsys-ai/mfu_2gpu_after.sqlite").toStdString());
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    for (std::uint32_t slice = 0; slice < profile.slices.size(); slice += 7) {
        const auto fields = sourceFieldsOf(profile, {slice});
        QVERIFY(fields.has_value());
        bool started = false;
        for (const SourceField& field : *fields)
            started = started || (field.key == "start" && field.value == std::to_string(profile.slices.startNs[slice]));
        QVERIFY(started);
    }
}

QTEST_GUILESS_MAIN(TestNsysFiles)
#include "tst_nsysfiles.moc"
