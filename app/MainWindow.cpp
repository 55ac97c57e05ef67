// SPDX-License-Identifier: GPL-3.0-or-later
#include "MainWindow.h"

#include "StartPage.h"
#include "common/Text.h"
#include "core/Format.h"
#include "importers/BuiltinImporters.h"
#include "panels/ConnectionsPanel.h"
#include "panels/DetailsPanel.h"
#include "panels/DiagnosticsPanel.h"
#include "timeline/StepNavigator.h"
#include "timeline/TimelinePane.h"
#include "timeline/TimelineView.h"

#include <QCloseEvent>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace stepscope
{

namespace
{

/// Most of the screen, but no wider than one can look at.
QSize startingSize(const QScreen& screen) { return (screen.availableSize() * 0.88).boundedTo(QSize(2000, 1300)); }

} // namespace

MainWindow::MainWindow(Settings settings, AppStyle& style, QWidget* parent)
    : QMainWindow(parent), m_settings(std::move(settings)), m_style(style)
{
    setAcceptDrops(true);
    resize(startingSize(*screen()));
    buildPages();
    buildFileMenu();
    buildViewMenu();
    buildHelpMenu();
    m_statusLabel = new QLabel;
    m_statusLabel->setForegroundRole(QPalette::PlaceholderText);
    m_statusLabel->setContentsMargins(0, 0, 8, 0);
    statusBar()->addPermanentWidget(m_statusLabel);
    statusBar()->setSizeGripEnabled(false);
    if (!m_timeline->usesOpenGl())
        statusBar()->addWidget(new QLabel(tr("OpenGL 3.3 is not available: drawing without it, more slowly.")));
    connectLoader();
    connectStartPage();
    if (!m_settings.windowGeometry.isEmpty()) restoreGeometry(m_settings.windowGeometry);
    if (!m_settings.splitterState.isEmpty()) m_splitter->restoreState(m_settings.splitterState);
    m_startPage->setRecent(m_settings.recentPaths);
    fillRecentMenu();
    refreshTitle();
    refreshActions();
}

MainWindow::~MainWindow() = default;

QString MainWindow::samplePath()
{
    const QDir program(QCoreApplication::applicationDirPath());
    const QString path = QDir::cleanPath(program.filePath(QStringLiteral("../share/stepscope/sample")));
    return QFileInfo(path).isDir() ? path : QString();
}

void MainWindow::buildPages()
{
    m_pages = new QStackedWidget;
    m_startPage = new StartPage;
    m_loadingPage = new LoadingPage;
    m_pages->addWidget(m_startPage);
    m_pages->addWidget(m_loadingPage);
    m_pages->addWidget(buildTimelinePage());
    setCentralWidget(m_pages);
}

QWidget* MainWindow::buildTimelinePage()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildToolBar());
    m_timeline = new TimelinePane(m_viewState);
    buildTabs();
    m_splitter = new QSplitter(Qt::Vertical);
    m_splitter->addWidget(m_timeline);
    m_splitter->addWidget(m_tabs);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setCollapsible(0, false);
    m_splitter->setSizes({600, 230});
    layout->addWidget(m_splitter, 1);
    return page;
}

QWidget* MainWindow::buildToolBar()
{
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(8, 5, 8, 5);
    layout->setSpacing(12);
    m_profileLabel = new QLabel;
    m_profileLabel->setTextFormat(Qt::PlainText);
    m_profileLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_navigator = new StepNavigator(m_viewState);
    layout->addWidget(m_navigator);
    m_health = new QToolButton;
    m_health->setObjectName(QStringLiteral("health"));
    m_health->setAutoRaise(true);
    m_health->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_health->setIcon(style()->standardIcon(QStyle::SP_MessageBoxWarning));
    m_health->setAccessibleName(tr("What was noticed while reading the profile"));
    connect(m_health, &QToolButton::clicked, this, &MainWindow::showDiagnostics);
    layout->addWidget(m_health);
    layout->addWidget(m_profileLabel, 1);
    return bar;
}

void MainWindow::buildTabs()
{
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_details = new DetailsPanel(m_viewState);
    m_connections = new ConnectionsPanel(m_viewState);
    m_diagnostics = new DiagnosticsPanel(m_viewState);
    m_tabs->addTab(m_details, tr("Current Selection"));
    m_tabs->addTab(m_connections, tr("Connections"));
    m_tabs->addTab(m_diagnostics, tr("Diagnostics"));
    connect(m_details, &DetailsPanel::diagnosticsRequested, this, &MainWindow::showDiagnostics);
    connect(m_connections, &ConnectionsPanel::countChanged, this, [this](int count) {
        m_tabs->setTabText(1, count == 0 ? tr("Connections") : tr("Connections (%1)").arg(count));
    });
    connect(m_diagnostics, &DiagnosticsPanel::countChanged, this, [this](int count, int serious) {
        m_tabs->setTabText(2, count == 0 ? tr("Diagnostics") : tr("Diagnostics (%1)").arg(count));
        m_health->setVisible(serious > 0);
        m_health->setText(counted(static_cast<std::uint64_t>(serious), tr("1 doubt"), tr("%1 doubts")));
        m_health->setToolTip(tr("Figures below may be incomplete or doubtful. Click to see which, and why."));
        m_tabs->setTabIcon(2, serious == 0 ? QIcon() : style()->standardIcon(QStyle::SP_MessageBoxWarning));
    });
}

void MainWindow::showDiagnostics()
{
    m_tabs->setCurrentWidget(m_diagnostics);
    m_diagnostics->list().setFocus();
}

void MainWindow::connectLoader()
{
    connect(&m_loader, &LoadController::started, this, [this](const QString& path) {
        m_startPage->clearError();
        m_loadingPage->start(path);
        m_pages->setCurrentWidget(m_loadingPage);
        refreshActions();
    });
    connect(&m_loader, &LoadController::progressed, m_loadingPage, &LoadingPage::showStatus);
    connect(m_loadingPage, &LoadingPage::cancelRequested, &m_loader, &LoadController::cancel);
    connect(&m_loader, &LoadController::loaded, this, &MainWindow::showProfile);
    connect(&m_loader, &LoadController::failed, this, [this](const Error& error) {
        m_startPage->showError(error);
        m_pages->setCurrentWidget(m_startPage);
        refreshActions();
    });
    connect(&m_loader, &LoadController::cancelled, this, [this] {
        // Back to what was there before.
        m_pages->setCurrentIndex(m_viewState.profile() ? 2 : 0);
        refreshActions();
    });
}

void MainWindow::connectStartPage()
{
    connect(m_startPage, &StartPage::openFileRequested, this, &MainWindow::chooseFile);
    connect(m_startPage, &StartPage::openFolderRequested, this, &MainWindow::chooseFolder);
    connect(m_startPage, &StartPage::openSampleRequested, this, [this] { openPath(samplePath()); });
    connect(m_startPage, &StartPage::openRequested, this, &MainWindow::openPath);
}

void MainWindow::openPath(const QString& path)
{
    if (!path.isEmpty()) m_loader.load(QFileInfo(path).absoluteFilePath());
}

void MainWindow::showProfile(std::shared_ptr<const Profile> profile)
{
    LoadController::release(m_viewState.profile());
    const QString path = toQString(profile->path);
    m_viewState.setProfile(std::move(profile));
    if (path != samplePath()) m_settings.addRecent(path);
    m_settings.save();
    m_startPage->setRecent(m_settings.recentPaths);
    fillRecentMenu();
    m_pages->setCurrentIndex(2);
    const bool losses = !m_viewState.profile()->diagnostics.empty() &&
                        m_viewState.profile()->diagnostics.front().severity == Severity::DataLoss;
    m_tabs->setCurrentIndex(losses ? 2 : 0);
    m_timeline->view().setFocus();
    refreshTitle();
    refreshActions();
}

void MainWindow::closeProfile()
{
    auto profile = m_viewState.profile();
    m_viewState.setProfile(nullptr);
    LoadController::release(std::move(profile));
    m_pages->setCurrentWidget(m_startPage);
    refreshTitle();
    refreshActions();
}

QString MainWindow::profileTitle() const
{
    const Profile& profile = *m_viewState.profile();
    const QString path = toQString(profile.path);
    QString name = path == samplePath() ? tr("Sample (synthetic)") : QFileInfo(path).fileName();
    QStringList parts = {name};
    parts += counted(profile.hosts.size(), tr("1 host"), tr("%1 hosts"));
    if (!profile.devices.empty()) parts += counted(profile.devices.size(), tr("1 device"), tr("%1 devices"));
    parts += counted(profile.slices.size(), tr("1 slice"), tr("%1 slices"));
    parts += toQString(formatDuration(profile.span.lengthNs()));
    return parts.join(QStringLiteral("  ·  "));
}

void MainWindow::refreshTitle()
{
    const auto& profile = m_viewState.profile();
    setWindowTitle(profile ? tr("%1 - Stepscope").arg(QFileInfo(toQString(profile->path)).fileName())
                           : QStringLiteral("Stepscope"));
    m_profileLabel->setText(profile ? profileTitle() : QString());
    m_profileLabel->setToolTip(profile ? toQString(profile->path).toHtmlEscaped() : QString());
    m_statusLabel->setText(profile ? tr("W S zoom   A D pan   [ ] steps   J follow link   ? all keys") : QString());
}

void MainWindow::refreshActions()
{
    const bool shown = m_viewState.profile() && m_pages->currentIndex() == 2;
    for (QAction* action : m_profileActions) action->setEnabled(shown);
    m_statusLabel->setVisible(shown);
}

/// All formats at once, then each on its own.
QString MainWindow::fileFilters()
{
    QStringList all;
    QStringList single;
    for (const auto& importer : builtinImporters()) {
        const FormatLabel label = importer->label();
        QStringList patterns;
        for (const std::string_view ending : label.endings)
            for (const std::string_view packed : {"", ".gz", ".zst"})
                patterns += QStringLiteral("*%1%2").arg(toQString(ending), toQString(packed));
        if (patterns.isEmpty()) continue;
        all += patterns;
        single += QStringLiteral("%1 (%2)").arg(toQString(label.name), patterns.join(QLatin1Char(' ')));
    }
    const QStringList archives = {QStringLiteral("*.zip"), QStringLiteral("*.tar"), QStringLiteral("*.tar.gz"),
                                  QStringLiteral("*.tar.zst")};
    single.prepend(tr("Profiles (%1)").arg((all + archives).join(QLatin1Char(' '))));
    single.append(tr("All files (*)"));
    return single.join(QStringLiteral(";;"));
}

void MainWindow::chooseFile() { openPath(QFileDialog::getOpenFileName(this, tr("Open a profile"), {}, fileFilters())); }

void MainWindow::chooseFolder()
{
    openPath(QFileDialog::getExistingDirectory(this, tr("Open a folder of rank files")));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const auto urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    openPath(event->mimeData()->urls().constFirst().toLocalFile());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_settings.windowGeometry = saveGeometry();
    m_settings.splitterState = m_splitter->saveState();
    m_settings.save();
    event->accept();
}

} // namespace stepscope
