// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QKeyEvent;

namespace stepscope
{

class TimelineView;
class ViewState;

/// Acts on a key of the timeline. False if it is none of them.
[[nodiscard]] bool handleTimelineKey(const QKeyEvent& event, ViewState& viewState, TimelineView& view);

} // namespace stepscope
