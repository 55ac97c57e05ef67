// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TimelinePane.h"

#include "common/Text.h"
#include "common/ViewState.h"
#include "core/Format.h"
#include "timeline/Ruler.h"
#include "timeline/SlicePlaces.h"
#include "timeline/TimelineExport.h"
#include "timeline/TimelineKeys.h"
#include "timeline/TimelineView.h"
#include "timeline/TrackTree.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <cmath>

namespace stepscope
{

namespace
{

constexpr int kTreeWidthPx = 300;
constexpr int kScrollMarginPx = 24;

QVBoxLayout* tightColumn(QWidget* parent)
{
    auto* column = new QVBoxLayout(parent);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

} // namespace

TimelinePane::TimelinePane(ViewState& viewState, QWidget* parent) : QWidget(parent), m_viewState(viewState)
{
    buildWidgets();
    connectState();
    connectWidgets();
    refreshTheme();
    refreshProfile();
}

TimelinePane::~TimelinePane() = default;

void TimelinePane::buildWidgets()
{
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    auto* left = new QWidget(m_splitter);
    m_corner = new QLabel(left);
    m_corner->setIndent(Theme::current(this).margin);
    m_corner->setTextFormat(Qt::PlainText);
    m_tree = new TrackTree(m_viewState, left);
    QVBoxLayout* leftColumn = tightColumn(left);
    leftColumn->addWidget(m_corner);
    leftColumn->addWidget(m_tree, 1);

    auto* right = new QWidget(m_splitter);
    m_ruler = new Ruler(m_viewState, right);
    m_view = new TimelineView(m_viewState, right);
    QVBoxLayout* rightColumn = tightColumn(right);
    rightColumn->addWidget(m_ruler);
    rightColumn->addWidget(m_view, 1);

    m_scrollBar = new QScrollBar(Qt::Vertical, this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_splitter, 1);
    row->addWidget(m_scrollBar);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({kTreeWidthPx, 1000});
    setFocusProxy(m_view);
    m_view->installEventFilter(this);
    m_tree->viewport()->installEventFilter(this);
}

void TimelinePane::connectState()
{
    connect(&m_viewState, &ViewState::profileChanged, this, &TimelinePane::refreshProfile);
    connect(&m_viewState, &ViewState::layoutChanged, this, &TimelinePane::refreshLayout);
    connect(&m_viewState, &ViewState::rangeChanged, this, &TimelinePane::updateRangeLabel);
    connect(&m_viewState, &ViewState::revealRequested, this, &TimelinePane::scrollToSlice);
}

void TimelinePane::connectWidgets()
{
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this](int y) {
        m_view->setScrollY(y);
        m_tree->verticalScrollBar()->setValue(y);
    });
    // The tree scrolls by itself when its current row moves out of view.
    connect(m_tree->verticalScrollBar(), &QScrollBar::valueChanged, m_scrollBar, &QScrollBar::setValue);
    connect(m_view, &TimelineView::scrollRequested, this, &TimelinePane::setScrollY);
    connect(m_view, &TimelineView::cursorMoved, m_ruler, &Ruler::setCursorX);
    connect(m_tree, &TrackTree::keyForTimeline, this,
            [this](QKeyEvent* event) { event->setAccepted(handleTimelineKey(*event, m_viewState, *m_view)); });
}

void TimelinePane::refreshProfile()
{
    m_view->setTrackLayout(nullptr);
    m_tree->setProfile();
    refreshLayout();
    m_scrollBar->setValue(0);
    updateRangeLabel();
}

void TimelinePane::refreshLayout()
{
    const int y = m_scrollBar->value();
    const auto& profile = m_viewState.profile();
    m_layout = profile ? TrackLayout(*profile, m_viewState.expansion(), LayoutMetrics::forFont(QFontMetricsF(font())))
                       : TrackLayout();
    m_tree->applyLayout(m_layout);
    m_view->setTrackLayout(profile ? &m_layout : nullptr);
    const int height = rulerHeight(font(), m_viewState.stepProcess() != kNone);
    m_ruler->setFixedHeight(height);
    m_corner->setFixedHeight(height);
    updateScrollRange();
    setScrollY(y);
}

void TimelinePane::refreshTheme()
{
    const Theme& theme = Theme::current(this);
    const auto paint = [](QWidget* widget, const QColor& background, const QColor& text) {
        QPalette palette = widget->palette();
        palette.setColor(QPalette::Window, background);
        palette.setColor(QPalette::Base, background);
        palette.setColor(QPalette::WindowText, text);
        widget->setPalette(palette);
        widget->setAutoFillBackground(true);
    };
    if (m_tree->palette().color(QPalette::Base) == theme.panel) return;
    paint(m_tree, theme.panel, theme.text);
    paint(m_corner, theme.panel, theme.textSecondary);
    paint(m_splitter, theme.separator, theme.text);
}

void TimelinePane::updateRangeLabel()
{
    const auto& profile = m_viewState.profile();
    m_corner->setText(profile ? tr("view: %1").arg(toQString(formatDuration(m_viewState.range().lengthNs())))
                              : QString());
}

void TimelinePane::updateScrollRange()
{
    const int page = m_view->height();
    m_scrollBar->setPageStep(page);
    m_scrollBar->setSingleStep(22);
    m_scrollBar->setRange(0, std::max(0, m_layout.height() - page));
}

bool TimelinePane::usesOpenGl() const { return m_view->usesOpenGl(); }
int TimelinePane::scrollY() const { return m_view->scrollY(); }
bool TimelinePane::arrowsShown() const { return m_view->arrowsShown(); }
void TimelinePane::setScrollY(int y) { m_scrollBar->setValue(y); }
void TimelinePane::setArrowsShown(bool shown) { m_view->setArrowsShown(shown); }

void TimelinePane::scrollToSlice(SliceId slice)
{
    const auto& profile = m_viewState.profile();
    if (!profile || !slice.valid()) return;
    const auto places = placesOf(*profile, m_layout, slice);
    if (places.empty()) return;
    const SlicePlace& place = places.front();
    const int page = m_view->height();
    const int margin = std::min(kScrollMarginPx, page / 4);
    if (place.y < scrollY() + margin || place.y + place.height > scrollY() + page - margin)
        setScrollY(place.y + place.height / 2 - page / 2);
}

void TimelinePane::keyPressEvent(QKeyEvent* event)
{
    if (!handleTimelineKey(*event, m_viewState, *m_view)) QWidget::keyPressEvent(event);
}

void TimelinePane::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) refreshTheme();
    if (event->type() == QEvent::FontChange) refreshLayout();
    QWidget::changeEvent(event);
}

bool TimelinePane::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_view && event->type() == QEvent::Resize) updateScrollRange();
    if (watched == m_tree->viewport() && event->type() == QEvent::Wheel) {
        const auto* wheel = static_cast<QWheelEvent*>(event);
        const int pixels = wheel->pixelDelta().isNull() ? wheel->angleDelta().y() * 66 / 120 : wheel->pixelDelta().y();
        setScrollY(scrollY() - pixels);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

/// Of a pane that was never shown the splitter has not laid out anything.
int TimelinePane::treeWidth() const { return m_tree->isVisible() ? m_tree->width() : kTreeWidthPx; }

void TimelinePane::renderTo(QPainter& painter, QSizeF size, const QString& title)
{
    const double ratio = painter.device() ? painter.device()->devicePixelRatioF() : 1.0;
    const TimelineExport picture{m_viewState, m_layout,    Theme::current(this), font(), title,
                                 scrollY(),   treeWidth(), arrowsShown(),        ratio};
    picture.paint(painter, size);
}

QImage TimelinePane::renderToImage(QSize size, qreal scale, const QString& title)
{
    QImage image(QSize(static_cast<int>(std::lround(size.width() * scale)),
                       static_cast<int>(std::lround(size.height() * scale))),
                 QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    renderTo(painter, size, title);
    return image;
}

int TimelinePane::fullHeight(const QString& title) const
{
    if (!m_viewState.profile()) return 0;
    const TimelineExport picture{m_viewState, m_layout, Theme::current(this), font(), title};
    return picture.fullHeight(width());
}

} // namespace stepscope
