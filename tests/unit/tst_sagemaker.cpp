// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/SliceDetails.h"
#include "importers/OpenProfile.h"
#include "importers/sagemaker/FileName.h"
#include "support/TraceTexts.h"

#include <QFileInfo>
#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

const QString kFolder = QStringLiteral(STEPSCOPE_SHARED_DIR "/profiles/sagemaker-debugger/sagemaker-debugger/");

/// formats/vectors.md, section 9.
const QByteArray kMetrics =
    R"({"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":12.50,"NodeId":"algo-1","Timestamp":1714550400.5}
{"Type":"gpu","Name":"gpu0","Dimension":"GPUUtilization","Value":88.00,"NodeId":"algo-1","Timestamp":1714550400.5}
{"Type":"gpu","Name":"gpu0","Dimension":"GPUMemoryUtilization","Value":40.10,"NodeId":"algo-1","Timestamp":17145504)";

/// formats/vectors.md, section 10: the closing bracket is missing.
const QByteArray kTimeline =
    R"([{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1714550400000000}},
 {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}},
 {"name": "Step:ModeKeys.TRAIN", "ph": "X", "pid": 1, "tid": 0, "ts": 250000, "dur": 100000, "args": {"pid": "77", "step_num": "5"}})";

constexpr std::int64_t kSecond = 1'000'000'000;

} // namespace

class TestSageMaker : public QObject
{
    Q_OBJECT

private slots:
    void fileNames();
    void metricsBecomeCounters();
    void timelineBecomesSteps();
    void manyFilesAreOneRecording();
    void traceAndMetricsOfOneJob();
    void hopelessFilesAreRefused();
    void truncatedAnywhere();
    void recordedFolder();
};

void TestSageMaker::fileNames()
{
    const auto name = sagemaker::timelineName("a/1594662614815222_905-b88ab1bb8259_model_timeline.json");
    QCOMPARE(name.pid, std::string("905"));
    QCOMPARE(name.node, std::string("b88ab1bb8259"));
    QCOMPARE(name.writer, std::string("model"));
    QCOMPARE(sagemaker::timelineName("1589930988000000_4487_0000_pythontimeline.json").pid, std::string("4487"));
    QCOMPARE(sagemaker::timelineName("trace.json").pid, std::string());
}

void TestSageMaker::metricsBecomeCounters()
{
    const TempFolder folder;
    const auto opened = open(folder.write("28575840.algo-1.json", kMetrics));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(profile.format, std::string("sagemaker-debugger"));
    QCOMPARE(profile.hosts.size(), std::size_t{1});
    QCOMPARE(profile.hosts[0].name, std::string("algo-1"));
    QCOMPARE(profile.counters.size(), std::size_t{2});
    QCOMPARE(diagnosticCount(profile, DiagnosticCode::BrokenRecord), std::uint64_t{1});
    QCOMPARE(profile.span.beginNs, 1714550400 * kSecond + kSecond / 2);
    const QByteArray tree = printedTree(profile);
    QVERIFY2(tree.contains("CPU-0"), tree);
    QVERIFY2(tree.contains("GPU-0 · GPUUtilization"), tree);
    for (const CounterSeries& series : profile.counters) {
        QCOMPARE(series.unit, std::string("%"));
        QCOMPARE(series.value.front(), series.name.find("CPU") == 0 ? 12.5 : 88.0);
    }
}

void TestSageMaker::timelineBecomesSteps()
{
    const TempFolder folder;
    const auto opened = open(folder.write("1714550460000000_77-algo-2_model_timeline.json", kTimeline));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(profile.slices.size(), std::size_t{1});
    QCOMPARE(profile.hosts[0].name, std::string("algo-2"));
    QCOMPARE(profile.slices.startNs[0], 1714550400 * kSecond + kSecond / 4);
    QCOMPARE(profile.slices.durNs[0], kSecond / 10);
    QCOMPARE(profile.steps.size(), std::size_t{1});
    QCOMPARE(profile.steps[0].number, std::int64_t{5});
    const auto fields = sourceFieldsOf(profile, {0});
    QVERIFY(fields.has_value());
    QCOMPARE(fields->back().key, std::string("step_num"));
    QCOMPARE(fields->back().value, std::string("5"));
}

void TestSageMaker::manyFilesAreOneRecording()
{
    const TempFolder folder;
    (void)folder.write("out/system/incremental/2024050108/1714550400.algo-1.json", kMetrics);
    for (int part = 0; part < 3; ++part) {
        QByteArray later = kTimeline;
        later.replace("\"ts\": 250000", "\"ts\": " + QByteArray::number(250000 + part * 1000000));
        later.replace("\"step_num\": \"5\"", "\"step_num\": \"" + QByteArray::number(5 + part) + "\"");
        (void)folder.write("out/framework/pevents/2024050108/171455046" + std::to_string(part) +
                               "000000_77-algo-1_model_timeline.json",
                           later);
    }
    const auto opened = open(folder.path("out"));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(profile.format, std::string("sagemaker-debugger"));
    QCOMPARE(profile.fileCount(), std::size_t{4});
    QCOMPARE(profile.hosts.size(), std::size_t{1});
    QCOMPARE(profile.processes.size(), std::size_t{1}); // the same process in all files
    QCOMPARE(profile.processes[0].threads, 1u);
    QCOMPARE(profile.steps.size(), std::size_t{3});
    for (std::uint32_t slice = 0; slice < 3; ++slice) {
        const auto fields = sourceFieldsOf(profile, {slice});
        QVERIFY(fields.has_value());
        QCOMPARE(fields->back().value, std::to_string(5 + slice));
    }
    QVERIFY2(printedTree(profile).contains("Step:ModeKeys.TRAIN"), printedTree(profile));
}

void TestSageMaker::traceAndMetricsOfOneJob()
{
    const TempFolder folder;
    // The trace begins 100 us after 1'700'000'000 s, its kernel 21.25 us later; the metric is of 1 s after the base.
    folder.write("rank3.json", kKinetoVector);
    folder.write("system/1700000000.algo-1.json",
                 R"({"Type":"gpu","Name":"gpu0","Dimension":"GPUUtilization","Value":88.00,"NodeId":"algo-1",)"
                 R"("Timestamp":1700000001.0})");
    const auto result = open(folder.path());
    QVERIFY(result.ok());
    const Profile& profile = *result.value();
    QCOMPARE(profile.files.size(), std::size_t{2});
    const auto metric = std::find_if(profile.counters.begin(), profile.counters.end(),
                                     [](const CounterSeries& series) { return series.unit == "%"; });
    QVERIFY(metric != profile.counters.end());
    const std::int64_t kernelNs =
        profile.slices.startNs[sliceNamed(profile, "nvjet_tst_64x64_64x6_1x1_v_bz_TNN").value];
    QCOMPARE(metric->timeNs.front() - kernelNs, kSecond - 121'250);
}

void TestSageMaker::hopelessFilesAreRefused()
{
    const TempFolder folder;
    const auto opened =
        open(folder.write("a.json", R"({"Type":"cpu","Dimension":"x","NodeId":"n","Timestamp":"never","Value":1})"
                                    "\n"));
    QVERIFY(!opened.ok());
    QVERIFY2(opened.error().sentence().find("no line of it is a whole sample") != std::string::npos,
             opened.error().sentence().c_str());
}

void TestSageMaker::truncatedAnywhere()
{
    const TempFolder folder;
    for (const QByteArray& whole : {kMetrics, kTimeline})
        for (qsizetype size = 1; size < whole.size(); size += 7)
            (void)open(folder.write("1_2-n_model_timeline.json", whole.left(size))); // must neither crash nor hang
}

void TestSageMaker::recordedFolder()
{
    if (!QFileInfo::exists(kFolder)) QSKIP("the folder of recorded profiles is not here");
    const auto opened = open((kFolder + "merge_traces").toStdString());
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    // X events of the three files, from the independent facts: 1 + 661 + 40.
    QCOMPARE(profile.slices.size(), std::size_t{702});
    const auto metrics = open((kFolder + "1591160699.algo-1.json").toStdString());
    QVERIFY(metrics.ok());
    std::size_t samples = 0;
    for (const CounterSeries& series : metrics.value()->counters) samples += series.value.size();
    QCOMPARE(samples, std::size_t{14});
    QCOMPARE(metrics.value()->span.beginNs, std::int64_t{1591160699'457089400});
    QCOMPARE(metrics.value()->span.endNs, std::int64_t{1591170699'457080000});
}

QTEST_GUILESS_MAIN(TestSageMaker)
#include "tst_sagemaker.moc"
