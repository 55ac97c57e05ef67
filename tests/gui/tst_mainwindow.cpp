// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window, driven with mouse and keys as a user would.
#include "MainWindow.h"
#include "StartPage.h"
#include "analysis/LinkQuery.h"
#include "common/Text.h"
#include "common/Theme.h"
#include "core/Format.h"
#include "generator/ProfileGenerator.h"
#include "panels/ConnectionsPanel.h"
#include "panels/DetailsPanel.h"
#include "panels/DiagnosticsPanel.h"
#include "panels/FieldTable.h"
#include "support/TempFiles.h"
#include "timeline/TimelinePane.h"
#include "timeline/TimelineView.h"

#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeWidget>
#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

QString valueOf(const FieldTable& table, const QString& name)
{
    for (int row = 0; row < table.topLevelItemCount(); ++row)
        if (table.topLevelItem(row)->text(0) == name) return table.topLevelItem(row)->text(1);
    return {};
}

} // namespace

class TestMainWindow : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void sampleStep41FromTheKeyboard();
    void launchLeadsToItsRuns();
    void keysMoveTheView();
    void errorsAreOneSentence_data();
    void errorsAreOneSentence();
    void truncatedFileOpensWithDiagnostics();
    void cancelActsAtOnce();
    void windowStaysAliveWhileLoading();
    void dropOpens();
    void recentProfilesAreKept();
    void argumentsAfterTheFileChanged();
    void themesKeepContrast();

private:
    void openAndWait(const std::string& path);
    [[nodiscard]] SliceId slowCollective() const;
    [[nodiscard]] QPoint centreOf(SliceId slice);
    void clickCanvas(QPoint point);

    static constexpr int kTimeoutMs = 60'000;
    TempFolder m_folder;
    std::string m_sample;
    std::unique_ptr<AppStyle> m_style;
    std::unique_ptr<MainWindow> m_window;
};

void TestMainWindow::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("StepscopeTest");
    m_sample = m_folder.path("sample");
    QVERIFY(generateProfile(sampleOptions(), m_sample).ok());
}

void TestMainWindow::init()
{
    QSettings().clear();
    m_style = std::make_unique<AppStyle>();
    m_style->choose(ThemeChoice::Light);
    m_window = std::make_unique<MainWindow>(Settings::load(), *m_style);
    m_window->resize(1600, 1000);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void TestMainWindow::cleanup()
{
    m_window.reset();
    m_style.reset();
}

void TestMainWindow::openAndWait(const std::string& path)
{
    QSignalSpy loaded(&m_window->loader(), &LoadController::loaded);
    m_window->openPath(QString::fromStdString(path));
    QVERIFY(loaded.wait(kTimeoutMs));
    QVERIFY(m_window->viewState().profile() != nullptr);
    m_window->timeline().view().setFocus();
}

/// The longest communication kernel: in the sample the AllReduce of step_41 that waits for the straggler.
SliceId TestMainWindow::slowCollective() const
{
    const Profile& profile = *m_window->viewState().profile();
    SliceId longest;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice) {
        if (profile.slices.kind[slice] != SliceKind::CommunicationKernel) continue;
        if (!longest.valid() || profile.slices.durNs[slice] > profile.slices.durNs[longest.value]) longest = {slice};
    }
    return longest;
}

QPoint TestMainWindow::centreOf(SliceId slice)
{
    const auto rect = m_window->timeline().view().scene().rectOf(slice);
    return rect ? rect->center().toPoint() : QPoint(-1, -1);
}

void TestMainWindow::clickCanvas(QPoint point)
{
    TimelineView& view = m_window->timeline().view();
    QTest::mouseMove(&view, point);
    QTest::mouseClick(&view, Qt::LeftButton, {}, point);
}

void TestMainWindow::sampleStep41FromTheKeyboard()
{
    openAndWait(m_sample);
    ViewState& state = m_window->viewState();
    const Profile& profile = *state.profile();
    TimelineView& view = m_window->timeline().view();
    for (int step = 0; step <= 41; ++step) QTest::keyClick(&view, Qt::Key_BracketRight);
    QVERIFY(state.currentStep().has_value());
    QCOMPARE(profile.steps[*state.currentStep()].name(), std::string("step_41"));
    // The animation must not be waited for, but it ends.
    QTRY_VERIFY(state.range().beginNs <= profile.steps[*state.currentStep()].host.beginNs &&
                state.range().endNs >= profile.steps[*state.currentStep()].host.endNs &&
                state.range().lengthNs() < 2 * profile.steps[*state.currentStep()].host.lengthNs());
    QTest::qWait(300);

    const SliceId collective = slowCollective();
    m_window->timeline().scrollToSlice(collective);
    QTRY_VERIFY(centreOf(collective).x() > 0);
    clickCanvas(centreOf(collective));
    QCOMPARE(state.selection().value, collective.value);

    // The arrow: cyan, with the latency written on it.
    const SliceId launch = launchOf(profile, collective);
    QVERIFY(launch.valid());
    const QString latency = toQString(formatDuration(launchLatencyNs(profile, launch, collective), 3));
    const DrawList& list = view.scene().drawList();
    const QRgb cyan = Theme::lightTheme().link.rgb();
    QVERIFY(std::any_of(list.overlay.lines.begin(), list.overlay.lines.end(),
                        [&](const LineRecord& line) { return (line.colour | 0xff000000) == cyan; }));
    QVERIFY(std::any_of(list.overlay.texts.begin(), list.overlay.texts.end(),
                        [&](const TextRecord& text) { return text.text.contains(latency); }));

    // The details say the same.
    FieldTable& relations = m_window->details().relationTable();
    QCOMPARE(valueOf(relations, "Launched by"), toQString(profile.sliceName(launch)));
    QVERIFY(valueOf(relations, "Launch latency")
                .contains(toQString(formatCount(std::uint64_t(launchLatencyNs(profile, launch, collective)))) + " ns"));
    QVERIFY(valueOf(m_window->details().sliceTable(), "Step").startsWith("step_41"));
    QCOMPARE(valueOf(m_window->details().sourceTable(), "Collective name"), QString("allreduce"));

    QTest::keyClick(&view, Qt::Key_J);
    QCOMPARE(state.selection().value, launch.value);
    QTRY_VERIFY(centreOf(launch).x() > 0); // brought into view
    QTest::keyClick(&view, Qt::Key_J);
    QCOMPARE(state.selection().value, collective.value);
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(!state.selection().valid());
}

void TestMainWindow::launchLeadsToItsRuns()
{
    GeneratorOptions options;
    options.cudaGraphs = true;
    options.steps = 2;
    QVERIFY(generateProfile(options, m_folder.path("graphs")).ok());
    openAndWait(m_folder.path("graphs"));
    ViewState& state = m_window->viewState();
    const Profile& profile = *state.profile();
    const SliceId graph = sliceNamed(profile, "cudaGraphLaunch");
    const auto runs = runsOf(profile, graph);
    QVERIFY(runs.size() > 1);
    state.select(graph);
    QCOMPARE(m_window->connections().model().rowCount(), int(runs.size()));
    QTest::keyClick(&m_window->timeline().view(), Qt::Key_J);
    const SliceId first = state.selection();
    QVERIFY(std::find(runs.begin(), runs.end(), first) != runs.end());

    // Choosing an end in the list of connections brings it into view.
    state.select(graph);
    m_window->tabs().setCurrentIndex(1);
    QTableView& table = m_window->connections().table();
    const QModelIndex cell = table.model()->index(0, ConnectionModel::To);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(cell).center());
    QTRY_VERIFY(centreOf(runs.front()).x() > 0);
}

void TestMainWindow::keysMoveTheView()
{
    openAndWait(m_sample);
    ViewState& state = m_window->viewState();
    TimelineView& view = m_window->timeline().view();
    const TimeSpan whole = state.range();
    QTest::keyClick(&view, Qt::Key_W);
    QTRY_VERIFY(state.range().lengthNs() < whole.lengthNs());
    QTest::qWait(250);
    const TimeSpan closer = state.range();
    QTest::keyClick(&view, Qt::Key_D);
    QTRY_VERIFY(state.range().beginNs > closer.beginNs);
    QTest::qWait(250);
    QTest::keyClick(&view, Qt::Key_A);
    QTRY_COMPARE(state.range().beginNs, closer.beginNs);
    QTest::keyClick(&view, Qt::Key_S);
    QTRY_VERIFY(state.range().lengthNs() > closer.lengthNs());
    QTest::keyClick(&view, Qt::Key_Home);
    QTRY_COMPARE(state.range(), whole);

    // Ctrl+wheel zooms around the cursor: what is under it stays there.
    const QPoint point(view.width() / 4, 100);
    const std::int64_t under = view.timeAt(point.x());
    QWheelEvent wheel(point, view.mapToGlobal(point), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view, &wheel);
    QTRY_VERIFY(state.range().lengthNs() < whole.lengthNs());
    QTest::qWait(250);
    const double pxNs = double(state.range().lengthNs()) / view.width();
    QVERIFY(std::abs(double(view.timeAt(point.x()) - under)) <= 2 * pxNs);
}

void TestMainWindow::errorsAreOneSentence_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("part");
    QTest::newRow("empty") << QByteArray() << "empty";
    QTest::newRow("text") << QByteArray("hello") << "not JSON";
    QTest::newRow("no events") << QByteArray("{\"traceEvents\": []}") << "no event";
    QTest::newRow("cut gzip") << gzipped("{\"traceEvents\": [").left(12) << "gzip";
}

void TestMainWindow::errorsAreOneSentence()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, part);
    QSignalSpy failed(&m_window->loader(), &LoadController::failed);
    m_window->openPath(QString::fromStdString(m_folder.write("bad.json", content)));
    QVERIFY(failed.wait(kTimeoutMs));
    QCOMPARE(m_window->pages().currentWidget(), static_cast<QWidget*>(&m_window->startPage()));
    const QString text = m_window->startPage().errorText();
    QVERIFY2(text.contains(part), qPrintable(text));
    QVERIFY(text.contains("bad.json"));
    // Opening another profile clears it.
    openAndWait(m_sample);
    QVERIFY(m_window->startPage().errorText().isEmpty());
}

void TestMainWindow::truncatedFileOpensWithDiagnostics()
{
    std::vector<std::string> texts;
    QVERIFY(generateInMemory({}, texts).ok());
    const QByteArray text = QByteArray::fromStdString(texts[0]);
    openAndWait(m_folder.write("cut.json", text.left(text.size() / 2)));
    QCOMPARE(m_window->tabs().currentWidget(), static_cast<QWidget*>(&m_window->diagnostics()));
    QTreeWidget& list = m_window->diagnostics().list();
    QVERIFY(list.topLevelItemCount() >= 1);
    QCOMPARE(list.topLevelItem(0)->text(0), QString("data loss"));
    QVERIFY(list.topLevelItem(0)->text(3).contains("counts of slices"));
    QVERIFY(list.topLevelItem(0)->text(4).contains("cut.json"));
    QCOMPARE(m_window->tabs().tabText(2), QStringLiteral("Diagnostics (%1)").arg(list.topLevelItemCount()));
    // Figures that the loss touches carry a mark that leads here.
    m_window->viewState().select({0});
    m_window->tabs().setCurrentIndex(0);
    FieldTable& relations = m_window->details().relationTable();
    QTreeWidgetItem* mark = nullptr;
    for (int row = 0; row < relations.topLevelItemCount(); ++row)
        if (relations.topLevelItem(row)->text(0).contains("see Diagnostics")) mark = relations.topLevelItem(row);
    QVERIFY(mark != nullptr);
    relations.scrollToItem(mark);
    QTest::mouseClick(relations.viewport(), Qt::LeftButton, Qt::NoModifier, relations.visualItemRect(mark).center());
    QCOMPARE(m_window->tabs().currentWidget(), static_cast<QWidget*>(&m_window->diagnostics()));
    auto* health = m_window->findChild<QToolButton*>(QStringLiteral("health"));
    QVERIFY(health != nullptr && health->isVisible());
    m_window->tabs().setCurrentIndex(0);
    QTest::mouseClick(health, Qt::LeftButton);
    QCOMPARE(m_window->tabs().currentWidget(), static_cast<QWidget*>(&m_window->diagnostics()));
}

void TestMainWindow::cancelActsAtOnce()
{
    GeneratorOptions options;
    options.targetBytes = 60'000'000;
    options.gzip = true; // slow enough to be caught in the middle
    QVERIFY(generateProfile(options, m_folder.path("large")).ok());
    openAndWait(m_sample);
    const auto before = m_window->viewState().profile();
    m_window->openPath(QString::fromStdString(m_folder.path("large")));
    QCOMPARE(m_window->pages().currentWidget(), static_cast<QWidget*>(&m_window->loadingPage()));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->loadingPage().bar().value() > 0, kTimeoutMs);
    QTest::mouseClick(&m_window->loadingPage().cancelButton(), Qt::LeftButton);
    QVERIFY(!m_window->loader().loading());
    QCOMPARE(m_window->pages().currentIndex(), 2);
    QCOMPARE(m_window->viewState().profile(), before); // what was open stays open
    QTest::qWait(200);
    QCOMPARE(m_window->viewState().profile(), before);
}

void TestMainWindow::windowStaysAliveWhileLoading()
{
    QSignalSpy loaded(&m_window->loader(), &LoadController::loaded);
    QSignalSpy progressed(&m_window->loader(), &LoadController::progressed);
    int ticks = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] { ++ticks; });
    timer.start(0);
    m_window->openPath(QString::fromStdString(m_folder.path("large")));
    QVERIFY(loaded.wait(kTimeoutMs));
    QVERIFY(ticks >= 3); // how often depends on the machine; a window that waits for the load would not turn once
    QVERIFY(progressed.count() > 0);
    const auto last = progressed.last().front().value<LoadStatus>();
    QVERIFY(last.totalBytes > 0 && last.doneBytes <= last.totalBytes && last.slices > 0);
}

void TestMainWindow::dropOpens()
{
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(QString::fromStdString(m_sample))});
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QSignalSpy loaded(&m_window->loader(), &LoadController::loaded);
    QDropEvent drop({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_window.get(), &drop);
    QVERIFY(loaded.wait(kTimeoutMs));
}

void TestMainWindow::recentProfilesAreKept()
{
    openAndWait(m_sample);
    const Settings settings = Settings::load();
    QCOMPARE(settings.recentPaths, QStringList(QString::fromStdString(m_sample)));
    Settings many;
    for (int number = 0; number < 15; ++number) many.addRecent(QString::number(number));
    many.addRecent("12");
    QCOMPARE(many.recentPaths.size(), 10);
    QCOMPARE(many.recentPaths.front(), QString("12"));
    QCOMPARE(many.recentPaths.count("12"), 1);
}

void TestMainWindow::argumentsAfterTheFileChanged()
{
    const QByteArray text = R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":1,"dur":5,)"
                            R"("args":{"<b>key</b>":"<img src=x>"}}]})";
    const std::string path = m_folder.write("changing.json", text);
    openAndWait(path);
    m_window->viewState().select({0});
    FieldTable& source = m_window->details().sourceTable();
    QCOMPARE(valueOf(source, "<b>key</b>"), QString("<img src=x>")); // shown as it is, never rendered
    m_window->viewState().clearSelection();
    m_folder.write("changing.json", "{}");
    m_window->viewState().select({0});
    QVERIFY(source.copiedText().contains("the file has changed"));
}

void TestMainWindow::themesKeepContrast()
{
    openAndWait(m_sample);
    for (const Theme* theme : {&Theme::lightTheme(), &Theme::darkTheme()}) {
        m_style->choose(theme->dark ? ThemeChoice::Dark : ThemeChoice::Light);
        QTRY_COMPARE(Theme::current(m_window.get()).dark, theme->dark);
        for (const QColor& text : {theme->text, theme->textSecondary, theme->warning, theme->accent})
            QVERIFY(contrastRatio(text, theme->panel) >= 4.5);
        for (const QColor& fill : theme->kinds) QVERIFY(contrastRatio(textOn(fill), fill) >= 4.5);
        QVERIFY(contrastRatio(theme->link, theme->canvas) >= 2.5);
    }
}

QTEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"
