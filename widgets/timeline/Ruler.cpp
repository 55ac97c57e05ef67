// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/Ruler.h"

#include "analysis/LevelOfDetail.h"
#include "common/Text.h"
#include "common/ViewState.h"
#include "core/Format.h"
#include "timeline/TimeTicks.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stepscope
{

namespace
{

constexpr double kNarrowestStepNamePx = 24;

QFont rulerFont(QFont font)
{
    if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * 0.9);
    else font.setPixelSize(std::max(8, font.pixelSize() * 9 / 10));
    return font;
}

int stepBandHeight(const QFont& font)
{
    return static_cast<int>(std::ceil(QFontMetricsF(rulerFont(font)).height())) + 5;
}

void paintStepBand(QPainter& painter, const QRectF& band, const RulerInput& input, const PixelGrid& grid)
{
    const Theme& theme = *input.theme;
    for (std::size_t index = 0; index < input.profile->steps.size(); ++index) {
        const Step& step = input.profile->steps[index];
        if (step.process != input.stepProcess || !step.host.overlaps(input.range)) continue;
        const double begin = std::round(std::max(-2.0, grid.xOf(step.host.beginNs)));
        const double end = std::round(std::min(band.width() + 2, grid.xOf(step.host.endNs)));
        const QRectF box(band.left() + begin, band.top() + 2, std::max(1.0, end - begin - 1), band.height() - 3);
        const bool current = input.currentStep == index;
        painter.fillRect(box, current ? theme.kindColour(SliceKind::Annotation) : theme.stepBand);
        const QRectF visible = box.intersected(band).adjusted(4, 0, -4, 0);
        if (visible.width() < kNarrowestStepNamePx) continue;
        painter.setPen(current ? textOn(theme.kindColour(SliceKind::Annotation)) : theme.text);
        QString name = toQString(step.name());
        // Where the whole name finds no room its number still tells the step.
        if (painter.fontMetrics().horizontalAdvance(name) > visible.width()) name = QString::number(step.number);
        if (painter.fontMetrics().horizontalAdvance(name) <= visible.width())
            painter.drawText(visible, Qt::AlignCenter, name);
    }
}

std::int64_t farthestFromOrigin(const RulerInput& input)
{
    const std::int64_t origin = input.profile->span.beginNs;
    return std::max(std::abs(input.range.beginNs - origin), std::abs(input.range.endNs - origin));
}

double tickDistance(const QPainter& painter, const RulerInput& input)
{
    const std::int64_t origin = input.profile->span.beginNs;
    const auto pxPerTick = [&](const std::string& text) {
        return painter.fontMetrics().horizontalAdvance(toQString(text)) + 28.0;
    };
    // Deep inside a long profile the times have many digits; the ticks stand farther apart then.
    const std::int64_t tick = std::max<std::int64_t>(1, input.range.lengthNs() / 12);
    const std::int64_t farthest = farthestFromOrigin(input);
    return std::max({110.0, pxPerTick(formatTick(input.range.beginNs - origin, tick, farthest)),
                     pxPerTick(formatTick(input.range.endNs - origin, tick, farthest))});
}

void paintTimes(QPainter& painter, const QRectF& band, const RulerInput& input, const PixelGrid& grid)
{
    const Theme& theme = *input.theme;
    const std::int64_t origin = input.profile->span.beginNs;
    const TimeTicks ticks = timeTicks(input.range, band.width(), tickDistance(painter, input), origin);
    const double majorPx = static_cast<double>(ticks.stepNs) / grid.nsPerPx();
    const auto mark = [&](double x, double height, const QColor& colour) {
        if (x >= 0 && x < band.width())
            painter.fillRect(QRectF(band.left() + std::round(x), band.bottom() - height, 1, height), colour);
    };
    const auto minorMarks = [&](double from) {
        for (int minor = 1; minor < ticks.minorPerMajor; ++minor)
            mark(from + majorPx * minor / ticks.minorPerMajor, 3, theme.textDisabled);
    };
    if (!ticks.timesNs.empty()) minorMarks(grid.xOf(ticks.timesNs.front()) - majorPx);
    for (const std::int64_t time : ticks.timesNs) {
        const double x = grid.xOf(time);
        mark(x, 7, theme.textSecondary);
        minorMarks(x);
        const QString text = toQString(formatTick(time - origin, ticks.stepNs, farthestFromOrigin(input)));
        const double width = painter.fontMetrics().horizontalAdvance(text);
        if (x + 4 + width > band.width()) continue;
        painter.setPen(theme.textSecondary);
        painter.drawText(QRectF(band.left() + std::round(x) + 4, band.top(), width + 2, band.height() - 3),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

void paintCursor(QPainter& painter, const QRectF& band, const RulerInput& input, const PixelGrid& grid)
{
    if (!input.cursorNs) return;
    const Theme& theme = *input.theme;
    const QString text = toQString(formatExactTime(*input.cursorNs - input.profile->span.beginNs));
    const double width = painter.fontMetrics().horizontalAdvance(text) + 12;
    const double x = std::clamp(grid.xOf(*input.cursorNs) - width / 2, 0.0, std::max(0.0, band.width() - width));
    const QRectF pill(band.left() + std::round(x), band.top() + 1, std::ceil(width), band.height() - 3);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(pill, theme.pillRadius, theme.pillRadius);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme.onAccent);
    painter.drawText(pill, Qt::AlignCenter, text);
}

} // namespace

int rulerHeight(const QFont& font, bool steps)
{
    const int times = static_cast<int>(std::ceil(QFontMetricsF(rulerFont(font)).height())) + 9;
    return times + (steps ? stepBandHeight(font) : 0);
}

void paintRuler(QPainter& painter, const QRectF& rect, const RulerInput& input)
{
    painter.save();
    painter.setClipRect(rect);
    painter.fillRect(rect, input.theme->panel);
    painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), input.theme->separator);
    if (input.profile && !input.range.empty()) {
        const QFont base = painter.font();
        painter.setFont(rulerFont(base));
        const PixelGrid grid(input.range, static_cast<int>(std::lround(rect.width())));
        const double steps = input.stepProcess == kNone ? 0 : stepBandHeight(base);
        const QRectF times = rect.adjusted(0, steps, 0, -1);
        if (steps > 0) paintStepBand(painter, QRectF(rect.topLeft(), QSizeF(rect.width(), steps)), input, grid);
        paintTimes(painter, times, input, grid);
        paintCursor(painter, times, input, grid);
    }
    painter.restore();
}

Ruler::Ruler(ViewState& viewState, QWidget* parent) : QWidget(parent), m_viewState(viewState)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Time ruler"));
    const auto repaint = [this] { update(); };
    connect(&viewState, &ViewState::rangeChanged, this, repaint);
    connect(&viewState, &ViewState::stepChanged, this, repaint);
    connect(&viewState, &ViewState::selectionChanged, this, repaint);
    connect(&viewState, &ViewState::profileChanged, this, [this] {
        updateGeometry();
        update();
    });
}

QSize Ruler::sizeHint() const { return {200, rulerHeight(font(), m_viewState.stepProcess() != kNone)}; }

void Ruler::setCursorX(double x)
{
    if (x == m_cursorX) return;
    m_cursorX = x;
    update();
}

void Ruler::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(font());
    RulerInput input;
    input.profile = m_viewState.profile().get();
    input.theme = &Theme::current(this);
    input.range = m_viewState.range();
    input.stepProcess = m_viewState.stepProcess();
    input.currentStep = m_viewState.currentStep();
    if (m_cursorX >= 0 && input.profile) {
        const double share = (m_cursorX + 0.5) / std::max(1, width());
        input.cursorNs =
            input.range.beginNs + static_cast<std::int64_t>(share * static_cast<double>(input.range.lengthNs()));
    }
    paintRuler(painter, rect(), input);
}

std::optional<std::size_t> Ruler::stepAt(QPointF point) const
{
    const auto& profile = m_viewState.profile();
    if (!profile || m_viewState.stepProcess() == kNone || point.y() >= stepBandHeight(font())) return std::nullopt;
    const TimeSpan range = m_viewState.range();
    const auto time = range.beginNs + static_cast<std::int64_t>(point.x() / std::max(1, width()) *
                                                                static_cast<double>(range.lengthNs()));
    const auto [first, last] = m_viewState.stepsOf(m_viewState.stepProcess());
    for (std::size_t step = first; step < last; ++step)
        if (profile->steps[step].host.contains(time)) return step;
    return std::nullopt;
}

void Ruler::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return event->ignore();
    if (const auto step = stepAt(event->position())) m_viewState.goToStep(*step);
}

} // namespace stepscope
