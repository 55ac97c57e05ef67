// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/LinkQuery.h"
#include "analysis/ProfileSummary.h"
#include "profile/StepName.h"
#include "support/ProfileFixture.h"
#include "support/TempFiles.h"

#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

class TestProfileBuilder : public QObject
{
    Q_OBJECT

private slots:
    void treeOfOneRank();
    void treeSortsNaturally();
    void hostRowsOfTwoDevices();
    void oneLaunchManyRuns();
    void missingEndsStayUnlinked();
    void negativeLatencyIsKept();
    void correlationsOfTwoFilesStayApart();
    void sameCorrelationPrefersTheLaunch();
    void flowsBindToEnclosingSlices();
    void stepNames_data();
    void stepNames();
    void stepsFromHostAnnotations();
    void stepsOnlyOnTheDevice();
    void busyIsAUnion();
    void nothingIsLostInSorting();
    void parentsAndSelfTime();
    void clocksOfFilesAreAligned();
    void unalignedFilesAreSaidToBe();
    void changesBecomeRunningSums();
    void pairsOfBeginAndEnd();
    void indexStaysSmall();
    void orderOfArrivalDoesNotMatter();
};

void TestProfileBuilder::treeOfOneRank()
{
    ProfileFixture fixture;
    fixture.host("100", "ProfilerStep#3", 0, 1000, SliceKind::Annotation)
        .host("100", "aten::mm", 10, 100)
        .host("100", "cudaLaunchKernel", 20, 10, SliceKind::Runtime, 7)
        .host("101", "aten::add", 5, 5)
        .device(0, "7", "gemm", 200, 50, SliceKind::Kernel, 7)
        .device(0, "20", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 300, 50)
        .device(0, "7", "ProfilerStep#3", 200, 50, SliceKind::DeviceAnnotation);
    fixture.builder().setProcessName(0, "python");
    FileFacts facts;
    facts.host = "algo-1";
    facts.rank = 5;
    fixture.builder().setFileFacts(0, facts);
    const auto profile = fixture.finish();
    QCOMPARE(printedTree(*profile), QByteArray("algo-1\n"
                                               "  GPUs\n"
                                               "    rank 5 · python · pid 100\n"
                                               "      steps [1]\n"
                                               "      GPU-0 utilisation\n"
                                               "      GPU-0 host [2]\n"
                                               "      GPU-0 device\n"
                                               "        stream 7 [1]\n"
                                               "        stream 7 annotations [1]\n"
                                               "        stream 20 (nccl) [1]\n"
                                               "      threads\n"
                                               "        thread 100 (main) [3]\n"
                                               "        thread 101 [1]\n"));
}

void TestProfileBuilder::treeSortsNaturally()
{
    ProfileFixture fixture;
    for (const char* stream : {"10", "2", "1"}) fixture.device(1, stream, "kernel", 0, 1);
    fixture.device(0, "7", "kernel", 0, 1).host("100", "op", 0, 1).host("20", "op", 0, 1).host("9", "op", 0, 1);
    const auto profile = fixture.finish();
    QCOMPARE(printedTree(*profile), QByteArray("host\n"
                                               "  GPUs\n"
                                               "    pid 100\n"
                                               "      GPU-0 utilisation\n"
                                               "      GPU-0 device\n"
                                               "        stream 7 [1]\n"
                                               "      GPU-1 utilisation\n"
                                               "      GPU-1 device\n"
                                               "        stream 1 [1]\n"
                                               "        stream 2 [1]\n"
                                               "        stream 10 [1]\n"
                                               "      threads\n"
                                               "        thread 100 (main) [1]\n"
                                               "        thread 9 [1]\n"
                                               "        thread 20 [1]\n"));
}

void TestProfileBuilder::hostRowsOfTwoDevices()
{
    ProfileFixture fixture;
    fixture.host("100", "forward", 0, 50, SliceKind::Annotation)
        .host("100", "cudaLaunchKernel", 10, 5, SliceKind::Runtime, 1)
        .host("100", "backward", 60, 40, SliceKind::Annotation)
        .host("100", "cudaLaunchKernel", 70, 5, SliceKind::Runtime, 2)
        .host("100", "cudaStreamSynchronize", 80, 5, SliceKind::Runtime, 3)
        .device(0, "7", "a", 30, 5, SliceKind::Kernel, 1)
        .device(1, "7", "b", 90, 5, SliceKind::Kernel, 2)
        .device(1, "7", "Stream Sync", 80, 5, SliceKind::DeviceSync, 3);
    const auto profile = fixture.finish();
    const auto shown = [&](std::string_view name) {
        QStringList names;
        for (const Track& track : profile->tracks) {
            if (track.name != name) continue;
            for (std::uint32_t row = track.firstRow; row < track.firstRow + track.rowCount; ++row)
                for (std::size_t index = 0; index < profile->row(row).size(); ++index)
                    names += QString::fromStdString(std::string(profile->sliceName(profile->row(row).id(index))));
        }
        return names;
    };
    QCOMPARE(shown("GPU-0 host"), QStringList({"forward", "cudaLaunchKernel"}));
    QCOMPARE(shown("GPU-1 host"), QStringList({"backward", "cudaLaunchKernel", "cudaStreamSynchronize"}));
}

void TestProfileBuilder::oneLaunchManyRuns()
{
    // Case C24: a graph launch 0 .. 10 with runs 20-30, 30-45, 50-60.
    ProfileFixture fixture;
    fixture.host("100", "cudaGraphLaunch", 0, 10, SliceKind::Runtime, 9)
        .device(0, "7", "a", 20, 10, SliceKind::Kernel, 9)
        .device(0, "7", "b", 30, 15, SliceKind::Kernel, 9)
        .device(0, "7", "c", 50, 10, SliceKind::Kernel, 9);
    const auto profile = fixture.finish();
    const SliceId launch = sliceNamed(*profile, "cudaGraphLaunch");
    const auto runs = runsOf(*profile, launch);
    QCOMPARE(int(runs.size()), 3);
    for (const SliceId run : runs) QCOMPARE(launchOf(*profile, run).value, launch.value);
    QCOMPARE(launchLatencyNs(*profile, launch, sliceNamed(*profile, "b")), std::int64_t(30));
    QVERIFY(runsOf(*profile, sliceNamed(*profile, "a")).empty());
    QVERIFY(!launchOf(*profile, launch).valid());
    const ProfileSummary summary = summarise(*profile);
    QCOMPARE(summary.launches, std::uint64_t(1));
    QCOMPARE(summary.runs, std::uint64_t(3));
    QCOMPARE(profile->busy[profile->devices[0].busy].totalNs(), std::int64_t(35));
}

void TestProfileBuilder::missingEndsStayUnlinked()
{
    ProfileFixture fixture;
    fixture.host("100", "cudaLaunchKernel", 0, 10, SliceKind::Runtime, 1)
        .device(0, "7", "orphan", 20, 10, SliceKind::Kernel, 2)
        .device(0, "7", "bare", 40, 10);
    const auto profile = fixture.finish();
    QCOMPARE(int(profile->links.size()), 0);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::UnlinkedRun), std::uint64_t(2));
    QVERIFY(!launchOf(*profile, sliceNamed(*profile, "orphan")).valid());
}

void TestProfileBuilder::negativeLatencyIsKept()
{
    // Case C09: launch at 100, kernel at 97.
    ProfileFixture fixture;
    fixture.host("100", "cudaLaunchKernel", 100, 8, SliceKind::Runtime, 1)
        .device(0, "7", "early", 97, 20, SliceKind::Kernel, 1);
    const auto profile = fixture.finish();
    QCOMPARE(launchLatencyNs(*profile, profile->links.launch[0], profile->links.run[0]), std::int64_t(-3));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::NegativeLatency), std::uint64_t(1));
    const ProfileSummary summary = summarise(*profile);
    QCOMPARE(*summary.leastLatencyNs, std::int64_t(-3));
    QCOMPARE(summary.negativeLatencies, std::uint64_t(1));
}

void TestProfileBuilder::correlationsOfTwoFilesStayApart()
{
    // Case C30: both files use correlation 7.
    ProfileFixture fixture;
    fixture.host("100", "cudaLaunchKernel", 1000, 2, SliceKind::Runtime, 7)
        .device(0, "7", "first", 1005, 5, SliceKind::Kernel, 7);
    ProfileBuilder& builder = fixture.builder();
    const auto file = builder.addFile("second.json", "kineto", 0);
    RawSlice slice;
    slice.startNs = 3;
    slice.durNs = 2;
    slice.name = builder.strings().intern("second");
    slice.kind = SliceKind::Kernel;
    slice.correlation = 7;
    builder.addSlice(builder.streamLane(builder.device(file, 0, "0"), "7", TrackKind::Stream), slice);
    const auto profile = fixture.finish();
    QCOMPARE(int(profile->links.size()), 1);
    QCOMPARE(profile->links.run[0].value, sliceNamed(*profile, "first").value);
    QCOMPARE(int(profile->devices.size()), 2); // case C32: equal ids in two files are two devices
}

void TestProfileBuilder::sameCorrelationPrefersTheLaunch()
{
    ProfileFixture fixture;
    fixture.host("100", "cudaStreamIsCapturing", 0, 5, SliceKind::Runtime, 4)
        .host("100", "cudaLaunchKernel", 10, 5, SliceKind::Runtime, 4)
        .host("100", "cudaEventRecord", 20, 5, SliceKind::Runtime, 4)
        .device(0, "7", "kernel", 30, 5, SliceKind::Kernel, 4);
    const auto profile = fixture.finish();
    QCOMPARE(profile->links.launch[0].value, sliceNamed(*profile, "cudaLaunchKernel").value);
}

void TestProfileBuilder::flowsBindToEnclosingSlices()
{
    ProfileFixture fixture;
    fixture.host("100", "forward", 0, 100).host("100", "op", 10, 20).host("101", "backward", 200, 50);
    ProfileBuilder& builder = fixture.builder();
    const StringId category = builder.strings().intern("fwdbwd");
    const auto process = builder.process(0, "100");
    builder.addFlowEnd(0, builder.threadLane(process, "100"), 10, 1, category, true, FlowBinding::Enclosing, false);
    builder.addFlowEnd(0, builder.threadLane(process, "101"), 200, 1, category, false, FlowBinding::Enclosing, false);
    builder.addFlowEnd(0, builder.threadLane(process, "101"), 200, 2, category, false, FlowBinding::Enclosing,
                       false); // no start
    const auto profile = fixture.finish();
    QCOMPARE(int(profile->flows.size()), 1);
    QCOMPARE(profile->sliceName(profile->flows[0].from), std::string_view("op"));
    QCOMPARE(profile->sliceName(profile->flows[0].to), std::string_view("backward"));
}

void TestProfileBuilder::stepNames_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<qint64>("number");
    QTest::newRow("torch") << "ProfilerStep#41" << qint64(41);
    QTest::newRow("underscore") << "step_41" << qint64(41);
    QTest::newRow("word") << "Iteration 41" << qint64(41);
    QTest::newRow("train") << "train 41" << qint64(41);
    QTest::newRow("capital") << "Step 7" << qint64(7);
    QTest::newRow("bracket") << "step[DECODE bs=32]" << qint64(-1);
    QTest::newRow("more text") << "step_41 extra" << qint64(-1);
    QTest::newRow("no number") << "step_" << qint64(-1);
    QTest::newRow("alone") << "step" << qint64(-1);
    QTest::newRow("other word") << "stepper_3" << qint64(-1);
    QTest::newRow("negative") << "step_-3" << qint64(-1);
    QTest::newRow("too large") << "step_99999999999999999999" << qint64(-1);
    QTest::newRow("optimizer") << "Optimizer.step#SGD.step" << qint64(-1);
}

void TestProfileBuilder::stepNames()
{
    QFETCH(QString, name);
    QFETCH(qint64, number);
    const std::string text = name.toStdString();
    const auto step = parseStepName(text);
    QCOMPARE(step ? qint64(step->number) : -1, number);
}

void TestProfileBuilder::stepsFromHostAnnotations()
{
    ProfileFixture fixture;
    // Case C13: five steps 2 .. 6 of 30 each; the runs launched in a step tell its device span.
    for (int step = 2; step <= 6; ++step) {
        const std::int64_t begin = (step - 2) * 30;
        fixture.host("100", "ProfilerStep#" + std::to_string(step), begin, 30, SliceKind::Annotation)
            .host("100", "step_" + std::to_string(step), begin + 1, 20, SliceKind::Annotation)
            .host("100", "cudaLaunchKernel", begin + 5, 1, SliceKind::Runtime, std::uint64_t(step * 2))
            .host("100", "cudaLaunchKernel", begin + 8, 1, SliceKind::Runtime, std::uint64_t(step * 2 + 1))
            .device(0, "7", "a", begin + 20, 5, SliceKind::Kernel, std::uint64_t(step * 2))
            .device(0, "7", "b", begin + 26, 14, SliceKind::Kernel, std::uint64_t(step * 2 + 1));
    }
    const auto profile = fixture.finish();
    QCOMPARE(int(profile->steps.size()), 5);
    for (std::size_t index = 0; index < 5; ++index) {
        const Step& step = profile->steps[index];
        QCOMPARE(step.number, std::int64_t(index + 2));
        QCOMPARE(step.host.lengthNs(), std::int64_t(30));
        QVERIFY(step.device.has_value());
        QCOMPARE(step.device->lengthNs(), std::int64_t(20));
    }
    QCOMPARE(profile->steps[0].name(), std::string("step_2"));
    // A run belongs to the step of its launch, though it ends in the next.
    QCOMPARE(int(*stepOf(*profile, sliceNamed(*profile, "b"))), 0);
    QVERIFY(diagnosticCount(*profile, DiagnosticCode::NoSteps) == 0);
}

void TestProfileBuilder::stepsOnlyOnTheDevice()
{
    ProfileFixture fixture;
    fixture.device(0, "7", "ProfilerStep#1", 0, 50, SliceKind::DeviceAnnotation)
        .device(0, "8", "ProfilerStep#1", 10, 60, SliceKind::DeviceAnnotation)
        .host("100", "aten::mm", 0, 1);
    const auto profile = fixture.finish();
    QCOMPARE(int(profile->steps.size()), 1);
    QCOMPARE(profile->steps[0].device->lengthNs(), std::int64_t(70));
}

void TestProfileBuilder::busyIsAUnion()
{
    // Case C22.
    ProfileFixture fixture;
    fixture.device(0, "7", "a", 0, 100).device(0, "13", "b", 25, 100);
    const auto profile = fixture.finish();
    QCOMPARE(profile->busy[profile->devices[0].busy].totalNs(), std::int64_t(125));
    QCOMPARE(summarise(*profile).kernelNs, std::int64_t(200));
}

void TestProfileBuilder::nothingIsLostInSorting()
{
    ProfileFixture fixture;
    std::int64_t sum = 0;
    for (int index = 0; index < 5000; ++index) {
        const std::int64_t start = (index * 7919) % 10007;
        const std::int64_t dur = (index * 31) % 97;
        sum += start * 3 + dur;
        fixture.host(index % 3 == 0 ? "1" : "2", "op " + std::to_string(index % 50), start, dur);
    }
    const auto profile = fixture.finish();
    QCOMPARE(int(profile->slices.size()), 5000);
    std::int64_t found = 0;
    for (std::uint32_t row = 0; row < profile->ownRowCount; ++row) {
        const RowView view = profile->row(row);
        for (std::size_t index = 0; index < view.size(); ++index) {
            if (index > 0) QVERIFY(view.endNs(index - 1) <= view.startNs[index]);
            QCOMPARE(profile->rowOf(view.id(index)), row);
            found += view.startNs[index] * 3 + view.durNs[index];
        }
    }
    QCOMPARE(found, sum);
}

void TestProfileBuilder::parentsAndSelfTime()
{
    ProfileFixture fixture;
    fixture.host("1", "outer", 0, 100)
        .host("1", "first", 10, 20)
        .host("1", "second", 40, 30)
        .host("1", "inner", 45, 5)
        .host("1", "alone", 200, 10);
    const auto profile = fixture.finish();
    const auto id = [&](std::string_view name) { return sliceNamed(*profile, name); };
    QCOMPARE(parentOf(*profile, id("inner")).value, id("second").value);
    QCOMPARE(parentOf(*profile, id("first")).value, id("outer").value);
    QVERIFY(!parentOf(*profile, id("outer")).valid());
    QVERIFY(!parentOf(*profile, id("alone")).valid());
    QCOMPARE(selfTimeNs(*profile, id("outer")), std::int64_t(50));
    QCOMPARE(selfTimeNs(*profile, id("second")), std::int64_t(25));
    QCOMPARE(int(childrenOf(*profile, id("outer")).size()), 2);
    QVERIFY(childrenOf(*profile, id("inner")).empty());
}

void TestProfileBuilder::clocksOfFilesAreAligned()
{
    // Case C31: equal times, wall clocks 5 s apart.
    ProfileBuilder builder;
    for (const std::int64_t epoch : {std::int64_t(5'000'000'000), std::int64_t(0)}) {
        const auto file = builder.addFile(epoch == 0 ? "b.json" : "a.json", "kineto", 0);
        FileFacts facts;
        facts.epochNs = 1'700'000'000'000'000'000 + epoch;
        builder.setFileFacts(file, facts);
        RawSlice slice;
        slice.startNs = 100;
        slice.durNs = 10;
        slice.name = builder.strings().intern(epoch == 0 ? "early" : "late");
        builder.addSlice(builder.threadLane(builder.process(file, "1"), "1"), slice);
    }
    LoadProgress progress;
    const auto profile = builder.finish("folder", progress);
    QCOMPARE(*profile->originUnixNs, std::int64_t(1'700'000'000'000'000'000));
    QCOMPARE(profile->slices.startNs[sliceNamed(*profile, "early").value], std::int64_t(100));
    QCOMPARE(profile->slices.startNs[sliceNamed(*profile, "late").value], std::int64_t(5'000'000'100));
    QCOMPARE(profile->span.lengthNs(), std::int64_t(5'000'000'010));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::ClockUnaligned), std::uint64_t(0));
}

void TestProfileBuilder::unalignedFilesAreSaidToBe()
{
    ProfileBuilder builder;
    for (const bool hasClock : {true, false}) {
        const auto file = builder.addFile("x.json", "kineto", 0);
        FileFacts facts;
        if (hasClock) facts.epochNs = 1'700'000'000'000'000'000;
        builder.setFileFacts(file, facts);
        RawSlice slice;
        slice.startNs = hasClock ? 5000 : 77;
        slice.durNs = 10;
        builder.addSlice(builder.threadLane(builder.process(file, "1"), "1"), slice);
    }
    LoadProgress progress;
    const auto profile = builder.finish("folder", progress);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::ClockUnaligned), std::uint64_t(1));
    QCOMPARE(profile->span, (TimeSpan{5000, 5010}));
}

void TestProfileBuilder::changesBecomeRunningSums()
{
    ProfileFixture fixture;
    fixture.host("100", "op", 0, 100);
    ProfileBuilder& builder = fixture.builder();
    const auto counter = builder.counter(0, "100", "memory", {});
    builder.markAsChanges(counter);
    builder.addSample(counter, 20, -30); // out of order on purpose
    builder.addSample(counter, 10, 100);
    const auto profile = fixture.finish();
    QCOMPARE(profile->counters[0].timeNs, (std::vector<std::int64_t>{10, 20}));
    QCOMPARE(profile->counters[0].value, (std::vector<double>{100, 70}));
    QCOMPARE(profile->counters[0].greatest, 100.0);
}

void TestProfileBuilder::pairsOfBeginAndEnd()
{
    ProfileFixture fixture;
    ProfileBuilder& builder = fixture.builder();
    const auto lane = builder.threadLane(builder.process(0, "1"), "1");
    const auto begin = [&](std::string_view name, std::int64_t ns) {
        RawSlice slice;
        slice.startNs = ns;
        slice.name = builder.strings().intern(name);
        builder.addBegin(lane, slice);
    };
    begin("outer", 0);
    begin("inner", 10);
    builder.addEnd(lane, 20);
    builder.addEnd(lane, 30);
    builder.addEnd(lane, 40); // nothing is open
    begin("open", 50);
    begin("end of the profile", 60);
    builder.addEnd(lane, 90);
    const auto profile = fixture.finish();
    QCOMPARE(profile->slices.durNs[sliceNamed(*profile, "outer").value], std::int64_t(30));
    QCOMPARE(profile->slices.durNs[sliceNamed(*profile, "inner").value], std::int64_t(10));
    QCOMPARE(profile->slices.durNs[sliceNamed(*profile, "open").value], std::int64_t(40));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::UnmatchedEnd), std::uint64_t(1));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::UnmatchedBegin), std::uint64_t(1));
}

void TestProfileBuilder::indexStaysSmall()
{
    ProfileFixture fixture;
    for (std::uint64_t index = 0; index < 20'000; ++index) {
        const auto ns = std::int64_t(index) * 100;
        fixture.host("100", "aten::linear", ns, 90)
            .host("100", "aten::t", ns + 1, 5)
            .host("100", "aten::mm", ns + 8, 60)
            .host("100", "aten::resize_", ns + 9, 1)
            .host("100", "cudaLaunchKernel", ns + 10, 5, SliceKind::Runtime, index)
            .device(0, "7", "gemm", ns + 50, 20, SliceKind::Kernel, index);
    }
    const auto profile = fixture.finish();
    // One launch and one run to four operators, as an eager training step has them.
    QVERIFY2(profile->indexBytes() <= 48 * profile->slices.size(),
             qPrintable(QString::number(double(profile->indexBytes()) / double(profile->slices.size()))));
}

void TestProfileBuilder::orderOfArrivalDoesNotMatter()
{
    const auto build = [](bool backwards) {
        ProfileFixture fixture;
        for (int number = 0; number < 200; ++number) {
            const int index = backwards ? 199 - number : number;
            fixture.host("100", "op " + std::to_string(index), index * 10, 9);
        }
        return fixture.finish();
    };
    const auto forwards = build(false);
    const auto backwards = build(true);
    QCOMPARE(forwards->slices.startNs, backwards->slices.startNs);
    for (std::uint32_t slice = 0; slice < 200; ++slice)
        QCOMPARE(forwards->sliceName({slice}), backwards->sliceName({slice}));
}

QTEST_GUILESS_MAIN(TestProfileBuilder)
#include "tst_profilebuilder.moc"
