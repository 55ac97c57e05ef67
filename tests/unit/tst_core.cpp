// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/DecimalTime.h"
#include "core/Diagnostics.h"
#include "core/Format.h"
#include "core/NaturalOrder.h"
#include "core/OrderedPipeline.h"
#include "core/StringPool.h"

#include <QtTest>

using namespace stepscope;

class TestCore : public QObject
{
    Q_OBJECT

private slots:
    void decimalTimeIsExact_data();
    void decimalTimeIsExact();
    void noNumberIsNoTime_data();
    void noNumberIsNoTime();
    void durationsReadWell_data();
    void durationsReadWell();
    void ticksTellNeighboursApart();
    void countsAndBytes();
    void poolInternsOnce();
    void poolSurvivesGrowth();
    void naturalOrder_data();
    void naturalOrder();
    void everyDiagnosticHasAText();
    void pipelineKeepsOrder();
    void pipelineStopsEarly();
};

void TestCore::decimalTimeIsExact_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ns");
    QTest::newRow("integer") << "100" << qint64(100'000);
    QTest::newRow("three decimals") << "0.001" << qint64(1);
    QTest::newRow("one decimal") << "121.5" << qint64(121'500);
    QTest::newRow("epoch with nanoseconds") << "1682725898237042.123" << qint64(1682725898237042123);
    QTest::newRow("epoch that a double would round") << "1672924880617000.373" << qint64(1672924880617000373);
    QTest::newRow("finer than a nanosecond is floored") << "1.0009" << qint64(1000);
    QTest::newRow("floored below zero") << "-1.0001" << qint64(-1001);
    QTest::newRow("negative") << "-5" << qint64(-5000);
    QTest::newRow("exponent") << "1.6921085481321545e+15" << qint64(1692108548132154500);
    QTest::newRow("exponent of an integer") << "16E2" << qint64(1'600'000);
    QTest::newRow("negative exponent") << "125e-3" << qint64(125);
    QTest::newRow("plus sign") << "+2" << qint64(2000);
    QTest::newRow("leading zeros") << "000000000000000000000012.5" << qint64(12'500);
    QTest::newRow("many zeros behind") << "3.5000000000000000000000" << qint64(3500);
    QTest::newRow("point at the end") << "7." << qint64(7000);
    QTest::newRow("zero") << "0.000" << qint64(0);
    QTest::newRow("zero with a huge exponent") << "0e999" << qint64(0);
    QTest::newRow("vanishing exponent") << "5e-999" << qint64(0);
    QTest::newRow("largest") << "9223372036854775.807" << qint64(INT64_MAX);
}

void TestCore::decimalTimeIsExact()
{
    QFETCH(QString, text);
    QFETCH(qint64, ns);
    const auto parsed = nsFromMicroseconds(text.toStdString());
    QVERIFY(parsed.has_value());
    QCOMPARE(qint64(*parsed), ns);
}

void TestCore::noNumberIsNoTime_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "-", ".", "abc", "1.2.3", "1e", "1e+", "12x", "inf", "nan", "0x10", " 1",
                             "9223372036854775.808", "1e300"})
        QTest::newRow(text) << QString::fromUtf8(text);
}

void TestCore::noNumberIsNoTime()
{
    QFETCH(QString, text);
    QVERIFY(!nsFromMicroseconds(text.toStdString()).has_value());
}

void TestCore::durationsReadWell_data()
{
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<int>("digits");
    QTest::addColumn<QString>("text");
    QTest::newRow("nanoseconds") << qint64(812) << 4 << "812 ns";
    QTest::newRow("microseconds") << qint64(3402) << 4 << "3.402 µs";
    QTest::newRow("rounded half up") << qint64(123'455) << 4 << "123.5 µs";
    QTest::newRow("no useless zeros") << qint64(12'500'000) << 4 << "12.5 ms";
    QTest::newRow("exact") << qint64(1'294'789'545) << 0 << "1.294789545 s";
    QTest::newRow("negative") << qint64(-3000) << 4 << "-3 µs";
    QTest::newRow("zero") << qint64(0) << 4 << "0 ns";
    QTest::newRow("long") << qint64(43'458'933'000) << 4 << "43.46 s";
    QTest::newRow("no exponent for the long") << qint64(123'456'000'000'000) << 4 << "123456 s";
}

void TestCore::durationsReadWell()
{
    QFETCH(qint64, ns);
    QFETCH(int, digits);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(formatDuration(ns, digits)), text);
}

void TestCore::ticksTellNeighboursApart()
{
    QCOMPARE(formatTick(1'500'000, 100'000, 1'600'000), std::string("1.5 ms"));
    QCOMPARE(formatTick(1'600'000, 100'000, 1'600'000), std::string("1.6 ms"));
    QCOMPARE(formatTick(2'000'000'001, 1, 2'000'000'001), std::string("2.000000001 s"));
    QCOMPARE(formatTick(0, 1000, 5000), std::string("0 µs"));
    QCOMPARE(formatTick(500'000'000, 500'000'000, 5'000'000'000), std::string("0.5 s"));
    QCOMPARE(formatTick(1'000'000, 1'000'000, -20'000'000), std::string("1 ms"));
}

void TestCore::countsAndBytes()
{
    QCOMPARE(formatCount(1'234'567), std::string("1,234,567"));
    QCOMPARE(formatCount(999), std::string("999"));
    QCOMPARE(formatBytes(1'460'000'000), std::string("1.46 GB"));
    QCOMPARE(formatBytes(512), std::string("512 B"));
    QCOMPARE(formatPercent(0.4377), std::string("43.8 %"));
    QCOMPARE(formatExactTime(1'204'560'221), std::string("1.204 560 221 s"));
}

void TestCore::poolInternsOnce()
{
    StringPool pool;
    const StringId a = pool.intern("aten::mm");
    QCOMPARE(pool.intern("aten::mm").value, a.value);
    QVERIFY(pool.intern("aten::mul") != a);
    QCOMPARE(pool.view(a), std::string_view("aten::mm"));
    QCOMPARE(pool.intern({}).value, 0u);
    QVERIFY(!pool.find("never seen").valid());
    QCOMPARE(pool.find("aten::mm").value, a.value);
}

void TestCore::poolSurvivesGrowth()
{
    StringPool pool;
    std::vector<StringId> ids;
    const std::string large(300'000, 'x'); // larger than a block
    for (int number = 0; number < 20'000; ++number) ids.push_back(pool.intern("name " + std::to_string(number)));
    const StringId last = pool.intern(large);
    for (int number = 0; number < 20'000; ++number) {
        QCOMPARE(pool.view(ids[size_t(number)]), std::string_view("name " + std::to_string(number)));
        QCOMPARE(pool.intern("name " + std::to_string(number)).value, ids[size_t(number)].value);
    }
    QCOMPARE(pool.view(last).size(), large.size());
}

void TestCore::naturalOrder_data()
{
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::newRow("numbers") << "stream 2"
                             << "stream 10";
    QTest::newRow("words") << "algo"
                           << "beta";
    QTest::newRow("prefix") << "stream 7"
                            << "stream 7 sync";
    QTest::newRow("numbers in the middle") << "rank-2.json"
                                           << "rank-10.json";
    QTest::newRow("beyond 64 bits") << "x99999999999999999998"
                                    << "x99999999999999999999";
    QTest::newRow("leading zeros decide last") << "a01"
                                               << "a1";
}

void TestCore::naturalOrder()
{
    QFETCH(QString, first);
    QFETCH(QString, second);
    QVERIFY(naturalLess(first.toStdString(), second.toStdString()));
    QVERIFY(!naturalLess(second.toStdString(), first.toStdString()));
    QVERIFY(!naturalLess(first.toStdString(), first.toStdString()));
}

void TestCore::everyDiagnosticHasAText()
{
    DiagnosticLog log;
    for (int code = 0; code <= int(DiagnosticCode::FileSkipped); ++code)
        log.add(DiagnosticCode(code), 2, "file.json, byte 7");
    const auto entries = log.finish();
    QCOMPARE(int(entries.size()), int(DiagnosticCode::FileSkipped) + 1);
    for (const Diagnostic& entry : entries) {
        QVERIFY(!entry.message.empty() && entry.message.ends_with('.'));
        QVERIFY(!diagnosticName(entry.code).empty());
        QCOMPARE(entry.count, std::uint64_t(2));
    }
    QCOMPARE(int(entries.front().severity), int(Severity::DataLoss));
    log.add(DiagnosticCode::Overlap, 0);
    QCOMPARE(log.finish().size(), entries.size());
}

void TestCore::pipelineKeepsOrder()
{
    OrderedPipeline<int, int> pipeline;
    int next = 0;
    std::vector<int> seen;
    pipeline.run(
        3, [&]() -> std::optional<int> { return next < 500 ? std::optional(next++) : std::nullopt; },
        [] { return [](int& number) { return number * number; }; },
        [&](int& number, int& square) {
            if (square == number * number) seen.push_back(number);
            return true;
        });
    QCOMPARE(int(seen.size()), 500);
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
}

void TestCore::pipelineStopsEarly()
{
    OrderedPipeline<int, int> pipeline;
    int next = 0;
    int consumed = 0;
    pipeline.run(
        2, [&]() -> std::optional<int> { return next++; }, // endless
        [] { return [](int& number) { return number; }; }, [&](int&, int&) { return ++consumed < 10; });
    QCOMPARE(consumed, 10);
}

QTEST_GUILESS_MAIN(TestCore)
#include "tst_core.moc"
