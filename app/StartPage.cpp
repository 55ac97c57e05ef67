// SPDX-License-Identifier: GPL-3.0-or-later
#include "StartPage.h"

#include "LoadController.h"
#include "common/Text.h"
#include "common/Theme.h"
#include "core/Format.h"
#include "importers/BuiltinImporters.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace stepscope
{

namespace
{

constexpr int kColumnWidth = 640;
constexpr int kButtonHeight = 34;
constexpr int kButtonPadding = 24;
constexpr int kRecentHeight = 30;

/// A column in the middle of the page.
QVBoxLayout* makeColumn(QWidget* page)
{
    auto* outer = new QHBoxLayout(page);
    auto* column = new QWidget;
    column->setFixedWidth(kColumnWidth);
    outer->addStretch(1);
    outer->addWidget(column);
    outer->addStretch(1);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    return layout;
}

QLabel* makeTitle(const QString& text)
{
    auto* title = new QLabel(text);
    QFont font = title->font();
    font.setPointSizeF(font.pointSizeF() * 1.8);
    font.setBold(true);
    title->setFont(font);
    title->setTextFormat(Qt::PlainText);
    return title;
}

QString shortened(const QLabel& label, const QString& text)
{
    return label.fontMetrics().elidedText(text, Qt::ElideMiddle, kColumnWidth);
}

} // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent)
{
    auto* layout = makeColumn(this);
    layout->addStretch(2);
    layout->addWidget(makeTitle(tr("Open a training profile")));
    auto* hint = new QLabel(tr("%1; plain, compressed or in an archive. A folder of rank files opens as one profile. "
                               "Drop a file or a folder anywhere in this window.")
                                .arg(toQString(readableFormats())));
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(hint);
    layout->addWidget(makeErrorBox());
    layout->addWidget(makeButtons());
    layout->addSpacing(12);
    m_recentTitle = new QLabel(tr("Recent profiles"));
    QFont bold = font();
    bold.setBold(true);
    m_recentTitle->setFont(bold);
    layout->addWidget(m_recentTitle);
    m_recent = new QListWidget;
    m_recent->setFrameShape(QFrame::NoFrame);
    m_recent->setAccessibleName(tr("Recent profiles"));
    m_recent->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_recent->setTextElideMode(Qt::ElideMiddle);
    m_recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_recent->setStyleSheet(
        QStringLiteral("QListView { background: transparent; } QListView::item { padding: 0 8px; }"));
    connect(m_recent, &QListWidget::itemActivated, this,
            [this](QListWidgetItem* item) { emit openRequested(item->data(Qt::UserRole).toString()); });
    connect(m_recent, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { emit openRequested(item->data(Qt::UserRole).toString()); });
    layout->addWidget(m_recent);
    layout->addStretch(3);
    setRecent({});
    clearError();
}

QWidget* StartPage::makeErrorBox()
{
    m_errorBox = new QWidget;
    m_errorBox->setObjectName(QStringLiteral("errorBox"));
    auto* layout = new QHBoxLayout(m_errorBox);
    layout->setContentsMargins(12, 10, 12, 10);
    m_errorText = new QLabel;
    m_errorText->setWordWrap(true);
    m_errorText->setTextFormat(Qt::PlainText);
    m_errorText->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(m_errorText, 1);
    restyle();
    return m_errorBox;
}

QWidget* StartPage::makeButtons()
{
    auto* box = new QWidget;
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    const auto add = [&](const QString& text, auto signal) {
        auto* button = new QPushButton(text);
        button->setMinimumSize(button->sizeHint().width() + kButtonPadding, kButtonHeight);
        connect(button, &QPushButton::clicked, this, signal);
        layout->addWidget(button);
        return button;
    };
    add(tr("Open &File..."), &StartPage::openFileRequested)->setDefault(true);
    add(tr("Open F&older..."), &StartPage::openFolderRequested);
    add(tr("Open the &Sample"), &StartPage::openSampleRequested)
        ->setToolTip(tr("A synthetic training job on 2 hosts with 16 GPUs, in which step_41 is slow"));
    layout->addStretch(1);
    return box;
}

void StartPage::setRecent(const QStringList& paths)
{
    m_recent->clear();
    for (const QString& path : paths) {
        auto* item = new QListWidgetItem(path, m_recent);
        item->setData(Qt::UserRole, path);
        item->setToolTip(path.toHtmlEscaped());
        item->setSizeHint({kColumnWidth, kRecentHeight});
    }
    m_recentTitle->setVisible(!paths.isEmpty());
    m_recent->setVisible(!paths.isEmpty());
}

void StartPage::showError(const Error& error)
{
    m_errorText->setText(toQString(error.sentence()));
    m_errorBox->show();
}

void StartPage::clearError() { m_errorBox->hide(); }

QString StartPage::errorText() const { return m_errorBox->isHidden() ? QString() : m_errorText->text(); }

void StartPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_errorBox != nullptr) restyle();
}

void StartPage::restyle()
{
    const Theme& theme = Theme::current(this);
    m_errorBox->setStyleSheet(QStringLiteral("#errorBox { background: %1; border-left: 4px solid %2; }")
                                  .arg(blended(theme.panel, theme.warning, 0.12).name(), theme.warning.name()));
}

LoadingPage::LoadingPage(QWidget* parent)
    : QWidget(parent), m_title(nullptr), m_bar(new QProgressBar), m_detail(new QLabel),
      m_cancel(new QPushButton(tr("Cancel")))
{
    auto* layout = makeColumn(this);
    layout->addStretch(2);
    m_title = makeTitle({});
    layout->addWidget(m_title);
    m_bar->setTextVisible(false);
    m_bar->setRange(0, 1000);
    m_bar->setAccessibleName(tr("Progress of loading"));
    layout->addWidget(m_bar);
    m_detail->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_detail);
    m_cancel->setShortcut(Qt::Key_Escape);
    m_cancel->setMinimumSize(m_cancel->sizeHint().width() + kButtonPadding, kButtonHeight);
    layout->addWidget(m_cancel, 0, Qt::AlignLeft);
    layout->addStretch(3);
    connect(m_cancel, &QPushButton::clicked, this, &LoadingPage::cancelRequested);
}

void LoadingPage::start(const QString& path)
{
    m_title->setText(shortened(*m_title, tr("Opening %1").arg(QFileInfo(path).fileName())));
    m_title->setToolTip(path.toHtmlEscaped());
    m_bar->setRange(0, 1000);
    m_bar->setValue(0);
    m_detail->setText(tr("Starting..."));
    m_cancel->setFocus();
}

void LoadingPage::showStatus(const LoadStatus& status)
{
    if (status.totalBytes == 0) return;
    const double share = std::min(1.0, static_cast<double>(status.doneBytes) / static_cast<double>(status.totalBytes));
    m_bar->setValue(static_cast<int>(share * 1000));
    QStringList parts = {tr("%1 of %2 (%3)")
                             .arg(toQString(formatBytes(static_cast<double>(status.doneBytes))),
                                  toQString(formatBytes(static_cast<double>(status.totalBytes))),
                                  toQString(formatPercent(share))),
                         counted(status.slices, tr("1 slice"), tr("%1 slices"))};
    if (status.stage == LoadStage::Sorting) parts += tr("sorting");
    if (status.stage == LoadStage::Linking) parts += tr("linking");
    if (status.secondsLeft)
        parts += tr("%1 left").arg(toQString(formatDuration(static_cast<std::int64_t>(*status.secondsLeft * 1e9), 2)));
    m_detail->setText(parts.join(QStringLiteral("  ·  ")));
}

} // namespace stepscope
