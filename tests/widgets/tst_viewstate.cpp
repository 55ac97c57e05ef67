// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/ViewState.h"
#include "support/ProfileFixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace stepscope;

namespace
{

SliceId sliceOf(const Profile& profile, std::string_view name)
{
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.sliceName({slice}) == name) return {slice};
    return {};
}

/// Two steps of 1000 ns; each launches a kernel that runs 300 ns later. One launch with three runs at the end.
std::shared_ptr<const Profile> twoSteps()
{
    test::ProfileFixture fixture;
    fixture.host("1", "ProfilerStep#1", 0, 1000, SliceKind::Annotation)
        .host("1", "ProfilerStep#2", 1000, 1000, SliceKind::Annotation)
        .host("1", "launch_a", 100, 50, SliceKind::Launch, 1)
        .host("1", "launch_b", 1100, 50, SliceKind::Launch, 2)
        .host("1", "launch_graph", 2100, 50, SliceKind::Launch, 3)
        .device(0, "7", "kernel_a", 400, 200, SliceKind::Kernel, 1)
        .device(0, "7", "kernel_b", 1400, 900, SliceKind::Kernel, 2)
        .device(0, "7", "graph_1", 2400, 10, SliceKind::Kernel, 3)
        .device(0, "7", "graph_2", 2500, 10, SliceKind::Kernel, 3)
        .device(0, "7", "graph_3", 2600, 1400, SliceKind::Kernel, 3);
    return fixture.finish();
}

} // namespace

class TestViewState : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_state = std::make_unique<ViewState>();
        m_profile = twoSteps();
        m_state->setProfile(m_profile);
    }

    void showsTheWholeProfileWithAMargin()
    {
        // The span is 0 to 4000; one percent is 40.
        QCOMPARE(m_state->range().beginNs, -40);
        QCOMPARE(m_state->range().endNs, 4040);
    }
    void rangeStaysWithinTheBounds()
    {
        m_state->setRange({-100'000, 100'000});
        QCOMPARE(m_state->range(), (TimeSpan{-800, 4800}));
        m_state->setRange({4700, 5700});
        QCOMPARE(m_state->range(), (TimeSpan{3800, 4800}));
        m_state->setRange({100, 101});
        QCOMPARE(m_state->range().lengthNs(), ViewState::kShortestRangeNs);
    }
    void zoomKeepsTheMomentInPlace_data()
    {
        QTest::addColumn<double>("factor");
        QTest::addColumn<qint64>("beginNs");
        QTest::addColumn<qint64>("endNs");
        QTest::newRow("closer") << 0.5 << qint64(500) << qint64(1500);
        QTest::newRow("same") << 1.0 << qint64(0) << qint64(2000);
        QTest::newRow("farther") << 1.5 << qint64(-500) << qint64(2500);
    }
    void zoomKeepsTheMomentInPlace()
    {
        QFETCH(double, factor);
        m_state->setRange({0, 2000});
        m_state->zoomAround(1000, factor);
        QTEST(qint64(m_state->range().beginNs), "beginNs");
        QTEST(qint64(m_state->range().endNs), "endNs");
    }
    void smallZoomsGetOn()
    {
        m_state->setRange({100, 120});
        m_state->zoomAround(110, 0.99);
        QCOMPARE(m_state->range().lengthNs(), 19);
    }
    void panMovesByAShareOfTheLength()
    {
        m_state->setRange({0, 1000});
        m_state->pan(0.25);
        QCOMPARE(m_state->range(), (TimeSpan{250, 1250}));
    }
    void stepIsShownOnHostAndDevice()
    {
        QSignalSpy stepped(m_state.get(), &ViewState::stepChanged);
        m_state->goToStep(1);
        QCOMPARE(stepped.size(), 1);
        QCOMPARE(m_state->currentStep(), std::optional<std::size_t>(1));
        QCOMPARE(m_state->selection(), sliceOf(*m_profile, "ProfilerStep#2"));
        // Host 1000 to 2000, device until kernel_b ends at 2300: 1300 ns, and 104 on either side.
        QCOMPARE(m_state->range(), (TimeSpan{896, 2404}));
    }
    void stepsAreWalkedToTheirEnds()
    {
        m_state->nextStep();
        QCOMPARE(m_state->currentStep(), std::optional<std::size_t>(0));
        m_state->nextStep();
        m_state->nextStep();
        QCOMPARE(m_state->currentStep(), std::optional<std::size_t>(1));
        m_state->previousStep();
        m_state->previousStep();
        QCOMPARE(m_state->currentStep(), std::optional<std::size_t>(0));
    }
    void selectionTellsTheStep()
    {
        m_state->select(sliceOf(*m_profile, "kernel_b"));
        QCOMPARE(m_state->currentStep(), std::optional<std::size_t>(1));
    }
    void jumpGoesToAndFro()
    {
        m_state->select(sliceOf(*m_profile, "launch_a"));
        QVERIFY(m_state->jumpAlongLink());
        QCOMPARE(m_state->selection(), sliceOf(*m_profile, "kernel_a"));
        QVERIFY(m_state->jumpAlongLink());
        QCOMPARE(m_state->selection(), sliceOf(*m_profile, "launch_a"));
    }
    void jumpVisitsEveryRun()
    {
        m_state->select(sliceOf(*m_profile, "launch_graph"));
        for (const char* run : {"graph_1", "graph_2", "graph_3", "graph_1"}) {
            QVERIFY(m_state->jumpAlongLink());
            QCOMPARE(m_state->selection(), sliceOf(*m_profile, run));
            QVERIFY(m_state->jumpAlongLink());
            QCOMPARE(m_state->selection(), sliceOf(*m_profile, "launch_graph"));
        }
    }
    void jumpKeepsTheZoom()
    {
        m_state->select(sliceOf(*m_profile, "launch_b"));
        m_state->setRange({1090, 1190});
        QVERIFY(m_state->jumpAlongLink());
        QCOMPARE(m_state->range().lengthNs(), 100);
        QVERIFY(m_state->range().contains(1400));
    }
    void jumpFromElsewhereDoesNothing()
    {
        QVERIFY(!m_state->jumpAlongLink());
        m_state->select(sliceOf(*m_profile, "ProfilerStep#1"));
        QVERIFY(!m_state->jumpAlongLink());
        QCOMPARE(m_state->selection(), sliceOf(*m_profile, "ProfilerStep#1"));
    }
    void revealExpandsWhatHidesTheSlice()
    {
        m_state->setAllExpanded(false);
        QSignalSpy layout(m_state.get(), &ViewState::layoutChanged);
        QSignalSpy revealed(m_state.get(), &ViewState::revealRequested);
        const SliceId slice = sliceOf(*m_profile, "launch_a");
        m_state->reveal(slice);
        QCOMPARE(layout.size(), 1);
        QCOMPARE(revealed.size(), 1);
        for (TrackId up = m_profile->trackOf(slice); up.valid(); up = m_profile->track(up).parent)
            QVERIFY(m_state->isExpanded(up));
    }
    void anotherProfileResetsAll()
    {
        m_state->goToStep(1);
        QSignalSpy changed(m_state.get(), &ViewState::profileChanged);
        m_state->setProfile(nullptr);
        QCOMPARE(changed.size(), 1);
        QVERIFY(!m_state->selection().valid());
        QVERIFY(!m_state->currentStep());
        m_state->nextStep();
        m_state->zoomAround(0, 0.5);
        QVERIFY(!m_state->profile());
    }

private:
    std::unique_ptr<ViewState> m_state;
    std::shared_ptr<const Profile> m_profile;
};

QTEST_GUILESS_MAIN(TestViewState)
#include "tst_viewstate.moc"
