// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace stepscope
{

struct Error;
struct LoadStatus;

/// What the window shows while no profile is open: how to open one, the recent ones, and why the last one failed.
class StartPage : public QWidget
{
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    void setRecent(const QStringList& paths);
    void showError(const Error& error);
    void clearError();
    [[nodiscard]] QString errorText() const;

signals:
    void openFileRequested();
    void openFolderRequested();
    void openSampleRequested();
    void openRequested(const QString& path);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeErrorBox();
    QWidget* makeButtons();
    void restyle();

    QWidget* m_errorBox = nullptr;
    QLabel* m_errorText = nullptr;
    QLabel* m_recentTitle = nullptr;
    QListWidget* m_recent = nullptr;
};

/// What the window shows while a profile is being read.
class LoadingPage : public QWidget
{
    Q_OBJECT
public:
    explicit LoadingPage(QWidget* parent = nullptr);

    void start(const QString& path);
    void showStatus(const LoadStatus& status);
    [[nodiscard]] QProgressBar& bar() { return *m_bar; }
    [[nodiscard]] QPushButton& cancelButton() { return *m_cancel; }

signals:
    void cancelRequested();

private:
    QLabel* m_title;
    QProgressBar* m_bar;
    QLabel* m_detail;
    QPushButton* m_cancel;
};

} // namespace stepscope
