// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/Text.h"
#include "common/Theme.h"
#include "support/ProfileFixture.h"
#include "timeline/RendererRaster.h"
#include "timeline/TimeTicks.h"
#include "timeline/TimelineScene.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace stepscope;

namespace
{

constexpr LayoutMetrics kMetrics{18, 12, 26, 38, 3};

SliceId sliceOf(const Profile& profile, std::string_view name)
{
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.sliceName({slice}) == name) return {slice};
    return {};
}

/// A scene of 1000 px on which a px is a ns, with every row in view.
struct Stage {
    explicit Stage(std::shared_ptr<const Profile> shown)
        : profile(std::move(shown)), expanded(profile->tracks.size(), true), layout(*profile, expanded, kMetrics),
          scene(QFont())
    {
        input.profile = profile.get();
        input.layout = &layout;
        input.theme = &Theme::lightTheme();
        input.range = {0, 1000};
        input.size = QSizeF(1000, layout.height());
    }
    const DrawList& build() { return scene.build(input); }
    /// Rectangles of slices in a line of a track, by x.
    std::vector<RectRecord> slicesAt(SliceId slice)
    {
        const std::uint32_t row = profile->rowOf(slice);
        const TrackId track = profile->rowTrack[row];
        const LayoutRow& shown = layout.rows()[*layout.rowOf(track)];
        const auto y = static_cast<float>(shown.lineY(row - profile->track(track).firstRow));
        std::vector<RectRecord> found;
        for (const RectRecord& rect : build().slices.rects)
            if (rect.y == y) found.push_back(rect);
        return found;
    }

    std::shared_ptr<const Profile> profile;
    std::vector<bool> expanded;
    TrackLayout layout;
    TimelineScene scene;
    SceneInput input;
};

std::shared_ptr<const Profile> linked()
{
    test::ProfileFixture fixture;
    fixture.host("5", "launch", 100, 50, SliceKind::Launch, 1).host("5", "idle", 800, 10);
    fixture.device(0, "7", "kernel", 400, 200, SliceKind::Kernel, 1);
    return fixture.finish();
}

} // namespace

class TestTimelineScene : public QObject
{
    Q_OBJECT
private slots:
    void wideSlicesAreWhereTheirTimesAre()
    {
        Stage stage(linked());
        const auto rects = stage.slicesAt(sliceOf(*stage.profile, "kernel"));
        QCOMPARE(rects.size(), std::size_t(1));
        QCOMPARE(rects[0].x, 400.0f);
        QCOMPARE(rects[0].width, 199.0f); // one px of gap to whatever follows
        QCOMPARE(rects[0].height, 17.0f);
    }
    void narrowSlicesNeverVanish()
    {
        test::ProfileFixture fixture;
        fixture.host("5", "first", 0, 1).host("5", "tiny", 500'000, 1).host("5", "last", 999'999, 1);
        Stage stage(fixture.finish());
        stage.input.range = {0, 1'000'000};
        const auto rects = stage.slicesAt(sliceOf(*stage.profile, "tiny"));
        QCOMPARE(rects.size(), std::size_t(3));
        QCOMPARE(rects[1].x, 500.0f);
        QCOMPARE(rects[1].width, 1.0f);
        // Hardly covered: faint, but well told from the canvas.
        QVERIFY(contrastRatio(QColor(rects[1].colour), stage.input.theme->canvas) > 1.2);
    }
    void mergedColumnsTellTheirCoverage()
    {
        test::ProfileFixture fixture;
        // Within each 100 ns: half covered in the first column, fully in the second.
        fixture.device(0, "7", "a", 0, 25).device(0, "7", "b", 50, 25);
        fixture.device(0, "7", "c", 100, 50).device(0, "7", "d", 150, 50);
        fixture.device(0, "7", "end", 99'999, 1);
        Stage stage(fixture.finish());
        stage.input.range = {0, 100'000};
        const auto rects = stage.slicesAt(sliceOf(*stage.profile, "a"));
        QVERIFY(rects.size() >= 2);
        const QColor full = stage.input.theme->kindColour(SliceKind::Kernel);
        QCOMPARE(QColor(rects[1].colour), full);
        QVERIFY(rects[0].colour != rects[1].colour);
        QCOMPARE(stage.scene.hitAt({0.5, double(rects[0].y) + 4}).count, 2u);
        QCOMPARE(stage.scene.hitAt({0.5, double(rects[0].y) + 4}).coverage, 0.5);
        QCOMPARE(stage.scene.hitAt({1.5, double(rects[0].y) + 4}).coverage, 1.0);
    }
    void equalColumnsBecomeOneRectangle()
    {
        test::ProfileFixture fixture;
        for (int slice = 0; slice < 1000; ++slice) fixture.device(0, "7", "k", slice * 10, 10);
        Stage stage(fixture.finish());
        stage.input.range = {0, 10'000'000};
        const auto rects = stage.slicesAt(sliceOf(*stage.profile, "k"));
        QCOMPARE(rects.size(), std::size_t(1));
        QCOMPARE(rects[0].width, 1.0f);
        stage.input.range = {0, 20'000};
        const auto closer = stage.slicesAt(sliceOf(*stage.profile, "k"));
        QCOMPARE(closer.size(), std::size_t(1));
        QCOMPARE(closer[0].width, 500.0f);
    }
    void namesAreOnWideSlicesOnly()
    {
        Stage stage(linked());
        QStringList names;
        for (const TextRecord& text : stage.build().slices.texts) names << text.text;
        QVERIFY(names.contains(QStringLiteral("kernel")));
        QVERIFY(!names.contains(QStringLiteral("idle")));
    }
    void pointsFindSlices()
    {
        Stage stage(linked());
        stage.build();
        const SliceId kernel = sliceOf(*stage.profile, "kernel");
        const QRectF box = *stage.scene.rectOf(kernel);
        QCOMPARE(stage.scene.sliceAt(box.center()), kernel);
        QVERIFY(!stage.scene.sliceAt({box.left() - 5, box.center().y()}).valid());
        QCOMPARE(stage.scene.hitAt({box.left() - 5, box.center().y()}).track, stage.profile->trackOf(kernel));
        QVERIFY(!stage.scene.hitAt({500, -1}).track.valid());
    }
    void selectionIsOutlinedWhereverItIsShown()
    {
        Stage stage(linked());
        QVERIFY(stage.build().marks.rects.empty());
        stage.input.selection = sliceOf(*stage.profile, "launch");
        // On its thread and on the GPU's host row, each with four sides and a thin line inside.
        QCOMPARE(stage.build().marks.rects.size(), std::size_t(16));
    }
    void invisibleSelectionGetsWidth()
    {
        Stage stage(linked());
        stage.input.range = {0, 4'000'000};
        stage.input.selection = sliceOf(*stage.profile, "idle");
        float left = 1e9f;
        float right = -1e9f;
        for (const RectRecord& rect : stage.build().marks.rects) {
            left = std::min(left, rect.x);
            right = std::max(right, rect.x + rect.width);
        }
        QVERIFY(right - left >= 3);
    }
    void arrowLeadsFromStartToStart()
    {
        Stage stage(linked());
        stage.input.selection = sliceOf(*stage.profile, "launch");
        const DrawLayer& overlay = stage.build().overlay;
        QVERIFY(!overlay.lines.empty());
        float left = 1e9f;
        float right = -1e9f;
        for (const LineRecord& line : overlay.lines) {
            left = std::min({left, line.x1, line.x2});
            right = std::max({right, line.x1, line.x2});
        }
        QCOMPARE(left, 100.0f);
        QVERIFY(std::abs(right - 400.0f) < 10);
        QCOMPARE(overlay.lines.back().colour, stage.input.theme->link.rgb());
        QCOMPARE(overlay.texts.size(), std::size_t(1));
        QCOMPARE(overlay.texts[0].text, QStringLiteral("+300 ns"));
        stage.input.arrows = false;
        QVERIFY(stage.build().overlay.lines.empty());
    }
    void runShowsItsLaunchToo()
    {
        Stage stage(linked());
        stage.input.selection = sliceOf(*stage.profile, "kernel");
        QCOMPARE(stage.build().overlay.texts.size(), std::size_t(1));
        QCOMPARE(stage.scene.drawList().overlay.texts[0].text, QStringLiteral("+300 ns"));
    }
    void otherEndOutOfViewHasAMarker()
    {
        Stage stage(linked());
        stage.input.selection = sliceOf(*stage.profile, "launch");
        stage.input.range = {50, 300};
        stage.build();
        const SliceId kernel = sliceOf(*stage.profile, "kernel");
        const double y = stage.layout.rows()[*stage.layout.rowOf(stage.profile->trackOf(kernel))].y + 12;
        QCOMPARE(stage.scene.hitAt({995, y}).markerTarget, kernel);
        QVERIFY(!stage.scene.hitAt({500, y}).markerTarget.valid());
    }
    void manyRunsAreCountedAndCapped()
    {
        test::ProfileFixture fixture;
        fixture.host("5", "graph", 0, 10, SliceKind::Launch, 1);
        for (int run = 0; run < 600; ++run) fixture.device(0, "7", "k", 100 + run, 1, SliceKind::Kernel, 1);
        Stage stage(fixture.finish());
        stage.input.selection = sliceOf(*stage.profile, "graph");
        QStringList texts;
        for (const TextRecord& text : stage.build().overlay.texts) texts << text.text;
        QVERIFY(texts.contains(QStringLiteral("600 runs, +100 ns to +699 ns")));
        QVERIFY(texts.contains(QStringLiteral("500 of 600 arrows")));
    }
    void sameInputSameList()
    {
        Stage stage(linked());
        stage.input.selection = sliceOf(*stage.profile, "launch");
        const auto first = stage.build().slices.rects.size() + stage.build().overlay.lines.size();
        QImage images[2] = {QImage(1000, 300, QImage::Format_RGB32), QImage(1000, 300, QImage::Format_RGB32)};
        for (QImage& image : images) {
            image.fill(Qt::white);
            QPainter painter(&image);
            paintDrawList(painter, stage.build(), stage.scene.fonts());
        }
        QCOMPARE(images[0], images[1]);
        QCOMPARE(stage.build().slices.rects.size() + stage.build().overlay.lines.size(), first);
    }
    void rowsOutOfViewCostNothing()
    {
        Stage stage(linked());
        stage.input.size = QSizeF(1000, 20);
        QVERIFY(stage.build().slices.rects.empty());
    }
    void ticksAreRoundNumbers()
    {
        const TimeTicks ticks = timeTicks({95, 1095}, 1000, 110, 100);
        QCOMPARE(ticks.stepNs, 200);
        QCOMPARE(ticks.timesNs, (std::vector<std::int64_t>{100, 300, 500, 700, 900}));
        QVERIFY(timeTicks({5, 5}, 1000, 110, 0).timesNs.empty());
    }
    void textIsReadableOnEveryKind()
    {
        for (const Theme* theme : {&Theme::lightTheme(), &Theme::darkTheme()}) {
            for (const QColor& kind : theme->kinds) {
                QVERIFY(contrastRatio(kind, textOn(kind)) >= 4.5);
                QVERIFY(contrastRatio(kind, theme->canvas) >= 1.4);
            }
            QVERIFY(contrastRatio(theme->text, theme->panel) >= 7);
            QVERIFY(contrastRatio(theme->textSecondary, theme->panel) >= 4.5);
            QVERIFY(contrastRatio(theme->pillText, theme->pill) >= 4.5);
            QVERIFY(contrastRatio(theme->tooltipText, theme->tooltip) >= 4.5);
            QVERIFY(contrastRatio(theme->warning, theme->panel) >= 4.5);
            QVERIFY(contrastRatio(theme->onAccent, theme->accent) >= 4.5);
        }
    }
    void namesAreShortenedToWhatMatters_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("template") << QByteArray("void at::native::elementwise_kernel<4, at::X>(int, float)")
                                  << QByteArray("elementwise_kernel");
        QTest::newRow("nameless") << QByteArray("void at::native::(anonymous namespace)::softmax<float>(int)")
                                  << QByteArray("softmax");
        QTest::newRow("python") << QByteArray("torch/nn/modules/module.py(1501): _call_impl")
                                << QByteArray("module.py(1501): _call_impl");
        QTest::newRow("operator") << QByteArray("aten::add_") << QByteArray("add_");
        QTest::newRow("plain") << QByteArray("ampere_sgemm_128x64_tn") << QByteArray("ampere_sgemm_128x64_tn");
        QTest::newRow("call") << QByteArray("cudaLaunchKernel") << QByteArray("cudaLaunchKernel");
        QTest::newRow("empty") << QByteArray() << QByteArray();
    }
    void namesAreShortenedToWhatMatters()
    {
        QFETCH(QByteArray, name);
        const std::string_view shown = shortName({name.constData(), static_cast<std::size_t>(name.size())});
        QTEST(QByteArray(shown.data(), static_cast<qsizetype>(shown.size())), "shown");
    }
};

QTEST_MAIN(TestTimelineScene)
#include "tst_timelinescene.moc"
