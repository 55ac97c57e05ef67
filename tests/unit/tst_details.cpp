// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/SliceDetails.h"
#include "support/ProfileFixture.h"
#include "support/TempFiles.h"

#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

class TestDetails : public QObject
{
    Q_OBJECT

private slots:
    void comparisonWithTheName();
    void theOnlyOneOfItsName();
    void everythingTheFileSaid();
    void parentsFromTheInside();
};

void TestDetails::comparisonWithTheName()
{
    ProfileFixture fixture;
    for (int dur = 1; dur <= 20; ++dur) fixture.device(0, "7", "gemm", dur * 100, dur);
    fixture.device(0, "7", "other", 5000, 77).host("1", "gemm", 0, 1000); // another kind does not count
    const auto profile = fixture.finish();
    SliceId seventeen;
    for (std::uint32_t slice = 0; slice < profile->slices.size(); ++slice)
        if (profile->slices.durNs[slice] == 17) seventeen = {slice};
    const NameStatistics statistics = compareWithName(*profile, seventeen);
    QCOMPARE(statistics.count, std::uint64_t(20));
    QCOMPARE(statistics.leastNs, std::int64_t(1));
    QCOMPARE(statistics.medianNs, std::int64_t(11)); // the upper of 10 and 11
    QCOMPARE(statistics.p95Ns, std::int64_t(19));    // nearest rank: the 19th of 20
    QCOMPARE(statistics.greatestNs, std::int64_t(20));
    QCOMPARE(statistics.totalNs, std::int64_t(210));
    QCOMPARE(statistics.longer, std::uint64_t(3));
    QCOMPARE(statistics.percentile, 85.0);
}

void TestDetails::theOnlyOneOfItsName()
{
    ProfileFixture fixture;
    fixture.host("1", "alone", 0, 7);
    const auto profile = fixture.finish();
    const NameStatistics statistics = compareWithName(*profile, {0});
    QCOMPARE(statistics.p95Ns, std::int64_t(7));
    QCOMPARE(statistics.percentile, 100.0);
    QVERIFY(!sourceFieldsOf(*profile, {0}).has_value()); // built by hand: there is no file to read again
}

void TestDetails::everythingTheFileSaid()
{
    const TempFolder folder;
    const auto opened = open(folder.write("a.json", R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k \"q\"",
        "pid":0,"tid":7,"ts":1.5,"dur":2,"cname":"good","args":{"grid":[1, 2,3],"Comms Id":10159970886766084423,
        "ratio":0.10,"note":"two\nlines","nested":{"a":null}}}]})"));
    QVERIFY(opened.ok());
    const auto fields = sourceFieldsOf(*opened.value(), {0});
    QVERIFY(fields.has_value());
    const auto value = [&](std::string_view key) {
        for (const SourceField& field : *fields)
            if (field.key == key) return field.value;
        return std::string("missing");
    };
    QCOMPARE(int(fields->size()), 13); // eight keys and five arguments
    QCOMPARE(value("name"), std::string("k \"q\""));
    QCOMPARE(value("ts"), std::string("1.5"));
    QCOMPARE(value("cname"), std::string("good"));
    QCOMPARE(value("grid"), std::string("[1, 2,3]"));
    QCOMPARE(value("Comms Id"), std::string("10159970886766084423"));
    QCOMPARE(value("ratio"), std::string("0.10"));
    QCOMPARE(value("note"), std::string("two\nlines"));
    QCOMPARE(value("nested"), std::string("{\"a\":null}"));
}

void TestDetails::parentsFromTheInside()
{
    ProfileFixture fixture;
    fixture.host("100", "a", 0, 100).host("100", "b", 10, 50).host("100", "c", 20, 5);
    const auto profile = fixture.finish();
    const auto parents = parentsOf(*profile, sliceNamed(*profile, "c"));
    QCOMPARE(int(parents.size()), 2);
    QCOMPARE(profile->sliceName(parents[0]), std::string_view("b"));
    QCOMPARE(profile->sliceName(parents[1]), std::string_view("a"));
    QCOMPARE(trackPathOf(*profile, parents[0]),
             (std::vector<std::string>{"host", "pid 100", "threads", "thread 100 (main)"}));
}

QTEST_GUILESS_MAIN(TestDetails)
#include "tst_details.moc"
