// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/Profile.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace stepscope
{

/// The one owner of what is shown: profile, range, selection, current step and which tracks are expanded.
/// Widgets change it and listen to it; they never keep a copy. Lives on the interface's thread.
class ViewState : public QObject
{
    Q_OBJECT
public:
    /// The closest view there is.
    static constexpr std::int64_t kShortestRangeNs = 10;

    explicit ViewState(QObject* parent = nullptr);
    ~ViewState() override;

    /// Shows another profile (null: none) from its beginning to its end; forgets all the rest.
    void setProfile(std::shared_ptr<const Profile> profile);
    [[nodiscard]] const std::shared_ptr<const Profile>& profile() const { return m_profile; }

    [[nodiscard]] TimeSpan range() const { return m_range; }
    /// As far as the range may go: the profile's span and a fifth of it on either side.
    [[nodiscard]] TimeSpan bounds() const;
    /// Clamped to bounds() by moving it, then by shortening it.
    void setRange(TimeSpan range);
    /// The range becomes `factor` times as long (below 1: closer), and `ns` keeps its place on the screen.
    void zoomAround(std::int64_t ns, double factor);
    /// Moves by this share of the range's length; positive is later.
    void pan(double fraction);
    /// Shows a span with some room around it.
    void zoomTo(TimeSpan span);
    void showAll();

    [[nodiscard]] SliceId selection() const { return m_selection; }
    void select(SliceId slice);
    void clearSelection() { select({}); }

    /// Index into Profile::steps: the step last gone to, or the one in which the selection lies.
    [[nodiscard]] std::optional<std::size_t> currentStep() const { return m_currentStep; }
    /// Whose steps are walked: the selection's process if it has steps, else the current step's, else the first with
    /// steps; kNone without steps.
    [[nodiscard]] std::uint32_t stepProcess() const;
    /// Indices [first, last) into Profile::steps of a process's steps.
    [[nodiscard]] std::pair<std::size_t, std::size_t> stepsOf(std::uint32_t process) const;
    /// Shows a step on host and device, and selects it.
    void goToStep(std::size_t step);
    void nextStep() { walkSteps(+1); }
    void previousStep() { walkSteps(-1); }

    /// Selects the other end of the selection's link and brings it into view. A launch with several runs leads to the
    /// next one each time. False if there is none.
    bool jumpAlongLink();
    /// Makes a slice visible: expands its track, asks for scrolling, centres its time if it is off-screen.
    void reveal(SliceId slice);

    [[nodiscard]] bool isExpanded(TrackId track) const;
    void setExpanded(TrackId track, bool expanded);
    void setAllExpanded(bool expanded);
    /// By track id; what TrackLayout is built from.
    [[nodiscard]] const std::vector<bool>& expansion() const { return m_expanded; }

signals:
    void profileChanged();
    void rangeChanged();
    void selectionChanged();
    void layoutChanged(); ///< a track was expanded or collapsed
    void stepChanged();
    void revealRequested(stepscope::SliceId slice);

private:
    void walkSteps(int direction);
    void setCurrentStep(std::optional<std::size_t> step);
    [[nodiscard]] SliceId otherEnd();
    void bringIntoView(TimeSpan span);
    bool expandAncestors(TrackId track);

    std::shared_ptr<const Profile> m_profile;
    TimeSpan m_range{0, 1};
    SliceId m_selection;
    std::optional<std::size_t> m_currentStep;
    std::vector<bool> m_expanded;
    SliceId m_lastRun; ///< the run from which, or to which, the last jump went
};

} // namespace stepscope
