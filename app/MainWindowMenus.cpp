// SPDX-License-Identifier: GPL-3.0-or-later
// The menus of MainWindow: every action of the program with its key.
#include "MainWindow.h"

#include "KeyHelp.h"
#include "PictureExport.h"
#include "common/Text.h"
#include "timeline/StepNavigator.h"
#include "timeline/TimelinePane.h"

#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabWidget>

namespace stepscope
{

void MainWindow::buildFileMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("&Open File..."), QKeySequence::Open, this, &MainWindow::chooseFile);
    menu->addAction(tr("Open &Folder..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), this,
                    &MainWindow::chooseFolder);
    m_recentMenu = menu->addMenu(tr("Open &Recent"));
    QAction* sample = menu->addAction(tr("Open the &Sample"), this, [this] { openPath(samplePath()); });
    sample->setEnabled(!samplePath().isEmpty());
    menu->addSeparator();
    m_profileActions +=
        menu->addAction(tr("&Export Picture..."), QKeySequence(Qt::CTRL | Qt::Key_E), this, &MainWindow::exportPicture);
    m_profileActions += menu->addAction(tr("&Close Profile"), QKeySequence::Close, this, &MainWindow::closeProfile);
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    for (const QString& path : std::as_const(m_settings.recentPaths)) {
        QString text = path;
        m_recentMenu->addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")), this,
                                [this, path] { openPath(path); });
    }
    m_recentMenu->setEnabled(!m_settings.recentPaths.isEmpty());
}

void MainWindow::buildViewMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    // The single keys live in the timeline, where they cannot disturb a text field; here they are only named.
    const auto add = [&](const QString& text, const QString& key, auto call) {
        m_profileActions += menu->addAction(text + QLatin1Char('\t') + key, this, call);
    };
    add(tr("&Whole Profile"), tr("Home"), [this] { m_viewState.showAll(); });
    add(tr("Zoom to the &Selection"), tr("F"), [this] {
        if (m_viewState.selection().valid())
            m_viewState.zoomTo(m_viewState.profile()->sliceSpan(m_viewState.selection()));
    });
    add(tr("&Previous Step"), tr("["), [this] { m_viewState.previousStep(); });
    add(tr("&Next Step"), tr("]"), [this] { m_viewState.nextStep(); });
    m_profileActions += menu->addAction(tr("&Go to Step..."), QKeySequence(Qt::CTRL | Qt::Key_G), this,
                                        [this] { m_navigator->showList(); });
    add(tr("&Jump along the Link"), tr("J"), [this] { m_viewState.jumpAlongLink(); });
    menu->addSeparator();
    add(tr("E&xpand All"), {}, [this] { m_viewState.setAllExpanded(true); });
    add(tr("&Collapse All"), {}, [this] { m_viewState.setAllExpanded(false); });
    QAction* arrows = menu->addAction(tr("Show &Arrows"));
    arrows->setCheckable(true);
    arrows->setChecked(m_timeline->arrowsShown());
    connect(arrows, &QAction::toggled, m_timeline, &TimelinePane::setArrowsShown);
    m_profileActions += arrows;
    QAction* details = menu->addAction(tr("Show &Details"));
    details->setShortcut(Qt::Key_Q);
    details->setCheckable(true);
    details->setChecked(true);
    connect(details, &QAction::toggled, m_tabs, &QWidget::setVisible);
    m_profileActions += details;
    menu->addSeparator();
    buildThemeMenu(menu->addMenu(tr("&Theme")));
}

void MainWindow::buildThemeMenu(QMenu* menu)
{
    auto* group = new QActionGroup(this);
    const auto add = [&](const QString& text, ThemeChoice choice) {
        QAction* action = menu->addAction(text, this, [this, choice] {
            m_settings.theme = choice;
            m_style.choose(choice);
            m_settings.save();
        });
        action->setCheckable(true);
        action->setChecked(m_style.choice() == choice);
        group->addAction(action);
    };
    add(tr("As the &System"), ThemeChoice::System);
    add(tr("&Light"), ThemeChoice::Light);
    add(tr("&Dark"), ThemeChoice::Dark);
}

void MainWindow::buildHelpMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("&Keys and Mouse"), QKeySequence(Qt::Key_Question), this, &MainWindow::showKeys);
    menu->addAction(tr("&About Stepscope"), this, &MainWindow::showAbout);
}

void MainWindow::showKeys()
{
    KeyHelp help(this);
    help.exec();
}

void MainWindow::showAbout()
{
    QMessageBox box(this);
    box.setWindowTitle(tr("About Stepscope"));
    box.setTextFormat(Qt::PlainText);
    box.setText(tr("Stepscope %1").arg(QApplication::applicationVersion()));
    box.setInformativeText(tr("A viewer for GPU training profiles.\nLicense: GPL-3.0-or-later. It opens no network "
                              "connection and writes nothing beside your files."));
    box.exec();
}

void MainWindow::exportPicture()
{
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export the picture"), QStringLiteral("timeline.png"),
                                     tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"));
    if (path.isEmpty()) return;
    if (const QString problem = writePicture(*m_timeline, m_timeline->size(), profileTitle(), path); !problem.isEmpty())
        QMessageBox::warning(this, tr("Export the picture"), problem);
}

} // namespace stepscope
