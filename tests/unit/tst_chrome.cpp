// SPDX-License-Identifier: GPL-3.0-or-later
// The generic trace-event format: every phase, by hand-made lists, and the recorded files against independent facts.
#include "analysis/LinkQuery.h"
#include "analysis/SliceDetails.h"
#include "support/TempFiles.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

const QString kFolder = QStringLiteral(STEPSCOPE_SHARED_DIR "/profiles/");

std::shared_ptr<const Profile> opened(const QByteArray& text)
{
    auto result = openText(text);
    return result.ok() ? result.take() : nullptr;
}

TimeSpan spanOf(const Profile& profile, std::string_view name)
{
    const SliceId slice = sliceNamed(profile, name);
    return slice.valid() ? profile.sliceSpan(slice) : TimeSpan{-1, -1};
}

std::string argumentOf(const Profile& profile, std::string_view slice, std::string_view key)
{
    const auto fields = sourceFieldsOf(profile, sliceNamed(profile, slice));
    if (!fields) return "no source";
    for (const SourceField& field : *fields)
        if (field.argument && field.key == key) return field.value;
    return "not there";
}

/// "from > to" of every arrow, sorted.
QStringList arrowsOf(const Profile& profile)
{
    QStringList arrows;
    for (const Flow& flow : profile.flows)
        arrows += QString::fromStdString(std::string(profile.sliceName(flow.from)) + " > " +
                                         std::string(profile.sliceName(flow.to)));
    arrows.sort();
    return arrows;
}

} // namespace

class TestChrome : public QObject
{
    Q_OBJECT

private slots:
    void beginAndEndNest();
    void argumentsOfEndsBelongToTheSlice();
    void asyncWorkOverlaps();
    void asyncStepsOfOldFiles();
    void localIdsStayInTheirProcess();
    void objectsLive();
    void arrowsWithSteps();
    void arrowsByBindId();
    void oneStartManyFinishes();
    void sortIndicesAreWishes();
    void stacksAreResolved();
    void cyclicStacksEnd();
    void samplesBesideEvents();
    void displayTimeUnitChangesNothing();
    void everyEndingOpens_data();
    void everyEndingOpens();
    void agreesWithFacts_data();
    void agreesWithFacts();
};

void TestChrome::beginAndEndNest()
{
    const auto profile = opened(R"([{"ph":"B","name":"outer","pid":1,"tid":1,"ts":1.1},
        {"ph":"B","name":"inner","pid":1,"tid":1,"ts":2},{"ph":"E","pid":1,"tid":1,"ts":3},
        {"ph":"E","name":"something else","pid":1,"tid":1,"ts":9.5},{"ph":"E","pid":1,"tid":1,"ts":10},
        {"ph":"B","name":"open","pid":1,"tid":2,"ts":4}])");
    QVERIFY(profile);
    QCOMPARE(spanOf(*profile, "outer"), (TimeSpan{1100, 9500}));
    QCOMPARE(spanOf(*profile, "inner"), (TimeSpan{2000, 3000}));
    QCOMPARE(spanOf(*profile, "open"), (TimeSpan{4000, 10000})); // to the end of the profile
    QCOMPARE(parentOf(*profile, sliceNamed(*profile, "inner")), sliceNamed(*profile, "outer"));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::UnmatchedEnd), std::uint64_t{1});
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::UnmatchedBegin), std::uint64_t{1});
}

void TestChrome::argumentsOfEndsBelongToTheSlice()
{
    const auto profile = opened(R"([{"ph":"B","name":"a","pid":1,"tid":1,"ts":1,"args":{"first":"x"}},
        {"ph":"E","pid":1,"tid":1,"ts":3,"args":{"second":17}}])");
    QVERIFY(profile);
    QCOMPARE(argumentOf(*profile, "a", "first"), std::string("x"));
    QCOMPARE(argumentOf(*profile, "a", "second"), std::string("17"));
}

void TestChrome::asyncWorkOverlaps()
{
    const auto profile = opened(R"([{"ph":"b","cat":"net","id":1,"name":"get a","pid":1,"tid":1,"ts":1},
        {"ph":"b","cat":"net","id":"0x2","name":"get b","pid":1,"tid":2,"ts":2},
        {"ph":"n","cat":"net","id":1,"name":"bytes","pid":1,"tid":1,"ts":3},
        {"ph":"b","cat":"net","id":1,"name":"parse a","pid":1,"tid":1,"ts":4},
        {"ph":"e","cat":"net","id":1,"pid":1,"tid":1,"ts":5},
        {"ph":"e","cat":"net","id":1,"name":"get a","pid":1,"tid":3,"ts":6},
        {"ph":"e","cat":"net","id":2,"name":"get b","pid":1,"tid":1,"ts":9,"args":{"status":200}},
        {"ph":"e","cat":"net","id":7,"name":"never begun","pid":1,"tid":1,"ts":9}])");
    QVERIFY(profile);
    QCOMPARE(profile->slices.size(), std::size_t{3});
    QCOMPARE(spanOf(*profile, "get a"), (TimeSpan{1000, 6000}));
    QCOMPARE(spanOf(*profile, "parse a"), (TimeSpan{4000, 5000}));
    QCOMPARE(spanOf(*profile, "get b"), (TimeSpan{2000, 9000}));
    QCOMPARE(argumentOf(*profile, "get b", "status"), std::string("200"));
    QCOMPARE(profile->instants.size(), std::size_t{1});
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::UnmatchedEnd), std::uint64_t{1});
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::Overlap), std::uint64_t{0}); // async work may overlap
    QCOMPARE(profile->track(profile->trackOf(sliceNamed(*profile, "get a"))).kind, TrackKind::Async);
}

void TestChrome::asyncStepsOfOldFiles()
{
    const auto profile = opened(R"([{"ph":"S","cat":"c","id":72,"name":"job","pid":1,"tid":1,"ts":10},
        {"ph":"T","cat":"c","id":72,"name":"job","pid":1,"tid":1,"ts":12,"args":{"step":"half"}},
        {"ph":"F","cat":"c","id":72,"name":"job","pid":1,"tid":2,"ts":15}])");
    QVERIFY(profile);
    QCOMPARE(spanOf(*profile, "job"), (TimeSpan{10'000, 15'000}));
    QCOMPARE(profile->instants.size(), std::size_t{1});
    QCOMPARE(profile->strings.view(profile->instants[0].name), std::string_view("half"));
}

void TestChrome::localIdsStayInTheirProcess()
{
    const auto profile = opened(R"([{"ph":"b","cat":"c","id2":{"local":"0x1"},"name":"p1","pid":1,"tid":1,"ts":1},
        {"ph":"b","cat":"c","id2":{"local":"0x1"},"name":"p2","pid":2,"tid":1,"ts":2},
        {"ph":"e","cat":"c","id2":{"local":"0x1"},"name":"p1","pid":1,"tid":1,"ts":5},
        {"ph":"e","cat":"c","id2":{"local":"0x1"},"name":"p2","pid":2,"tid":1,"ts":9}])");
    QVERIFY(profile);
    QCOMPARE(spanOf(*profile, "p1"), (TimeSpan{1000, 5000}));
    QCOMPARE(spanOf(*profile, "p2"), (TimeSpan{2000, 9000}));
}

void TestChrome::objectsLive()
{
    const auto profile = opened(R"([{"ph":"N","id":"0xA","name":"Tree","pid":1,"tid":1,"ts":1},
        {"ph":"O","id":"0xA","name":"Tree","pid":1,"tid":1,"ts":2,"args":{"snapshot":{}}},
        {"ph":"D","id":"0xA","name":"Tree","pid":1,"tid":1,"ts":8}])");
    QVERIFY(profile);
    QCOMPARE(spanOf(*profile, "Tree"), (TimeSpan{1000, 8000}));
    QCOMPARE(profile->instants.size(), std::size_t{1});
}

void TestChrome::arrowsWithSteps()
{
    const auto profile = opened(R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":10},
        {"ph":"X","name":"b","pid":1,"tid":2,"ts":20,"dur":10},{"ph":"X","name":"c","pid":1,"tid":3,"ts":40,"dur":10},
        {"ph":"f","bp":"e","cat":"x","id":1,"name":"f","pid":1,"tid":3,"ts":45},
        {"ph":"s","cat":"x","id":1,"name":"f","pid":1,"tid":1,"ts":5},
        {"ph":"t","cat":"x","id":1,"name":"f","pid":1,"tid":2,"ts":15}])");
    QVERIFY(profile);
    QCOMPARE(arrowsOf(*profile), (QStringList{"a > b", "b > c"}));
}

void TestChrome::arrowsByBindId()
{
    const auto profile =
        opened(R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":10,"bind_id":"0x5","flow_out":true},
        {"ph":"X","name":"child","pid":1,"tid":1,"ts":0,"dur":4},
        {"ph":"X","name":"b","pid":2,"tid":1,"ts":20,"dur":10,"bind_id":"0x5","flow_in":true}])");
    QVERIFY(profile);
    QCOMPARE(arrowsOf(*profile), (QStringList{"a > b"}));
}

void TestChrome::oneStartManyFinishes()
{
    // The finish at 2 lies before the start: clocks of two machines. It belongs to the only start there is.
    const auto profile = opened(R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":5,"dur":10},
        {"ph":"X","name":"b","pid":1,"tid":2,"ts":2,"dur":1},{"ph":"X","name":"c","pid":1,"tid":2,"ts":40,"dur":10},
        {"ph":"s","cat":"x","id":1,"name":"f","pid":1,"tid":1,"ts":5},
        {"ph":"f","bp":"e","cat":"x","id":1,"name":"f","pid":1,"tid":2,"ts":2},
        {"ph":"f","bp":"e","cat":"x","id":1,"name":"f","pid":1,"tid":2,"ts":41}])");
    QVERIFY(profile);
    QCOMPARE(arrowsOf(*profile), (QStringList{"a > b", "a > c"}));
}

void TestChrome::sortIndicesAreWishes()
{
    const auto profile = opened(R"([{"ph":"X","name":"a","pid":"x","tid":1,"ts":0,"dur":1},
        {"ph":"X","name":"b","pid":"x","tid":2,"ts":0,"dur":1},
        {"ph":"M","name":"thread_name","pid":"x","tid":1,"args":{"name":"first by name"}},
        {"ph":"M","name":"thread_name","pid":"x","tid":2,"args":{"name":"second by name"}},
        {"ph":"M","name":"thread_sort_index","pid":"x","tid":1,"args":{"sort_index":7}},
        {"ph":"M","name":"thread_sort_index","pid":"x","tid":2,"args":{"sort_index":-3}}])");
    QVERIFY(profile);
    const QByteArray tree = printedTree(*profile);
    QVERIFY2(tree.indexOf("second by name") < tree.indexOf("first by name"), tree);
}

void TestChrome::stacksAreResolved()
{
    const auto profile = opened(R"({"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1,"sf":"2"}],
        "stackFrames":{"1":{"category":"m","name":"main"},"2":{"category":"m","name":"work","parent":"1"}}})");
    QVERIFY(profile);
    QCOMPARE(argumentOf(*profile, "a", "stack"), std::string("work < main"));
}

void TestChrome::cyclicStacksEnd()
{
    const auto profile = opened(R"({"stackFrames":{"1":{"name":"f","parent":"2"},"2":{"name":"g","parent":"1"}},
        "traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1,"sf":1}]})");
    QVERIFY(profile);
    QCOMPARE(argumentOf(*profile, "a", "stack"), std::string("f < g"));
}

void TestChrome::samplesBesideEvents()
{
    const auto profile = opened(R"({"traceEvents":[],"samples":[{"ts":"5.5","pid":1,"tid":"9","sf":1},{"pid":1}],
        "stackFrames":{"1":{"name":"leaf"}}})");
    QVERIFY(profile);
    QCOMPARE(profile->instants.size(), std::size_t{1});
    QCOMPARE(profile->instants[0].timeNs, std::int64_t{5500});
    QCOMPARE(profile->strings.view(profile->instants[0].name), std::string_view("leaf"));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::MissingTime), std::uint64_t{1});
}

void TestChrome::displayTimeUnitChangesNothing()
{
    for (const char* unit : {"", R"("displayTimeUnit":"ns",)", R"("displayTimeUnit":"ms",)"}) {
        const auto profile = opened(QByteArray("{") + unit +
                                    R"("traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1000}]})");
        QVERIFY(profile);
        QCOMPARE(spanOf(*profile, "a"), (TimeSpan{0, 1'000'000}));
    }
}

void TestChrome::everyEndingOpens_data()
{
    QTest::addColumn<QByteArray>("ending");
    QTest::newRow("closed") << QByteArray("]");
    QTest::newRow("not closed") << QByteArray();
    QTest::newRow("comma") << QByteArray(",\n");
    QTest::newRow("comma and closed") << QByteArray(",]");
    QTest::newRow("empty object") << QByteArray(",{}]");
    QTest::newRow("half an event") << QByteArray(R"(,{"ph":"X","na)");
}

void TestChrome::everyEndingOpens()
{
    QFETCH(QByteArray, ending);
    const auto profile = opened(R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":2})" + ending);
    QVERIFY(profile);
    QCOMPARE(profile->slices.size(), std::size_t{1});
    QCOMPARE(spanOf(*profile, "a"), (TimeSpan{0, 2000}));
}

void TestChrome::agreesWithFacts_data()
{
    QTest::addColumn<QJsonObject>("facts");
    QFile file(kFolder + "facts.jsonl");
    if (!file.open(QIODevice::ReadOnly)) QSKIP("the folder of recorded profiles is not here");
    while (!file.atEnd()) {
        const QJsonObject facts = QJsonDocument::fromJson(file.readLine()).object();
        const QString path = facts["path"].toString();
        if (path.startsWith("chrome/") && facts.contains("first_ns")) QTest::newRow(qPrintable(path)) << facts;
    }
}

void TestChrome::agreesWithFacts()
{
    QFETCH(QJsonObject, facts);
    const auto result = open((kFolder + facts["path"].toString()).toStdString());
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().sentence().c_str());
    const Profile& profile = *result.value();
    const QJsonObject phases = facts["phases"].toObject();
    const QJsonObject pairs = facts["be"].toObject();
    // Asynchronous work becomes slices too; the facts count its events only.
    std::uint64_t synchronous = 0;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.track(profile.trackOf({slice})).kind != TrackKind::Async) ++synchronous;
    QCOMPARE(qint64(synchronous), phases["X"].toInteger() + pairs["matched_by_depth_in_time_order"].toInteger() +
                                      pairs["B_never_closed"].toInteger());
    // `samples` beside the events are not among the facts.
    if (!facts["path"].toString().contains("with-samples")) {
        QCOMPARE(qint64(profile.span.beginNs), facts["first_ns"].toInteger());
        QCOMPARE(qint64(profile.span.lengthNs()), facts["span_ns"].toInteger());
    }
    QCOMPARE(qint64(diagnosticCount(profile, DiagnosticCode::Overlap)), facts["partial_overlaps"].toInteger());
    qint64 samples = 0;
    for (const CounterSeries& counter : profile.counters) samples += qint64(counter.timeNs.size());
    qint64 expected = 0;
    for (const QJsonValue& count : facts["counters"].toObject()) expected += count.toInteger();
    QCOMPARE(samples, expected);
}

QTEST_GUILESS_MAIN(TestChrome)
#include "tst_chrome.moc"
