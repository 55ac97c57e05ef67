// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/LevelOfDetail.h"
#include "profile/Busy.h"
#include "profile/Nesting.h"
#include "profile/Row.h"

#include <QtTest>
#include <map>
#include <random>

using namespace stepscope;

namespace
{

/// A row of slices that do not overlap, with gaps and lengths of very different size.
struct RandomRow {
    std::vector<std::int64_t> start;
    std::vector<std::int64_t> dur;
    std::vector<RowBlock> blocks;

    explicit RandomRow(unsigned seed, std::size_t count)
    {
        std::mt19937_64 random(seed);
        std::int64_t ns = std::int64_t(random() % 1000);
        for (std::size_t index = 0; index < count; ++index) {
            ns += random() % 4 == 0 ? 0 : std::int64_t(random() % (std::uint64_t(1) << random() % 14));
            start.push_back(ns);
            dur.push_back(random() % 8 == 0 ? 0 : std::int64_t(random() % (std::uint64_t(1) << random() % 13)));
            ns += dur.back();
        }
        appendRowBlocks(dur, blocks);
    }
    [[nodiscard]] RowView view() const { return {start, dur, {}, {0}, blocks}; }
};

/// What a column shows, found by looking at every slice.
struct Column {
    std::uint32_t count = 0;
    std::int64_t coveredNs = 0;
    std::int64_t longestNs = -1;

    friend bool operator==(const Column&, const Column&) = default;
};

} // namespace

class TestRows : public QObject
{
    Q_OBJECT

private slots:
    void sortsLongerFirst();
    void sortsManyRuns();
    void threadsNest();
    void threadsKeepOverlapsApart();
    void streamsStackOverlaps();
    void rowsNeverOverlap();
    void summaryEqualsSum();
    void searchByTime();
    void unionCountsOnce();
    void coverageWithinSpans();
    void lodEqualsBruteForce_data();
    void lodEqualsBruteForce();
    void lodLosesNoSliceAtNanoseconds();
    void lodDependsOnPixels();
};

void TestRows::sortsLongerFirst()
{
    const std::vector<Interval> slices = {{10, 2}, {5, 1}, {10, 7}, {5, 1}, {0, 100}};
    QCOMPARE(sortedOrder(slices), (std::vector<std::uint32_t>{4, 1, 3, 2, 0}));
}

void TestRows::sortsManyRuns()
{
    std::mt19937 random(3);
    std::vector<Interval> slices;
    for (int index = 0; index < 30'000; ++index) // some runs, then noise, so that both ways of sorting are taken
        slices.push_back({index < 15'000 ? index % 5000 : std::int64_t(random() % 50'000), std::int64_t(random() % 9)});
    const auto order = sortedOrder(slices);
    auto expected = order;
    std::sort(expected.begin(), expected.end());
    std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) {
        return slices[a].startNs != slices[b].startNs ? slices[a].startNs < slices[b].startNs
                                                      : slices[a].durNs > slices[b].durNs;
    });
    QCOMPARE(order, expected);
}

void TestRows::threadsNest()
{
    // Touching slices are siblings; one without duration stands below the one that it starts in.
    const std::vector<Interval> slices = {{0, 100}, {0, 40}, {40, 60}, {50, 10}, {55, 0}, {100, 5}};
    const auto rows = nestRows(slices, sortedOrder(slices));
    QCOMPARE(rows.row, (std::vector<std::uint32_t>{0, 1, 1, 2, 3, 0}));
    QCOMPARE(rows.rowCount, 4u);
    QCOMPARE(rows.overlaps, std::uint64_t(0));
}

void TestRows::threadsKeepOverlapsApart()
{
    // B outlasts A; C starts when A is over but B is not: it must not be drawn over B.
    const std::vector<Interval> slices = {{0, 10}, {5, 20}, {12, 3}, {30, 1}};
    const auto rows = nestRows(slices, sortedOrder(slices));
    QCOMPARE(rows.row, (std::vector<std::uint32_t>{0, 1, 2, 0}));
    QCOMPARE(rows.overlaps, std::uint64_t(1));
}

void TestRows::streamsStackOverlaps()
{
    // Case C01: 3 .. 6.776 and 5 .. 7 on one stream.
    const std::vector<Interval> slices = {{3000, 3776}, {5000, 2000}, {7000, 10}};
    const auto rows = stackRows(slices, sortedOrder(slices));
    QCOMPARE(rows.row, (std::vector<std::uint32_t>{0, 1, 0}));
    QCOMPARE(rows.overlaps, std::uint64_t(1));
}

void TestRows::rowsNeverOverlap()
{
    std::mt19937 random(11);
    for (int round = 0; round < 50; ++round) {
        std::vector<Interval> slices;
        for (int index = 0; index < 400; ++index)
            slices.push_back({std::int64_t(random() % 2000), std::int64_t(random() % (1u << random() % 9))});
        const auto order = sortedOrder(slices);
        for (const RowAssignment& rows : {nestRows(slices, order), stackRows(slices, order)}) {
            std::vector<std::int64_t> rowEnd(rows.rowCount, INT64_MIN);
            for (const std::uint32_t index : order) {
                QVERIFY(slices[index].startNs >= rowEnd[rows.row[index]]);
                rowEnd[rows.row[index]] = slices[index].endNs();
            }
        }
    }
}

void TestRows::summaryEqualsSum()
{
    const RandomRow row(5, 5000);
    std::mt19937 random(17);
    for (int round = 0; round < 3000; ++round) {
        std::size_t begin = random() % 5000;
        std::size_t end = begin + 1 + random() % (round % 2 == 0 ? 40 : 5000);
        end = std::min<std::size_t>(end, 5000);
        std::int64_t sum = 0;
        std::size_t longest = begin;
        for (std::size_t index = begin; index < end; ++index) {
            sum += row.dur[index];
            if (row.dur[index] > row.dur[longest]) longest = index;
        }
        const RowRange range = summarise(row.view(), begin, end);
        QCOMPARE(range.sumNs, sum);
        QCOMPARE(range.longest, longest);
    }
}

void TestRows::searchByTime()
{
    const RandomRow row(6, 300);
    const RowView view = row.view();
    for (std::int64_t ns = -5; ns < view.endNs(299) + 5; ns += 3) {
        std::size_t ending = 0;
        while (ending < 300 && view.endNs(ending) <= ns) ++ending;
        QCOMPARE(view.firstEndingAfter(ns), ending);
        std::size_t starting = 10;
        while (starting < 300 && view.startNs[starting] < ns) ++starting;
        QCOMPARE(view.firstStartingAt(ns, 10), starting);
    }
}

void TestRows::unionCountsOnce()
{
    // Case C22: 0 .. 100 and 25 .. 125 are busy for 125, not 200. Touching intervals join; empty ones do not count.
    const BusySeries series = unionOf({{25, 100}, {0, 100}, {125, 5}, {200, 0}, {300, 10}});
    QCOMPARE(series.totalNs(), std::int64_t(140));
    QCOMPARE(series.beginNs, (std::vector<std::int64_t>{0, 300}));
    QCOMPARE(series.endNs, (std::vector<std::int64_t>{130, 310}));
    QCOMPARE(unionOf({}).totalNs(), std::int64_t(0));
}

void TestRows::coverageWithinSpans()
{
    const BusySeries series = unionOf({{10, 10}, {40, 20}});
    QCOMPARE(coveredWithin(series, {0, 100}), std::int64_t(30));
    QCOMPARE(coveredWithin(series, {15, 45}), std::int64_t(10));
    QCOMPARE(coveredWithin(series, {20, 40}), std::int64_t(0));
    QCOMPARE(coveredWithin(series, {50, 55}), std::int64_t(5));
    QCOMPARE(coveredWithin(series, {90, 10}), std::int64_t(0));
}

void TestRows::lodEqualsBruteForce_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 40; ++seed) QTest::newRow(qPrintable(QString::number(seed))) << seed;
}

void TestRows::lodEqualsBruteForce()
{
    QFETCH(unsigned, seed);
    std::mt19937_64 random(seed * 7919 + 1);
    const RandomRow row(seed, 1 + random() % 3000);
    const RowView view = row.view();
    const std::int64_t last = view.endNs(view.size() - 1) + 1;
    const std::int64_t begin = std::int64_t(random() % std::uint64_t(last)) - 10;
    const std::int64_t length = 1 + std::int64_t(random() % std::uint64_t(seed % 4 == 0 ? last * 2 : 1 + last / 7));
    const PixelGrid grid({begin, begin + length}, int(1 + random() % 700));

    std::vector<LodItem> items;
    appendVisible(view, grid, items);

    std::map<std::int64_t, Column> expected;
    std::vector<std::uint32_t> expectedWide;
    for (std::uint32_t index = 0; index < view.size(); ++index) {
        const std::int64_t start = view.startNs[index];
        const std::int64_t end = view.endNs(index);
        const bool touches = start < grid.view().endNs && (end > begin || (end == start && start >= begin));
        if (!touches) continue;
        if (double(view.durNs[index]) >= grid.nsPerPx()) {
            expectedWide.push_back(index);
            continue;
        }
        for (std::int64_t column = grid.columnOf(std::max(start, begin)); grid.columnBegin(column) < grid.view().endNs;
             ++column) {
            const TimeSpan span{grid.columnBegin(column), grid.columnBegin(column + 1)};
            const bool inside = span.contains(start) || (start < span.endNs && end > span.beginNs);
            if (!inside) break;
            Column& cell = expected[column];
            ++cell.count;
            cell.coveredNs += std::max<std::int64_t>(0, std::min(end, span.endNs) - std::max(start, span.beginNs));
            cell.longestNs = std::max(cell.longestNs, view.durNs[index]);
        }
    }

    std::map<std::int64_t, Column> found;
    std::vector<std::uint32_t> foundWide;
    for (const LodItem& item : items) {
        if (!item.column) {
            foundWide.push_back(item.index);
            QCOMPARE(item.beginNs, view.startNs[item.index]);
            QCOMPARE(item.endNs, view.endNs(item.index));
            continue;
        }
        const std::int64_t column = grid.columnOf(item.beginNs);
        QCOMPARE(item.beginNs, grid.columnBegin(column));
        Column& cell = found[column];
        cell.count += item.count;
        cell.coveredNs += item.coveredNs;
        cell.longestNs = std::max(cell.longestNs, view.durNs[item.index]);
    }
    QCOMPARE(foundWide, expectedWide);
    QCOMPARE(found.size(), expected.size());
    for (const auto& [column, cell] : expected) {
        QVERIFY2(found.contains(column), "a column is missing");
        QCOMPARE(found[column].count, cell.count);
        QCOMPARE(found[column].coveredNs, cell.coveredNs);
        QCOMPARE(found[column].longestNs, cell.longestNs);
    }
}

void TestRows::lodLosesNoSliceAtNanoseconds()
{
    // More pixels than nanoseconds: every slice is wide, one without duration still has its column.
    const std::vector<std::int64_t> start = {100, 103, 104};
    const std::vector<std::int64_t> dur = {2, 1, 0};
    std::vector<LodItem> items;
    appendVisible({start, dur, {}, {0}, {}}, PixelGrid({98, 108}, 1000), items);
    QCOMPARE(int(items.size()), 3);
    QVERIFY(!items[0].column && !items[1].column && items[2].column);
    QCOMPARE(items[2].count, 1u);
}

void TestRows::lodDependsOnPixels()
{
    const RandomRow row(9, 200'000);
    std::vector<LodItem> items;
    const std::int64_t last = row.view().endNs(row.start.size() - 1);
    appendVisible(row.view(), PixelGrid({0, last}, 500), items);
    // At most one column and one wide slice (with the column before and after it) a pixel.
    QVERIFY(items.size() <= 1500);
    QVERIFY(items.size() >= 450);
}

QTEST_GUILESS_MAIN(TestRows)
#include "tst_rows.moc"
