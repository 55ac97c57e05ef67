// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/ViewState.h"

#include "analysis/LinkQuery.h"
#include "common/Expansion.h"

#include <algorithm>
#include <cmath>

namespace stepscope
{

namespace
{

constexpr double kProfileMargin = 0.01;
constexpr double kZoomMargin = 0.08;

/// `span` longer by this share of its length on either side; stays within int64 for absurd spans too.
TimeSpan widened(TimeSpan span, double margin)
{
    const double length = static_cast<double>(span.endNs) - static_cast<double>(span.beginNs);
    const auto extra = static_cast<std::int64_t>(std::ceil(std::min(length * margin, 1e18)));
    const std::int64_t begin = span.beginNs < INT64_MIN / 2 + extra ? INT64_MIN / 2 : span.beginNs - extra;
    const std::int64_t end = span.endNs > INT64_MAX / 2 - extra ? INT64_MAX / 2 : span.endNs + extra;
    return {begin, std::max(begin + 1, end)};
}

} // namespace

ViewState::ViewState(QObject* parent) : QObject(parent) {}
ViewState::~ViewState() = default;

void ViewState::setProfile(std::shared_ptr<const Profile> profile)
{
    m_profile = std::move(profile);
    m_selection = {};
    m_lastRun = {};
    m_currentStep.reset();
    m_expanded = m_profile ? defaultExpansion(*m_profile) : std::vector<bool>();
    m_range = {0, 1};
    emit profileChanged();
    if (m_profile) setRange(widened(m_profile->span, kProfileMargin));
    emit selectionChanged();
    emit stepChanged();
}

TimeSpan ViewState::bounds() const
{
    if (!m_profile) return {0, kShortestRangeNs};
    TimeSpan bounds = widened(m_profile->span, 0.2);
    if (bounds.lengthNs() < kShortestRangeNs) bounds.endNs = bounds.beginNs + kShortestRangeNs;
    return bounds;
}

void ViewState::setRange(TimeSpan range)
{
    if (!m_profile) return;
    const TimeSpan limits = bounds();
    const std::int64_t length = std::clamp(range.lengthNs(), kShortestRangeNs, limits.lengthNs());
    const std::int64_t begin = std::clamp(range.beginNs, limits.beginNs, limits.endNs - length);
    const TimeSpan clamped{begin, begin + length};
    if (clamped == m_range) return;
    m_range = clamped;
    emit rangeChanged();
}

void ViewState::zoomAround(std::int64_t ns, double factor)
{
    const std::int64_t oldLength = m_range.lengthNs();
    const std::int64_t limit = bounds().lengthNs();
    auto length = static_cast<std::int64_t>(
        std::llround(std::min(static_cast<double>(oldLength) * factor, static_cast<double>(limit))));
    // A step of the wheel moves on, however close one is.
    if (length == oldLength && factor != 1.0) length += factor > 1 ? 1 : -1;
    length = std::clamp(length, kShortestRangeNs, limit);
    const double place = static_cast<double>(ns - m_range.beginNs) / static_cast<double>(oldLength);
    const std::int64_t begin = ns - std::llround(place * static_cast<double>(length));
    setRange({begin, begin + length});
}

void ViewState::pan(double fraction)
{
    const auto shift = std::llround(static_cast<double>(m_range.lengthNs()) * fraction);
    setRange({m_range.beginNs + shift, m_range.endNs + shift});
}

void ViewState::zoomTo(TimeSpan span)
{
    if (span.lengthNs() < kShortestRangeNs) {
        const std::int64_t centre = span.beginNs + span.lengthNs() / 2;
        span = {centre - kShortestRangeNs / 2, centre + kShortestRangeNs / 2};
    }
    setRange(widened(span, kZoomMargin));
}

void ViewState::showAll()
{
    if (m_profile) setRange(widened(m_profile->span, kProfileMargin));
}

void ViewState::select(SliceId slice)
{
    if (slice == m_selection) return;
    m_selection = slice;
    if (m_profile && slice.valid())
        if (const auto step = stepOf(*m_profile, slice)) setCurrentStep(step);
    emit selectionChanged();
}

std::uint32_t ViewState::stepProcess() const
{
    if (!m_profile || m_profile->steps.empty()) return kNone;
    const auto hasSteps = [this](std::uint32_t process) {
        const auto [first, last] = stepsOf(process);
        return first != last;
    };
    if (m_selection.valid()) {
        const Track& track = m_profile->track(m_profile->trackOf(m_selection));
        if (track.process != kNone && hasSteps(track.process)) return track.process;
    }
    if (m_currentStep) return m_profile->steps[*m_currentStep].process;
    return m_profile->steps.front().process;
}

std::pair<std::size_t, std::size_t> ViewState::stepsOf(std::uint32_t process) const
{
    if (!m_profile) return {0, 0};
    const auto& steps = m_profile->steps;
    const auto first = std::lower_bound(steps.begin(), steps.end(), process,
                                        [](const Step& step, std::uint32_t value) { return step.process < value; });
    const auto last = std::upper_bound(first, steps.end(), process,
                                       [](std::uint32_t value, const Step& step) { return value < step.process; });
    return {static_cast<std::size_t>(first - steps.begin()), static_cast<std::size_t>(last - steps.begin())};
}

void ViewState::goToStep(std::size_t index)
{
    if (!m_profile || index >= m_profile->steps.size()) return;
    const Step& step = m_profile->steps[index];
    m_lastRun = {};
    if (m_selection != step.slice) {
        m_selection = step.slice;
        setCurrentStep(index);
        emit selectionChanged();
    } else {
        setCurrentStep(index);
    }
    zoomTo(step.device ? step.host.united(*step.device) : step.host);
}

void ViewState::walkSteps(int direction)
{
    const auto [first, last] = stepsOf(stepProcess());
    if (first == last) return;
    const auto& steps = m_profile->steps;
    if (m_currentStep && *m_currentStep >= first && *m_currentStep < last) {
        const bool atEnd = direction > 0 ? *m_currentStep + 1 == last : *m_currentStep == first;
        goToStep(atEnd ? *m_currentStep : *m_currentStep + static_cast<std::size_t>(direction));
        return;
    }
    // None yet: the nearest one in that direction, seen from where the view begins or ends.
    if (direction > 0) {
        std::size_t step = first;
        while (step + 1 < last && steps[step].host.beginNs < m_range.beginNs) ++step;
        goToStep(step);
    } else {
        std::size_t step = last - 1;
        while (step > first && steps[step].host.endNs > m_range.endNs) --step;
        goToStep(step);
    }
}

void ViewState::setCurrentStep(std::optional<std::size_t> step)
{
    if (step == m_currentStep) return;
    m_currentStep = step;
    emit stepChanged();
}

SliceId ViewState::otherEnd()
{
    if (const SliceId launch = launchOf(*m_profile, m_selection); launch.valid()) {
        m_lastRun = m_selection;
        return launch;
    }
    const auto runs = runsOf(*m_profile, m_selection);
    if (runs.empty()) return {};
    const auto last = std::find(runs.begin(), runs.end(), m_lastRun);
    m_lastRun = last == runs.end() || last + 1 == runs.end() ? runs.front() : *(last + 1);
    return m_lastRun;
}

bool ViewState::jumpAlongLink()
{
    if (!m_profile || !m_selection.valid()) return false;
    const SliceId target = otherEnd();
    if (!target.valid()) return false;
    select(target);
    reveal(target);
    return true;
}

void ViewState::reveal(SliceId slice)
{
    if (!m_profile || !slice.valid()) return;
    const TrackId track = m_profile->trackOf(slice);
    bool changed = expandAncestors(track);
    const std::uint32_t line = m_profile->rowOf(slice) - m_profile->track(track).firstRow;
    // Collapsed tracks show their first line.
    if (line > 0 && !m_expanded[track.value]) {
        m_expanded[track.value] = true;
        changed = true;
    }
    if (changed) emit layoutChanged();
    bringIntoView(m_profile->sliceSpan(slice));
    emit revealRequested(slice);
}

/// Keeps the zoom: what is in view stays where it is, all else comes to the centre; of what is too long, the beginning.
void ViewState::bringIntoView(TimeSpan span)
{
    const std::int64_t length = m_range.lengthNs();
    const bool inView = span.beginNs >= m_range.beginNs && span.endNs <= m_range.endNs;
    const bool fillsView =
        span.beginNs >= m_range.beginNs && span.beginNs < m_range.beginNs + length / 2 && span.lengthNs() > length;
    if (inView || fillsView) return;
    const std::int64_t begin =
        span.lengthNs() > length / 2 ? span.beginNs - length / 4 : span.beginNs + span.lengthNs() / 2 - length / 2;
    setRange({begin, begin + length});
}

bool ViewState::expandAncestors(TrackId track)
{
    bool changed = false;
    for (TrackId up = m_profile->track(track).parent; up.valid(); up = m_profile->track(up).parent) {
        changed = changed || !m_expanded[up.value];
        m_expanded[up.value] = true;
    }
    return changed;
}

bool ViewState::isExpanded(TrackId track) const { return track.value < m_expanded.size() && m_expanded[track.value]; }

void ViewState::setExpanded(TrackId track, bool expanded)
{
    if (track.value >= m_expanded.size() || m_expanded[track.value] == expanded) return;
    m_expanded[track.value] = expanded;
    emit layoutChanged();
}

void ViewState::setAllExpanded(bool expanded)
{
    m_expanded.assign(m_expanded.size(), expanded);
    emit layoutChanged();
}

} // namespace stepscope
