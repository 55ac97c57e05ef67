// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/Theme.h"
#include "common/ViewState.h"
#include "support/ProfileFixture.h"
#include "timeline/StepNavigator.h"
#include "timeline/StepPopup.h"
#include "timeline/TimelinePane.h"
#include "timeline/TimelineView.h"
#include "timeline/TrackTree.h"
#include "timeline/TrackTreeModel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>

using namespace stepscope;

namespace
{

SliceId sliceOf(const Profile& profile, std::string_view name)
{
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.sliceName({slice}) == name) return {slice};
    return {};
}

std::shared_ptr<const Profile> sample()
{
    test::ProfileFixture fixture;
    for (int step = 0; step < 5; ++step) {
        const std::int64_t begin = step * 10'000;
        const std::int64_t length = step == 3 ? 9'900 : 5'000;
        const auto correlation = static_cast<std::uint64_t>(step + 1);
        fixture.host("5", "ProfilerStep#" + std::to_string(step), begin, length, SliceKind::Annotation);
        fixture.host("5", "outer", begin + 100, 4000).host("5", "inner", begin + 200, 1000);
        fixture.host("5", "launch", begin + 2000, 500, SliceKind::Launch, correlation);
        fixture.device(0, "7", "kernel_" + std::to_string(step), begin + 3000, 1500, SliceKind::Kernel, correlation);
    }
    for (int depth = 0; depth < 60; ++depth) fixture.host("6", "deep", depth, 50'000 - 2 * depth);
    return fixture.finish();
}

} // namespace

class TestTimelinePane : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_state = std::make_unique<ViewState>();
        m_profile = sample();
        m_pane = std::make_unique<TimelinePane>(*m_state);
        m_pane->resize(1100, 500);
        m_state->setProfile(m_profile);
        m_pane->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_pane.get()));
        m_pane->view().animator().setDuration(0);
        m_pane->view().setFocus();
    }
    void cleanup() { m_pane.reset(); }

    void treeAndCanvasStandSideBySide()
    {
        TrackTree& tree = m_pane->tree();
        const TrackLayout& layout = m_pane->trackLayout();
        QCOMPARE(tree.viewport()->height(), m_pane->view().height());
        QCOMPARE(tree.viewport()->mapToGlobal(QPoint()).y(), m_pane->view().mapToGlobal(QPoint()).y());
        for (const int y : {0, 137, 300}) {
            m_pane->setScrollY(y);
            QCOMPARE(tree.verticalScrollBar()->value(), m_pane->scrollY());
            for (const LayoutRow& row : layout.rows()) {
                const QRect rect = tree.visualRect(tree.trackModel().indexOf(row.track));
                QCOMPARE(rect.top(), row.y - m_pane->scrollY());
                QCOMPARE(rect.height(), row.height);
            }
        }
    }
    void modelIsATree()
    {
        QAbstractItemModelTester tester(&m_pane->tree().trackModel(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_state->setProfile(sample());
    }
    void clickSelectsAndEscapeClears()
    {
        const SliceId kernel = sliceOf(*m_profile, "kernel_2");
        QTest::mouseClick(&m_pane->view(), Qt::LeftButton, {}, placeOf(kernel));
        QCOMPARE(m_state->selection(), kernel);
        QTest::keyClick(&m_pane->view(), Qt::Key_Escape);
        QVERIFY(!m_state->selection().valid());
    }
    void doubleClickZoomsToTheSlice()
    {
        const SliceId kernel = sliceOf(*m_profile, "kernel_1");
        QTest::mouseDClick(&m_pane->view(), Qt::LeftButton, {}, placeOf(kernel));
        QVERIFY(m_state->range().beginNs < 13'000);
        QVERIFY(m_state->range().lengthNs() < 2 * 1500);
    }
    void wheelScrollsZoomsAndPans()
    {
        const TimeSpan before = m_state->range();
        wheel(-120, {});
        QVERIFY(m_pane->scrollY() > 0);
        QCOMPARE(m_state->range(), before);
        const std::int64_t under = m_pane->view().timeAt(300);
        wheel(120, Qt::ControlModifier);
        QVERIFY(m_state->range().lengthNs() < before.lengthNs());
        QVERIFY(std::abs(m_pane->view().timeAt(300) - under) < before.lengthNs() / 400);
        const TimeSpan closer = m_state->range();
        wheel(-120, Qt::ShiftModifier);
        QVERIFY(m_state->range().beginNs > closer.beginNs);
        QCOMPARE(m_state->range().lengthNs(), closer.lengthNs());
    }
    void dragPansBothWays()
    {
        m_state->setRange({10'000, 20'000});
        TimelineView& view = m_pane->view();
        m_pane->setScrollY(100);
        QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(400, 200));
        QTest::mouseMove(&view, QPoint(300, 150));
        QTest::mouseMove(&view, QPoint(300, 150));
        QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(300, 150));
        const double moved = 100.0 / view.width() * 10'000;
        QVERIFY(std::abs(static_cast<double>(m_state->range().beginNs) - (10'000 + moved)) <= 1);
        QCOMPARE(m_pane->scrollY(), 150);
        QVERIFY(!m_state->selection().valid());
    }
    void keysZoomAndPan()
    {
        const TimeSpan all = m_state->range();
        QTest::keyClick(&m_pane->view(), Qt::Key_W);
        QVERIFY(std::abs(static_cast<double>(m_state->range().lengthNs()) * 1.5 - static_cast<double>(all.lengthNs())) <
                3);
        const TimeSpan closer = m_state->range();
        QTest::keyClick(&m_pane->view(), Qt::Key_D);
        QVERIFY(m_state->range().beginNs > closer.beginNs);
        QTest::keyClick(&m_pane->view(), Qt::Key_A);
        QVERIFY(std::abs(m_state->range().beginNs - closer.beginNs) <= 1);
        QTest::keyClick(&m_pane->view(), Qt::Key_Home);
        QCOMPARE(m_state->range(), all);
    }
    void movementReachesItsEnd()
    {
        m_pane->view().animator().setDuration(RangeAnimator::kDurationMs);
        const std::int64_t length = m_state->range().lengthNs();
        QTest::keyClick(&m_pane->view(), Qt::Key_W);
        QTest::keyClick(&m_pane->view(), Qt::Key_W);
        const double expected = static_cast<double>(length) / 2.25;
        QTRY_VERIFY(std::abs(static_cast<double>(m_state->range().lengthNs()) - expected) < 3);
    }
    void keysWalkStepsAndLinks()
    {
        QTest::keyClick(&m_pane->view(), Qt::Key_BracketRight);
        QTest::keyClick(&m_pane->view(), Qt::Key_BracketRight);
        QCOMPARE(m_state->currentStep(), std::optional<std::size_t>(1));
        const SliceId kernel = sliceOf(*m_profile, "kernel_1");
        m_state->select(kernel);
        QTest::keyClick(&m_pane->view(), Qt::Key_J);
        QCOMPARE(m_profile->sliceName(m_state->selection()), std::string_view("launch"));
        QTest::keyClick(&m_pane->view(), Qt::Key_J);
        QCOMPARE(m_state->selection(), kernel);
        QTest::keyClick(&m_pane->view(), Qt::Key_F);
        QVERIFY(m_state->range().lengthNs() < 2000);
    }
    void arrowsWalkSlices()
    {
        m_state->select(sliceOf(*m_profile, "inner"));
        QTest::keyClick(&m_pane->view(), Qt::Key_Up);
        QCOMPARE(m_profile->sliceName(m_state->selection()), std::string_view("outer"));
        QTest::keyClick(&m_pane->view(), Qt::Key_Right);
        QCOMPARE(m_profile->slices.startNs[m_state->selection().value], 10'100);
        QTest::keyClick(&m_pane->view(), Qt::Key_Left);
        QCOMPARE(m_profile->slices.startNs[m_state->selection().value], 100);
        QTest::keyClick(&m_pane->view(), Qt::Key_Down);
        QCOMPARE(m_profile->sliceName(m_state->selection()), std::string_view("inner"));
        QTest::keyClick(&m_pane->view(), Qt::Key_N);
        QCOMPARE(m_profile->slices.startNs[m_state->selection().value], 10'200);
        QTest::keyClick(&m_pane->view(), Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(m_profile->slices.startNs[m_state->selection().value], 200);
    }
    void collapsingFollowsBothWays()
    {
        TrackTree& tree = m_pane->tree();
        const TrackId host = m_profile->roots.front();
        tree.setExpanded(tree.trackModel().indexOf(host), false);
        QVERIFY(!m_state->isExpanded(host));
        QCOMPARE(m_pane->trackLayout().rows().size(), std::size_t(1));
        m_state->setExpanded(host, true);
        QVERIFY(tree.isExpanded(tree.trackModel().indexOf(host)));
    }
    void keysWorkFromTheTreeToo()
    {
        m_pane->tree().setFocus();
        m_pane->tree().setCurrentIndex(m_pane->tree().trackModel().indexOf(m_profile->roots.front()));
        const std::int64_t length = m_state->range().lengthNs();
        QTest::keyClick(&m_pane->tree(), Qt::Key_W);
        QVERIFY(m_state->range().lengthNs() < length);
        QTest::keyClick(&m_pane->tree(), Qt::Key_Down);
        QCOMPARE(m_pane->tree().trackModel().trackOf(m_pane->tree().currentIndex()),
                 m_pane->trackLayout().rows()[1].track);
    }
    void revealScrolls()
    {
        m_pane->setScrollY(0);
        std::uint32_t deepest = 0;
        for (std::uint32_t slice = 0; slice < m_profile->slices.size(); ++slice)
            if (m_profile->rowOf({slice}) > m_profile->rowOf({deepest})) deepest = slice;
        m_state->reveal({deepest});
        QVERIFY(m_pane->view().scene().rectOf({deepest}));
    }
    /// A picture drawn without a window has a tree as wide as a window's: its labels can be read.
    void pictureWithoutAWindow()
    {
        ViewState state;
        TimelinePane hidden(state);
        hidden.resize(1100, 500);
        state.setProfile(m_profile);
        const QImage picture = hidden.renderToImage({1100, 500}, 1);
        const QRgb canvas = Theme::current(&hidden).canvas.rgb();
        // Somewhere in the row of a stream the canvas begins; left of it is the tree.
        int widest = 0;
        for (int y = 100; y < 480; ++y)
            for (int x = 0; x < 600; ++x)
                if (picture.pixel(x, y) == canvas) {
                    widest = std::max(widest, x);
                    break;
                }
        QVERIFY2(widest >= 250, qPrintable(QString::number(widest)));
    }

    void pictureNeedsNoWindow()
    {
        m_state->goToStep(1);
        TimelinePane pane(*m_state);
        const QImage image = pane.renderToImage({900, 600}, 2, QStringLiteral("A title"));
        QCOMPARE(image.size(), QSize(1800, 1200));
        bool kernel = false;
        const QRgb colour = Theme::current(&pane).kindColour(SliceKind::CpuOp).rgb();
        for (int y = 0; y < image.height() && !kernel; ++y)
            for (int x = 0; x < image.width() && !kernel; ++x)
                kernel = qAbs(qRed(image.pixel(x, y)) - qRed(colour)) < 40 && image.pixel(x, y) != 0xffffffff;
        QVERIFY(kernel);
        QVERIFY(pane.fullHeight() > pane.trackLayout().height());
    }
    void navigatorWalksAndLists()
    {
        StepNavigator navigator(*m_state);
        const auto buttons = navigator.findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly);
        QCOMPARE(buttons.size(), 3);
        QTest::mouseClick(buttons[2], Qt::LeftButton);
        QCOMPARE(buttons[1]->text(), QStringLiteral("step_0"));
        QVERIFY(!buttons[0]->isEnabled());
        StepListModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSteps(m_profile, 0, 5, Qt::red);
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(model.index(3, StepListModel::HostTime).data().toString(), QStringLiteral("9.9 µs"));
        // The median step takes 5 us; only step 3 takes more than 7.5.
        for (int row = 0; row < 5; ++row) QCOMPARE(model.isOutlier(row), row == 3);
    }
    void withoutProfileNothingHappens()
    {
        m_state->setProfile(nullptr);
        for (const Qt::Key key :
             {Qt::Key_W, Qt::Key_A, Qt::Key_J, Qt::Key_N, Qt::Key_Left, Qt::Key_BracketRight, Qt::Key_F})
            QTest::keyClick(&m_pane->view(), key);
        QTest::mouseMove(&m_pane->view(), QPoint(200, 100));
        QTest::mouseClick(&m_pane->view(), Qt::LeftButton, {}, QPoint(200, 100));
        QCOMPARE(m_pane->trackLayout().height(), 0);
        QVERIFY(!m_pane->renderToImage({300, 200}, 1).isNull());
    }

private:
    QPoint placeOf(SliceId slice)
    {
        m_pane->scrollToSlice(slice);
        const auto rect = m_pane->view().scene().rectOf(slice);
        return rect ? rect->center().toPoint() : QPoint(-1, -1);
    }
    void wheel(int angle, Qt::KeyboardModifiers modifiers)
    {
        const QPointF place(300, 100);
        QWheelEvent event(place, m_pane->view().mapToGlobal(place), {}, QPoint(0, angle), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&m_pane->view(), &event);
    }

    std::unique_ptr<ViewState> m_state;
    std::shared_ptr<const Profile> m_profile;
    std::unique_ptr<TimelinePane> m_pane;
};

QTEST_MAIN(TestTimelinePane)
#include "tst_timelinepane.moc"
