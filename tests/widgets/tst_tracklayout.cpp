// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/Expansion.h"
#include "support/ProfileFixture.h"
#include "timeline/TrackLayout.h"

#include <QTest>

using namespace stepscope;

namespace
{

TrackId trackNamed(const Profile& profile, std::string_view name)
{
    for (std::uint32_t track = 0; track < profile.tracks.size(); ++track)
        if (profile.tracks[track].name == name) return {track};
    return {};
}

/// A thread with three nested lines, and two streams.
std::shared_ptr<const Profile> smallProfile()
{
    test::ProfileFixture fixture;
    fixture.host("5", "outer", 0, 100).host("5", "middle", 10, 50).host("5", "inner", 20, 10);
    fixture.host("5", "launch", 70, 10, SliceKind::Launch, 1);
    fixture.device(0, "7", "kernel", 90, 30, SliceKind::Kernel, 1).device(0, "20", "copy", 90, 5, SliceKind::Memcpy);
    return fixture.finish();
}

constexpr LayoutMetrics kMetrics{18, 12, 26, 38, 3};

} // namespace

class TestTrackLayout : public QObject
{
    Q_OBJECT
private slots:
    void rowsTouchAndFollowTheTree()
    {
        const auto profile = smallProfile();
        const TrackLayout layout(*profile, std::vector<bool>(profile->tracks.size(), true), kMetrics);
        int y = 0;
        for (const LayoutRow& row : layout.rows()) {
            QCOMPARE(row.y, y);
            y = row.bottom();
            const TrackId parent = profile->track(row.track).parent;
            QCOMPARE(row.depth, parent.valid() ? layout.rows()[*layout.rowOf(parent)].depth + 1 : 0);
        }
        QCOMPARE(layout.height(), y);
        QVERIFY(layout.isVisible(trackNamed(*profile, "stream 20")));
    }
    void heightsFollowTheLines()
    {
        const auto profile = smallProfile();
        const TrackLayout layout(*profile, std::vector<bool>(profile->tracks.size(), true), kMetrics);
        const LayoutRow& thread = layout.rows()[*layout.rowOf(trackNamed(*profile, "thread 5"))];
        QCOMPARE(thread.lines, 3);
        QCOMPARE(thread.height, 3 * 18 + 2 * 3);
        QCOMPARE(thread.lineY(0), thread.y + 3);
        QCOMPARE(thread.lineY(2), thread.y + 3 + 36);
        const LayoutRow& utilisation = layout.rows()[*layout.rowOf(trackNamed(*profile, "GPU-0 utilisation"))];
        QCOMPARE(utilisation.body, RowBody::Utilisation);
        QCOMPARE(utilisation.height, 38);
        QCOMPARE(layout.rows().front().height, 26);
    }
    void collapsedTrackKeepsItsFirstLine()
    {
        const auto profile = smallProfile();
        std::vector<bool> expanded(profile->tracks.size(), true);
        expanded[trackNamed(*profile, "thread 5").value] = false;
        const TrackLayout layout(*profile, expanded, kMetrics);
        const LayoutRow& thread = layout.rows()[*layout.rowOf(trackNamed(*profile, "thread 5"))];
        QVERIFY(thread.expandable);
        QCOMPARE(thread.lines, 1);
        QCOMPARE(thread.height, 18 + 2 * 3);
        QCOMPARE(thread.lineY(2), thread.lineY(0));
    }
    void collapsedHeadingStandsForWhatItHides()
    {
        const auto profile = smallProfile();
        std::vector<bool> expanded(profile->tracks.size(), true);
        const TrackId device = trackNamed(*profile, "GPU-0 device");
        expanded[device.value] = false;
        const TrackLayout layout(*profile, expanded, kMetrics);
        QVERIFY(!layout.isVisible(trackNamed(*profile, "stream 7")));
        QCOMPARE(layout.rowOf(trackNamed(*profile, "stream 7")), layout.rowOf(device));
    }
    void rowsAreFoundByHeight()
    {
        const auto profile = smallProfile();
        const TrackLayout layout(*profile, std::vector<bool>(profile->tracks.size(), true), kMetrics);
        QVERIFY(!layout.rowAt(-1));
        QVERIFY(!layout.rowAt(layout.height()));
        for (std::size_t index = 0; index < layout.rows().size(); ++index) {
            QCOMPARE(*layout.rowAt(layout.rows()[index].y), index);
            QCOMPARE(*layout.rowAt(layout.rows()[index].bottom() - 0.5), index);
        }
    }
    void veryManyLinesAreDense()
    {
        test::ProfileFixture fixture;
        for (int depth = 0; depth < 25; ++depth) fixture.host("5", "frame", depth, 1000 - 2 * depth);
        const auto profile = fixture.finish();
        const TrackLayout layout(*profile, std::vector<bool>(profile->tracks.size(), true), kMetrics);
        const LayoutRow& thread = layout.rows()[*layout.rowOf(trackNamed(*profile, "thread 5"))];
        QCOMPARE(thread.lines, 25);
        QCOMPARE(thread.lineHeight, 12);
    }
    void manyThreadsOpenWithThePrincipalOne()
    {
        test::ProfileFixture fixture;
        for (const char* thread : {"11", "12", "13", "14", "15"})
            fixture.host(thread, "outer", 0, 100).host(thread, "inner", 10, 10);
        fixture.host("14", "another", 200, 10);
        const auto profile = fixture.finish();
        const auto expanded = defaultExpansion(*profile);
        for (const char* thread : {"11", "12", "13", "14", "15"}) {
            const bool open = expanded[trackNamed(*profile, std::string("thread ") + thread).value];
            QCOMPARE(open, std::string_view(thread) == "14");
        }
    }
    void nothingToShow()
    {
        const TrackLayout layout;
        QCOMPARE(layout.height(), 0);
        QVERIFY(!layout.rowAt(0));
        QVERIFY(!layout.rowOf({3}));
    }
};

QTEST_GUILESS_MAIN(TestTrackLayout)
#include "tst_tracklayout.moc"
