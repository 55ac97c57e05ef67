// SPDX-License-Identifier: GPL-3.0-or-later
// Traces that are cut off, damaged, absurd or no traces at all.
#include "support/TempFiles.h"
#include "support/TraceTexts.h"

#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

std::int64_t durOf(const Profile& profile, std::string_view name)
{
    return profile.slices.durNs[sliceNamed(profile, name).value];
}

} // namespace

class TestBadTraces : public QObject
{
    Q_OBJECT

private slots:
    void repairsWhatItCan_data();
    void repairsWhatItCan();
    void skipsABrokenEvent();
    void bareLists_data();
    void bareLists();
    void nestedObjectsLookLikeBorders();
    void truncatedAnywhere();
    void truncatedGzip();
    void errors_data();
    void errors();
    void aPipeIsRefused();
    void foldersWithABrokenRank();
    void keysOfCountersMayEndInBackslashes();
    void unclosedEventsEnd();
    void anEventLongerThanManyWindows();
    void aTextWithoutEndIsLetGo();
    void manyCounters();
    void oneIdForEverything();
    void impossibleTimes();
    void aSecondListIsTold();
    void cutBehindTheEvents();
    void byteOrderMark();
    void damagedGzip();
    void everyLostFileIsNamed();
};

void TestBadTraces::repairsWhatItCan_data()
{
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<QByteArray>("name");
    const auto named = [](const QByteArray& name) { return kernel(name, "7", "2"); };
    QTest::newRow("raw newline") << named("a\nb") << QByteArray("a\nb");
    QTest::newRow("control byte") << named(QByteArray("a\x01z", 3)) << QByteArray("a\x01z", 3);
    QTest::newRow("Windows path") << named("C:\\Users\\py") << QByteArray("C:\\Users\\py");
    QTest::newRow("bad unicode escape") << named("a\\uZZZZ") << QByteArray("a\\uZZZZ");
    QTest::newRow("no UTF-8") << named("caf\xE9") << QByteArray("caf\xEF\xBF\xBD");
    QTest::newRow("bare inf") << kernel("k", "7", "2", ",\"blocks per SM\":inf") << QByteArray("k");
    QTest::newRow("bare -Infinity") << kernel("k", "7", "2", ",\"x\":-Infinity") << QByteArray("k");
    QTest::newRow("not available") << kernel("k", "7", "2", ",\"x\":N/A") << QByteArray("k");
    QTest::newRow("missing value") << kernel("k", "7", "2", ",\"x\": ,\"y\":1") << QByteArray("k");
    QTest::newRow("trailing comma") << kernel("k", "7", "2", ",\"x\":1,") << QByteArray("k");
    QTest::newRow("duplicate keys") << kernel("k", "7", "2", ",\"device\":0") << QByteArray("k");
}

void TestBadTraces::repairsWhatItCan()
{
    QFETCH(QByteArray, event);
    QFETCH(QByteArray, name);
    const auto profile = opened(list({kernel("before", "0", "1"), event, kernel("after", "20", "1")}));
    QVERIFY(profile);
    QCOMPARE(int(profile->slices.size()), 3);
    const SliceId slice = sliceNamed(*profile, name.toStdString());
    QVERIFY(slice.valid());
    QCOMPARE(profile->slices.startNs[slice.value], std::int64_t(7000));
    QCOMPARE(profile->slices.durNs[slice.value], std::int64_t(2000));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::BrokenEvent), std::uint64_t(0));
}

void TestBadTraces::skipsABrokenEvent()
{
    const auto profile =
        opened(list({kernel("before", "0", "1"), kernel("a \"quoted\" name", "7", "2"),
                     kernel("odd \" quote", "8", "2"), kernel("after", "20", "1"), kernel("last", "30", "1")}));
    QVERIFY(profile);
    QVERIFY(sliceNamed(*profile, "before").valid());
    QVERIFY(sliceNamed(*profile, "last").valid());
    QVERIFY(diagnosticCount(*profile, DiagnosticCode::BrokenEvent) >= 1);
}

void TestBadTraces::bareLists_data()
{
    QTest::addColumn<QByteArray>("text");
    const QByteArray a = kernel("a", "0", "1");
    const QByteArray b = kernel("b", "5", "1");
    QTest::newRow("closed") << "[" + a + "," + b + "]";
    QTest::newRow("open") << "[" + a + ",\n" + b;
    QTest::newRow("open with a comma") << "[" + a + ",\n" + b + ",\n";
    QTest::newRow("byte order mark") << "\xEF\xBB\xBF[" + a + "," + b + "]";
    QTest::newRow("no commas") << "[\n" + a + "\n" + b + "\n";
    QTest::newRow("empty element") << "[" + a + "," + b + ",{}]";
}

void TestBadTraces::bareLists()
{
    QFETCH(QByteArray, text);
    const auto profile = opened(text);
    QVERIFY(profile);
    QCOMPARE(int(profile->slices.size()), 2);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::TruncatedFile), std::uint64_t(0));
}

void TestBadTraces::nestedObjectsLookLikeBorders()
{
    // One event whose arguments hold more "}, {" than fit into a window: the window must not be cut inside it.
    QByteArray list(",\"parts\":[");
    for (int index = 0; index < 300'000; ++index)
        list += (index > 0 ? ",{\"a\":" : "{\"a\":") + QByteArray::number(index) + "}";
    const auto profile = opened("{\"traceEvents\":[" + kernel("before", "0", "1") + "," +
                                kernel("long", "5", "2", list + "]") + "," + kernel("after", "10", "1") + "]}");
    QVERIFY(profile);
    QCOMPARE(int(profile->slices.size()), 3);
    QCOMPARE(durOf(*profile, "long"), std::int64_t(2000));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::BrokenEvent), std::uint64_t(0));
}

void TestBadTraces::truncatedAnywhere()
{
    // Cut at every byte: never a crash; every event that is whole before the cut is there.
    for (qsizetype length = 0; length < kKinetoVector.size(); ++length) {
        const QByteArray text = kKinetoVector.left(length);
        const auto result = openText(text);
        const bool anyEvent = text.contains("\"External id\": 1}}");
        QCOMPARE(result.ok(), anyEvent);
        if (!anyEvent) {
            QVERIFY(!result.error().sentence().empty());
            continue;
        }
        const Profile& profile = *result.value();
        QCOMPARE(sliceNamed(profile, "aten::mm").valid(), text.contains("c10::BFloat16\"]}}"));
        if (length < kKinetoVector.lastIndexOf(']'))
            QVERIFY(diagnosticCount(profile, DiagnosticCode::TruncatedFile) == 1);
    }
}

void TestBadTraces::truncatedGzip()
{
    QByteArray text = "{\"schemaVersion\":1,\"traceEvents\": [\n";
    for (int index = 0; index < 20'000; ++index)
        text +=
            kernel("kernel " + QByteArray::number(index * 7919 % 10007), QByteArray::number(index * 10), "4") + ",\n";
    text += kernel("last", "900000", "1") + "]}";
    const QByteArray packed = gzipped(text);
    const TempFolder folder;
    const auto result = open(folder.write("cut.json.gz", packed.left(packed.size() / 2)));
    QVERIFY(result.ok());
    QVERIFY(result.value()->slices.size() > 5000 && result.value()->slices.size() < 20'000);
    QCOMPARE(diagnosticCount(*result.value(), DiagnosticCode::TruncatedFile), std::uint64_t(1));
    QVERIFY(result.value()->diagnostics.front().message.find("gzip data ends too early") != std::string::npos);
}

void TestBadTraces::errors_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const QByteArray& content, ErrorCode code, const char* part) {
        QTest::newRow(name) << content << int(code) << QString(part);
    };
    row("empty", "", ErrorCode::EmptyFile, "empty");
    row("text", "systrace: not JSON at all\n", ErrorCode::NotJson, "not JSON");
    row("binary",
        QByteArray("\x7f"
                   "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0",
                   20),
        ErrorCode::UnknownFormat, "no format");
    row("zeros", QByteArray(5000, '\0'), ErrorCode::UnknownFormat, "no format");
    row("database", QByteArray("SQLite format 3\0abc", 19), ErrorCode::Unreadable, "database is damaged");
    row("other JSON", R"({"nodes": [], "schema": "1.1.1"})", ErrorCode::NoEvents, "traceEvents");
    row("no list", R"({"traceEvents": 7})", ErrorCode::NoEvents, "traceEvents");
    row("empty list", R"({"traceEvents": []})", ErrorCode::NoEvents, "no event");
    row("only metadata", R"({"traceEvents": [{"ph":"M","name":"process_name","pid":1,"args":{"name":"x"}}]})",
        ErrorCode::NoEvents, "no event");
    row("cut in the first event", R"({"traceEvents": [{"ph":"X","cat":"ker)", ErrorCode::NoEvents, "first event");
    row("cut gzip", gzipped(kKinetoVector).left(40), ErrorCode::BrokenCompression, "gzip");
    row("junk behind a gzip head", QByteArray("\x1f\x8b\x08\0\0\0\0\0\0\0garbage!!", 19), ErrorCode::BrokenCompression,
        "gzip");
    row("gzip of nothing", gzipped(""), ErrorCode::UnknownFormat, "");
    row("lonely bracket", "[", ErrorCode::NoEvents, "no event");
    row("numbers", "[1, 2, 3]", ErrorCode::NotJson, "");
}

void TestBadTraces::errors()
{
    QFETCH(QByteArray, content);
    QFETCH(int, code);
    QFETCH(QString, part);
    const TempFolder folder;
    const std::string path = folder.write("some file.json", content);
    const auto result = open(path);
    QVERIFY(!result.ok());
    const QString sentence = QString::fromStdString(result.error().sentence());
    QVERIFY2(sentence.contains(part), qPrintable(sentence));
    QVERIFY(sentence.contains(QString::fromStdString(path)));
    QVERIFY(sentence.endsWith('.') && !result.error().advice.empty());
    if (part != "") QCOMPARE(int(result.error().code), code);
}

void TestBadTraces::aPipeIsRefused()
{
    const TempFolder folder;
    const auto missing = open(folder.path("nothing.json"));
    QVERIFY(!missing.ok());
    QCOMPARE(missing.error().code, ErrorCode::NoSuchFile);
    const auto device = open("/dev/null");
    QVERIFY(!device.ok());
    QCOMPARE(device.error().code, ErrorCode::Unreadable);
    const auto empty = open(folder.path());
    QVERIFY(!empty.ok());
    QCOMPARE(empty.error().code, ErrorCode::NoProfileInFolder);
}

void TestBadTraces::foldersWithABrokenRank()
{
    const TempFolder folder;
    folder.write("rank0.json", kKinetoVector);
    folder.write("rank1.json", "{\"traceEvents\": [");
    const auto result = open(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(int(result.value()->files.size()), 1);
    QCOMPARE(diagnosticCount(*result.value(), DiagnosticCode::FileSkipped), std::uint64_t(1));
    QCOMPARE(result.value()->diagnostics.front().firstPlace, std::string("rank1.json"));
}

void TestBadTraces::keysOfCountersMayEndInBackslashes()
{
    const auto profile = opened(R"([{"ph":"C","name":"c","pid":1,"ts":5,"args":{"a\\\\":1,"b\"":2}}])");
    QVERIFY(profile);
    QCOMPARE(int(profile->counters.size()), 2);
}

void TestBadTraces::unclosedEventsEnd()
{
    // None of them ends, so each swallows all that follow: this must not take the square of their number.
    QByteArray text = "{\"traceEvents\":[";
    for (int index = 0; index < 60'000; ++index)
        text += R"({"ph":"X","name":"k","pid":1,"tid":1,"ts":1,"dur":1,)"
                "\n";
    const auto result = openText(text);
    QVERIFY(!result.ok());
    QVERIFY2(result.error().what.find("no valid JSON") != std::string::npos, result.error().sentence().c_str());
    QCOMPARE(result.error().byteOffset.value_or(0), std::uint64_t(16));
}

void TestBadTraces::anEventLongerThanManyWindows()
{
    const QByteArray text(9'000'000, 'x');
    const auto profile =
        opened(list({kernel("before", "0", "1"), kernel("long", "5", "2", ",\"text\":\"" + text + "\""),
                     kernel("after", "10", "1")}));
    QVERIFY(profile);
    QCOMPARE(int(profile->slices.size()), 3);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::BrokenEvent), std::uint64_t(0));
}

void TestBadTraces::aTextWithoutEndIsLetGo()
{
    // A text of 100 MB in 100 kB of gzip: the events before it are shown, the rest is told as lost.
    const QByteArray text =
        "{\"traceEvents\":[" + kernel("before", "0", "1") + ",{\"ph\":\"X\",\"name\":\"" + QByteArray(100'000'000, 'x');
    const TempFolder folder;
    const auto result = open(folder.write("bomb.json.gz", gzipped(text)));
    QVERIFY(result.ok());
    QCOMPARE(int(result.value()->slices.size()), 1);
    QVERIFY(diagnosticCount(*result.value(), DiagnosticCode::BrokenEvent) > 0);
}

void TestBadTraces::manyCounters()
{
    QByteArrayList events;
    for (int index = 0; index < 60'000; ++index)
        events += R"({"ph":"C","name":"c)" + QByteArray::number(index) + R"(","pid":1,"ts":1,"args":{"value":1}})";
    const auto profile = opened(list(events));
    QVERIFY(profile);
    QCOMPARE(int(profile->counters.size()), 60'000);
}

void TestBadTraces::oneIdForEverything()
{
    QByteArrayList events;
    for (int index = 0; index < 30'000; ++index) {
        const QByteArray at = QByteArray::number(index * 10);
        events += R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"dur":1,"ts":)" + at +
                  R"(,"args":{"correlation":0}})";
        events += kernel("k", QByteArray::number(index * 10 + 4), "2", ",\"correlation\":0");
    }
    const auto profile = opened(list(events));
    QVERIFY(profile);
    QCOMPARE(int(profile->links.size()), 30'000);
    // Each run goes with the last launch before it: 4 us earlier.
    for (std::size_t link = 0; link < profile->links.size(); ++link)
        QCOMPARE(profile->sliceSpan(profile->links.run[link]).beginNs -
                     profile->sliceSpan(profile->links.launch[link]).beginNs,
                 std::int64_t(4000));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::AmbiguousLaunch), std::uint64_t(30'000));
}

void TestBadTraces::impossibleTimes()
{
    const auto profile =
        opened(list({kernel("good", "5", "2"), kernel("late", "9000000000000000", "2"),
                     kernel("early", "-9000000000000000", "2"), kernel("endless", "6", "9000000000000000")}));
    QVERIFY(profile);
    QCOMPARE(int(profile->slices.size()), 2);
    QVERIFY(profile->span.lengthNs() >= 0);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::TimeOutOfRange), std::uint64_t(3));
}

void TestBadTraces::aSecondListIsTold()
{
    const auto profile = opened("{\"traceEvents\":[" + kernel("a", "1", "1") + "],\"traceEvents\":[" +
                                kernel("b", "2", "1") + "," + kernel("c", "3", "1") + "]}");
    QVERIFY(profile);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::SecondEventList), std::uint64_t(2));
}

void TestBadTraces::cutBehindTheEvents()
{
    const auto profile = opened("{\"traceEvents\":[" + kernel("a", "1", "1") +
                                "],\"baseTimeNanoseconds\":1700000000000000000,\"distributedInfo\":{\"rank\":3");
    QVERIFY(profile);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::TruncatedFile), std::uint64_t(1));
    QCOMPARE(profile->originUnixNs.value_or(0), std::int64_t(1'700'000'000'000'000'000)); // it was whole
}

void TestBadTraces::byteOrderMark()
{
    const auto profile = opened("\xEF\xBB\xBF{\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[" +
                                kernel("a", "1", "1") + "]}");
    QVERIFY(profile);
    QCOMPARE(profile->originUnixNs.value_or(0), std::int64_t(1'700'000'000'000'000'000));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::BrokenMetadata), std::uint64_t(0));
}

void TestBadTraces::damagedGzip()
{
    QByteArray packed = gzipped(kKinetoVector);
    packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 0x5a); // in the checksum
    const TempFolder folder;
    const auto result = open(folder.write("a.json.gz", packed));
    QVERIFY(result.ok());
    QCOMPARE(diagnosticCount(*result.value(), DiagnosticCode::DamagedData), std::uint64_t(1));
    QCOMPARE(diagnosticCount(*result.value(), DiagnosticCode::TruncatedFile), std::uint64_t(0));
}

void TestBadTraces::everyLostFileIsNamed()
{
    const TempFolder folder;
    folder.write("rank-0.json", kKinetoVector);
    folder.write("rank-1.json", QByteArray("\0\1\2\3", 4));
    folder.write("rank-2.json", "");
    folder.write("rank-3.json.gz", gzipped(kKinetoVector).left(30));
    folder.write("readme.txt", "hello");
    folder.write("config.json", "{\"lr\": 1}");
    const auto result = open(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(result.value()->format, std::string("folder"));
    QStringList skipped;
    for (const Diagnostic& diagnostic : result.value()->diagnostics)
        if (diagnostic.code == DiagnosticCode::FileSkipped) skipped += QString::fromStdString(diagnostic.firstPlace);
    QCOMPARE(skipped, (QStringList{"rank-1.json", "rank-2.json", "rank-3.json.gz"}));
    QCOMPARE(diagnosticCount(*result.value(), DiagnosticCode::FileIgnored), std::uint64_t(2));
}

QTEST_GUILESS_MAIN(TestBadTraces)
#include "tst_badtraces.moc"
