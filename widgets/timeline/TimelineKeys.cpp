// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TimelineKeys.h"

#include "common/ViewState.h"
#include "timeline/SliceWalk.h"
#include "timeline/TimelineView.h"

#include <QKeyEvent>

namespace stepscope
{

namespace
{

constexpr double kZoomPerKey = 1.5;
constexpr double kPanPerKey = 0.15;

void goTo(ViewState& viewState, SliceId slice)
{
    if (!slice.valid()) return;
    viewState.select(slice);
    viewState.reveal(slice);
}

void walk(ViewState& viewState, TimelineView& view, WalkDirection direction)
{
    if (!view.trackLayout()) return;
    const Profile& profile = *viewState.profile();
    const SliceId from = viewState.selection();
    goTo(viewState, from.valid() ? neighbour(profile, *view.trackLayout(), from, direction)
                                 : firstSliceIn(profile, *view.trackLayout(), viewState.range()));
}

bool moveByKey(int key, ViewState& viewState, TimelineView& view)
{
    RangeAnimator& animator = view.animator();
    switch (key) {
    case Qt::Key_W:
        animator.zoomAround(view.zoomCentreNs(), 1 / kZoomPerKey);
        return true;
    case Qt::Key_S:
        animator.zoomAround(view.zoomCentreNs(), kZoomPerKey);
        return true;
    case Qt::Key_A:
        animator.pan(-kPanPerKey);
        return true;
    case Qt::Key_D:
        animator.pan(kPanPerKey);
        return true;
    case Qt::Key_F:
        if (viewState.selection().valid()) {
            viewState.zoomTo(viewState.profile()->sliceSpan(viewState.selection()));
            viewState.reveal(viewState.selection());
        }
        return true;
    case Qt::Key_Home:
        viewState.showAll();
        return true;
    default:
        return false;
    }
}

} // namespace

bool handleTimelineKey(const QKeyEvent& event, ViewState& viewState, TimelineView& view)
{
    // Commands with Ctrl or Alt are the window's.
    if (!viewState.profile() || (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)))
        return false;
    if (moveByKey(event.key(), viewState, view)) return true;
    switch (event.key()) {
    case Qt::Key_BracketLeft:
        viewState.previousStep();
        return true;
    case Qt::Key_BracketRight:
        viewState.nextStep();
        return true;
    case Qt::Key_J:
        viewState.jumpAlongLink();
        return true;
    case Qt::Key_N:
        if (viewState.selection().valid())
            goTo(viewState,
                 nextOfSameName(*viewState.profile(), viewState.selection(), !(event.modifiers() & Qt::ShiftModifier)));
        return true;
    case Qt::Key_Left:
        walk(viewState, view, WalkDirection::Left);
        return true;
    case Qt::Key_Right:
        walk(viewState, view, WalkDirection::Right);
        return true;
    case Qt::Key_Up:
        walk(viewState, view, WalkDirection::Up);
        return true;
    case Qt::Key_Down:
        walk(viewState, view, WalkDirection::Down);
        return true;
    case Qt::Key_Escape:
        viewState.clearSelection();
        return true;
    default:
        return false;
    }
}

} // namespace stepscope
