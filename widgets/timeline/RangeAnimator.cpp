// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/RangeAnimator.h"

#include "common/ViewState.h"

#include <cmath>

namespace stepscope
{

RangeAnimator::RangeAnimator(ViewState& viewState, QObject* parent) : QObject(parent), m_viewState(viewState)
{
    m_animation.setDuration(kDurationMs);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        // A change of its duration makes an animation tell its value too, started or not.
        if (m_animation.state() == QAbstractAnimation::Running) show(value.toDouble());
    });
    connect(&viewState, &ViewState::rangeChanged, this, [this] {
        if (!m_moving) m_animation.stop();
    });
    connect(&viewState, &ViewState::profileChanged, this, [this] { m_animation.stop(); });
}

RangeAnimator::Range RangeAnimator::base() const
{
    if (m_animation.state() == QAbstractAnimation::Running) return m_to;
    const TimeSpan range = m_viewState.range();
    return {static_cast<double>(range.beginNs - m_originNs), static_cast<double>(range.endNs - m_originNs)};
}

void RangeAnimator::zoomAround(std::int64_t ns, double factor)
{
    if (!m_viewState.profile()) return;
    if (m_animation.state() != QAbstractAnimation::Running) m_originNs = m_viewState.range().beginNs;
    const Range old = base();
    const double length = old.end - old.begin;
    const auto shortest = static_cast<double>(ViewState::kShortestRangeNs);
    const double next =
        std::max(shortest, std::min(length * factor, static_cast<double>(m_viewState.bounds().lengthNs())));
    const double fixed = static_cast<double>(ns - m_originNs);
    const double share = (fixed - old.begin) / length;
    start({fixed - share * next, fixed + (1 - share) * next});
}

void RangeAnimator::pan(double fraction)
{
    if (!m_viewState.profile()) return;
    if (m_animation.state() != QAbstractAnimation::Running) m_originNs = m_viewState.range().beginNs;
    const Range old = base();
    const TimeSpan bounds = m_viewState.bounds();
    double shift = (old.end - old.begin) * fraction;
    // Stops at the border rather than running on beyond it, from where the way back would begin with a pause.
    shift = std::max(shift, static_cast<double>(bounds.beginNs - m_originNs) - old.begin);
    shift = std::min(shift, static_cast<double>(bounds.endNs - m_originNs) - old.end);
    start({old.begin + shift, old.end + shift});
}

void RangeAnimator::start(Range target)
{
    const TimeSpan now = m_viewState.range();
    m_from = {static_cast<double>(now.beginNs - m_originNs), static_cast<double>(now.endNs - m_originNs)};
    m_animation.stop();
    m_to = target;
    if (m_animation.duration() <= 0) return show(1);
    m_animation.start();
}

void RangeAnimator::finish()
{
    if (m_animation.state() != QAbstractAnimation::Running) return;
    m_animation.stop();
    show(1);
}

void RangeAnimator::show(double progress)
{
    const auto between = [&](double from, double to) {
        return m_originNs + std::llround(from + (to - from) * progress);
    };
    m_moving = true;
    m_viewState.setRange({between(m_from.begin, m_to.begin), between(m_from.end, m_to.end)});
    m_moving = false;
}

} // namespace stepscope
