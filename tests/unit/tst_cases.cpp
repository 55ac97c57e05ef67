// SPDX-License-Identifier: GPL-3.0-or-later
// Small inputs that break other viewers; the numbers are those of the project's list of cases. Times in microseconds.
#include "analysis/LinkQuery.h"
#include "analysis/ProfileSummary.h"
#include "support/TempFiles.h"
#include "support/TraceTexts.h"

#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

QByteArray slice(const char* category, const QByteArray& name, const char* tid, const QByteArray& ts,
                 const QByteArray& dur, const QByteArray& args = {})
{
    return R"({"ph":"X","cat":")" + QByteArray(category) + R"(","name":")" + name + R"(","pid":1,"tid":)" + tid +
           R"(,"ts":)" + ts + R"(,"dur":)" + dur + R"(,"args":{)" + args + "}}";
}

QByteArray launch(const QByteArray& ts, const QByteArray& dur, int correlation, const char* name = "cudaLaunchKernel")
{
    return slice("cuda_runtime", name, "1", ts, dur, "\"correlation\":" + QByteArray::number(correlation));
}

QByteArray run(const QByteArray& name, const QByteArray& ts, const QByteArray& dur, int correlation, int stream = 7)
{
    return R"({"ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":)" + QByteArray::number(stream) +
           R"(,"ts":)" + ts + R"(,"dur":)" + dur + R"(,"args":{"device":0,"stream":)" + QByteArray::number(stream) +
           R"(,"correlation":)" + QByteArray::number(correlation) + "}}";
}

QByteArray withBase(qint64 baseNs, const QByteArrayList& events)
{
    return "{\"schemaVersion\":1,\"baseTimeNanoseconds\":" + QByteArray::number(baseNs) + ",\"traceEvents\":[" +
           events.join(",") + "]}";
}

TimeSpan spanOf(const Profile& profile, std::string_view name)
{
    const SliceId found = sliceNamed(profile, name);
    return found.valid() ? profile.sliceSpan(found) : TimeSpan{-1, -1};
}

constexpr qint64 kBase = 1'700'000'000'000'000'000;

} // namespace

class TestCases : public QObject
{
    Q_OBJECT

private slots:
    void c01OverlapOnAStream();
    void c02ScientificTimes();
    void c03QuotedTimes();
    void c04EpochTimesKeepTheirNs();
    void c09RunBeforeItsLaunch();
    void c11NegativeDuration();
    void c13StepsKeepTheirNumbers();
    void c14NoSteps();
    void c17BracketsBehindTheEvents();
    void c18NewCollectiveNames();
    void c20RankFromTheFileName();
    void c21KindsThatAreAbsent();
    void c22StreamsSideBySide();
    void c24GraphLaunch();
    void c30EqualIdsInTwoFiles();
    void c31RanksByTheirClocks();
    void c31RanksByTheirCollectives();
    void c31CollectivesInPlaceOfAClock();
    void c31UnlikeCollectivesChangeNothing();
    void c32EqualPidsInTwoFiles();
};

void TestCases::c01OverlapOnAStream()
{
    const auto profile = opened(list({kernel("A", "3", "3.776"), kernel("B", "5", "2")}));
    QVERIFY(profile);
    QCOMPARE(profile->slices.size(), std::size_t{2});
    QVERIFY(profile->rowOf(sliceNamed(*profile, "A")) != profile->rowOf(sliceNamed(*profile, "B")));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::Overlap), std::uint64_t{1});
    QCOMPARE(summarise(*profile).kernelNs, std::int64_t{5776});
    QCOMPARE(profile->busy[profile->devices[0].busy].totalNs(), std::int64_t{4000});
}

void TestCases::c02ScientificTimes()
{
    const auto profile = opened("[" + slice("x", "a", "1", "1.6921085481321545e+15", "4.75") + "," +
                                slice("x", "b", "1", "1692108548132160.5", "4.5") +
                                R"(,{"ph":"B","name":"p","pid":2,"tid":2,"ts":1692108548132001.1},
        {"ph":"E","pid":2,"tid":2,"ts":1692108548132001.2},{"ph":"B","name":"q","pid":2,"tid":2,"ts":1692108548132001.2},
        {"ph":"E","pid":2,"tid":2,"ts":1692108548132001.4},{"ph":"B","name":"r","pid":2,"tid":2,"ts":1692108548132001.4},
        {"ph":"E","pid":2,"tid":2,"ts":1692108548132001.7}])");
    QVERIFY(profile);
    QCOMPARE(spanOf(*profile, "b").beginNs - spanOf(*profile, "a").beginNs, std::int64_t{6000});
    for (const char* name : {"p", "q", "r"}) QVERIFY(!parentOf(*profile, sliceNamed(*profile, name)).valid());
    QCOMPARE(spanOf(*profile, "p").lengthNs(), std::int64_t{100});
    QCOMPARE(spanOf(*profile, "q").lengthNs(), std::int64_t{200});
    QCOMPARE(spanOf(*profile, "r").lengthNs(), std::int64_t{300});
}

void TestCases::c03QuotedTimes()
{
    const auto profile = opened("[" + slice("x", "a", "1", "\"1692108548132154.5\"", "\"4.75\"") + "," +
                                slice("x", "b", "1", "\"1692108548132160.5\"", "4.5") + "]");
    QVERIFY(profile);
    QCOMPARE(spanOf(*profile, "b").beginNs - spanOf(*profile, "a").beginNs, std::int64_t{6000});
    QCOMPARE(spanOf(*profile, "a").lengthNs(), std::int64_t{4750});
    QVERIFY(diagnosticCount(*profile, DiagnosticCode::TextTime) > 0);
}

void TestCases::c04EpochTimesKeepTheirNs()
{
    const auto profile = opened("[" + slice("x", "a", "1", "1672924880617000.123", "0.250") + "," +
                                slice("x", "b", "1", "1672924880617000.373", "0.101") + "]");
    QVERIFY(profile);
    QCOMPARE(spanOf(*profile, "a").endNs, spanOf(*profile, "b").beginNs);
    QCOMPARE(spanOf(*profile, "a"), (TimeSpan{1672924880617000123, 1672924880617000373}));
    QCOMPARE(spanOf(*profile, "b").lengthNs(), std::int64_t{101});
}

void TestCases::c09RunBeforeItsLaunch()
{
    const auto profile = opened(list({launch("100", "8", 4), run("k", "97", "20", 4)}));
    QVERIFY(profile);
    QCOMPARE(profile->links.size(), std::size_t{1});
    QCOMPARE(launchOf(*profile, sliceNamed(*profile, "k")), sliceNamed(*profile, "cudaLaunchKernel"));
    QCOMPARE(launchLatencyNs(*profile, profile->links.launch[0], profile->links.run[0]), std::int64_t{-3000});
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::NegativeLatency), std::uint64_t{1});
}

void TestCases::c11NegativeDuration()
{
    const auto profile = opened(list({kernel("bad", "100", "-5"), kernel("good", "90", "20")}));
    QVERIFY(profile);
    QCOMPARE(profile->slices.size(), std::size_t{2});
    QCOMPARE(spanOf(*profile, "bad"), (TimeSpan{100'000, 100'000}));
    QCOMPARE(summarise(*profile).kernelNs, std::int64_t{20'000});
    QCOMPARE(profile->span, (TimeSpan{90'000, 110'000}));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::NegativeDuration), std::uint64_t{1});
}

void TestCases::c13StepsKeepTheirNumbers()
{
    QByteArrayList events;
    for (int step = 2; step <= 6; ++step)
        events += slice("user_annotation", "ProfilerStep#" + QByteArray::number(step), "1",
                        QByteArray::number(step * 30'000), "30000");
    const auto profile = opened(list(events));
    QVERIFY(profile);
    QCOMPARE(profile->steps.size(), std::size_t{5});
    for (std::size_t index = 0; index < 5; ++index) {
        QCOMPARE(profile->steps[index].number, std::int64_t(index) + 2);
        QCOMPARE(profile->steps[index].host.lengthNs(), std::int64_t{30'000'000});
    }
}

void TestCases::c14NoSteps()
{
    const auto profile = opened(list({kernel("k", "1", "2")}));
    QVERIFY(profile);
    QVERIFY(profile->steps.empty());
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::NoSteps), std::uint64_t{1});
}

void TestCases::c17BracketsBehindTheEvents()
{
    const auto profile = opened("{\"traceEvents\":[" + kernel("k", "1", "2") + "],\"traceName\":\"fit-[Strategy]X\"}");
    QVERIFY(profile);
    QCOMPARE(profile->slices.size(), std::size_t{1});
    const auto& metadata = profile->files[0].metadata;
    QVERIFY(std::find(metadata.begin(), metadata.end(),
                      std::pair<std::string, std::string>("traceName", "\"fit-[Strategy]X\"")) != metadata.end());
}

void TestCases::c18NewCollectiveNames()
{
    QByteArrayList events;
    for (int index = 0; index < 10; ++index) {
        events += kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", QByteArray::number(index * 10), "2");
        events += kernel("ncclKernel_AllReduce_x", QByteArray::number(index * 10 + 5), "1");
        events += kernel("gemm", QByteArray::number(index * 10 + 7), "1");
    }
    const auto profile = opened(list(events));
    QVERIFY(profile);
    const auto& kinds = profile->slices.kind;
    QCOMPARE(std::count(kinds.begin(), kinds.end(), SliceKind::CommunicationKernel), std::ptrdiff_t{20});
    QCOMPARE(summarise(*profile).communicationNs, std::int64_t{30'000});
}

void TestCases::c20RankFromTheFileName()
{
    const TempFolder folder;
    const auto result = open(folder.write("rank3.json", list({launch("1", "1", 1), run("k", "5", "1", 1)})));
    QVERIFY(result.ok());
    QCOMPARE(result.value()->files[0].rank.value_or(-1), std::int64_t{3});
    QCOMPARE(diagnosticCount(*result.value(), DiagnosticCode::RankFromFileName), std::uint64_t{1});
}

void TestCases::c21KindsThatAreAbsent()
{
    const auto kernels = opened(list({kernel("k", "1", "2")}));
    QVERIFY(kernels);
    QCOMPARE(kernels->devices.size(), std::size_t{1});
    const auto host = opened(list({slice("cpu_op", "aten::add", "1", "1", "2")}));
    QVERIFY(host);
    QVERIFY(host->devices.empty());
    QCOMPARE(diagnosticCount(*host, DiagnosticCode::NoDeviceWork), std::uint64_t{1});
}

void TestCases::c22StreamsSideBySide()
{
    const auto profile = opened(list({run("a", "0", "100000", 1, 7), run("b", "25000", "100000", 2, 13)}));
    QVERIFY(profile);
    QCOMPARE(profile->busy[profile->devices[0].busy].totalNs(), std::int64_t{125'000'000});
    QCOMPARE(profile->span.lengthNs(), std::int64_t{125'000'000});
    QCOMPARE(summarise(*profile).kernelNs, std::int64_t{200'000'000});
}

void TestCases::c24GraphLaunch()
{
    const auto profile = opened(list({launch("0", "10", 9, "cudaGraphLaunch"), run("a", "20", "10", 9),
                                      run("b", "30", "15", 9), run("c", "50", "10", 9)}));
    QVERIFY(profile);
    QCOMPARE(runsOf(*profile, sliceNamed(*profile, "cudaGraphLaunch")).size(), std::size_t{3});
    QCOMPARE(summarise(*profile).launches, std::uint64_t{1});
    QCOMPARE(profile->busy[profile->devices[0].busy].totalNs(), std::int64_t{35'000});
}

void TestCases::c30EqualIdsInTwoFiles()
{
    const TempFolder folder;
    folder.write("job/rank0.json", withBase(kBase, {launch("1000", "2", 7), run("inA", "1005", "5", 7)}));
    folder.write("job/rank1.json", withBase(kBase, {launch("0", "2", 7), run("inB", "3", "2", 7)}));
    const auto result = open(folder.path("job"));
    QVERIFY(result.ok());
    const Profile& profile = *result.value();
    QCOMPARE(profile.links.size(), std::size_t{2});
    for (std::size_t link = 0; link < 2; ++link) {
        const std::int64_t latency = launchLatencyNs(profile, profile.links.launch[link], profile.links.run[link]);
        QVERIFY(latency == 5000 || latency == 3000);
    }
}

void TestCases::c31RanksByTheirClocks()
{
    const TempFolder folder;
    folder.write("job/rank0.json", withBase(kBase, {kernel("a", "10", "5")}));
    folder.write("job/rank1.json", withBase(kBase + 5'000'000'000, {kernel("b", "10", "5")}));
    folder.write("other/rank0.json", withBase(kBase, {kernel("a", "10", "5")}));
    folder.write("other/rank1.json", list({kernel("b", "4000", "5")}));
    const auto aligned = open(folder.path("job"));
    QVERIFY(aligned.ok());
    QCOMPARE(spanOf(*aligned.value(), "b").beginNs - spanOf(*aligned.value(), "a").beginNs,
             std::int64_t{5'000'000'000});
    QCOMPARE(diagnosticCount(*aligned.value(), DiagnosticCode::ClocksAligned), std::uint64_t{2});
    const auto apart = open(folder.path("other"));
    QVERIFY(apart.ok());
    QCOMPARE(diagnosticCount(*apart.value(), DiagnosticCode::ClockUnaligned), std::uint64_t{1});
    QCOMPARE(spanOf(*apart.value(), "b").beginNs, spanOf(*apart.value(), "a").beginNs);
}

/// Four all-reduces of 20 us or more that end together on both ranks; the second rank's clock is off by `errorUs`.
void writeRanks(const TempFolder& folder, const std::string& name, int errorUs, bool secondHasClock)
{
    QByteArrayList first;
    QByteArrayList second;
    for (int index = 0; index < 4; ++index) {
        const int end = 1000 + index * 500;
        first += kernel("ncclDevKernel_AllReduce_x", QByteArray::number(end - 20), "20");
        second += kernel("ncclDevKernel_AllReduce_x", QByteArray::number(end - 60 + errorUs), "60");
    }
    first += kernel("first", "900", "1");
    second += kernel("second", QByteArray::number(900 + errorUs), "1");
    folder.write(name + "/rank0.json", withBase(kBase, first));
    folder.write(name + "/rank1.json", secondHasClock ? withBase(kBase, second) : list(second));
}

void TestCases::c31RanksByTheirCollectives()
{
    const TempFolder folder;
    writeRanks(folder, "off", 300, true); // more than the shortest collective
    const auto moved = open(folder.path("off"));
    QVERIFY(moved.ok());
    QCOMPARE(spanOf(*moved.value(), "second").beginNs, spanOf(*moved.value(), "first").beginNs);
    QCOMPARE(diagnosticCount(*moved.value(), DiagnosticCode::ClocksRealigned), std::uint64_t{1});
    writeRanks(folder, "near", 15, true); // less than that: the clocks are believed
    const auto kept = open(folder.path("near"));
    QVERIFY(kept.ok());
    QCOMPARE(spanOf(*kept.value(), "second").beginNs - spanOf(*kept.value(), "first").beginNs, std::int64_t{15'000});
    QCOMPARE(diagnosticCount(*kept.value(), DiagnosticCode::ClocksRealigned), std::uint64_t{0});
}

void TestCases::c31CollectivesInPlaceOfAClock()
{
    const TempFolder folder;
    writeRanks(folder, "job", -777, false);
    const auto result = open(folder.path("job"));
    QVERIFY(result.ok());
    QCOMPARE(spanOf(*result.value(), "second").beginNs, spanOf(*result.value(), "first").beginNs);
    QCOMPARE(diagnosticCount(*result.value(), DiagnosticCode::ClockUnaligned), std::uint64_t{0});
}

void TestCases::c31UnlikeCollectivesChangeNothing()
{
    // As many of one name, but at unrelated times: they are not the same collectives.
    const TempFolder folder;
    QByteArrayList first;
    QByteArrayList second;
    for (int index = 0; index < 5; ++index) {
        first += kernel("ncclDevKernel_AllReduce_x", QByteArray::number(1000 + index * 500), "20");
        second += kernel("ncclDevKernel_AllReduce_x", QByteArray::number(9000 + index * index * 700), "20");
    }
    folder.write("job/rank0.json", withBase(kBase, first));
    folder.write("job/rank1.json", withBase(kBase, second));
    const auto result = open(folder.path("job"));
    QVERIFY(result.ok());
    QCOMPARE(diagnosticCount(*result.value(), DiagnosticCode::ClocksRealigned), std::uint64_t{0});
    QCOMPARE(result.value()->span.lengthNs(), std::int64_t{9'000'000 + 16 * 700'000 + 20'000 - 1'000'000});
}

void TestCases::c32EqualPidsInTwoFiles()
{
    const TempFolder folder;
    for (const char* name : {"job/rank0.json", "job/rank1.json"})
        folder.write(
            name, withBase(kBase, {launch("1", "1", 1), slice("cpu_op", "op", "0", "1", "5"), run("k", "5", "1", 1)}));
    const auto result = open(folder.path("job"));
    QVERIFY(result.ok());
    const Profile& profile = *result.value();
    QCOMPARE(profile.processes.size(), std::size_t{2});
    QCOMPARE(profile.devices.size(), std::size_t{2});
    const QByteArray tree = printedTree(profile);
    QVERIFY2(tree.contains("rank 0") && tree.contains("rank 1"), tree);
    QCOMPARE(tree.count("stream 7"), qsizetype{2});
}

QTEST_GUILESS_MAIN(TestCases)
#include "tst_cases.moc"
