// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "AppStyle.h"
#include "LoadController.h"
#include "Settings.h"
#include "common/ViewState.h"

#include <QMainWindow>

class QAction;
class QLabel;
class QMenu;
class QSplitter;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace stepscope
{

class ConnectionsPanel;
class DetailsPanel;
class DiagnosticsPanel;
class LoadingPage;
class StartPage;
class StepNavigator;
class TimelinePane;

/// Puts the pages together: start, loading, timeline with its panels. Owns the view state and the loader.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    /// `style` follows the theme menu; it must outlive the window.
    explicit MainWindow(Settings settings, AppStyle& style, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openPath(const QString& path);
    /// The folder of the bundled sample profile; empty if it is not beside the program.
    [[nodiscard]] static QString samplePath();

    [[nodiscard]] ViewState& viewState() { return m_viewState; }
    [[nodiscard]] LoadController& loader() { return m_loader; }
    [[nodiscard]] TimelinePane& timeline() { return *m_timeline; }
    [[nodiscard]] StartPage& startPage() { return *m_startPage; }
    [[nodiscard]] LoadingPage& loadingPage() { return *m_loadingPage; }
    [[nodiscard]] DetailsPanel& details() { return *m_details; }
    [[nodiscard]] ConnectionsPanel& connections() { return *m_connections; }
    [[nodiscard]] DiagnosticsPanel& diagnostics() { return *m_diagnostics; }
    [[nodiscard]] QStackedWidget& pages() { return *m_pages; }
    [[nodiscard]] QTabWidget& tabs() { return *m_tabs; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildPages();
    QWidget* buildTimelinePage();
    QWidget* buildToolBar();
    void buildTabs();
    void buildFileMenu();
    void buildViewMenu();
    void buildThemeMenu(QMenu* menu);
    void buildHelpMenu();
    void connectLoader();
    void connectStartPage();
    void showProfile(std::shared_ptr<const Profile> profile);
    void closeProfile();
    void showDiagnostics();
    void fillRecentMenu();
    void refreshTitle();
    void refreshActions();
    void chooseFile();
    [[nodiscard]] static QString fileFilters();
    void chooseFolder();
    void exportPicture();
    void showKeys();
    void showAbout();
    [[nodiscard]] QString profileTitle() const;

    Settings m_settings;
    AppStyle& m_style;
    ViewState m_viewState;
    LoadController m_loader;
    QStackedWidget* m_pages = nullptr;
    StartPage* m_startPage = nullptr;
    LoadingPage* m_loadingPage = nullptr;
    QSplitter* m_splitter = nullptr;
    TimelinePane* m_timeline = nullptr;
    StepNavigator* m_navigator = nullptr;
    QToolButton* m_health = nullptr; ///< leads to the diagnostics; hidden while there is no doubt
    QTabWidget* m_tabs = nullptr;
    DetailsPanel* m_details = nullptr;
    ConnectionsPanel* m_connections = nullptr;
    DiagnosticsPanel* m_diagnostics = nullptr;
    QLabel* m_profileLabel = nullptr;
    QLabel* m_statusLabel = nullptr;
    QMenu* m_recentMenu = nullptr;
    QList<QAction*> m_profileActions; ///< make sense only while a profile is open
};

} // namespace stepscope
