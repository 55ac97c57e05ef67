// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/kineto/EventBatch.h"

#include <memory>

namespace stepscope::kineto
{

/// Reads the events of one window after the other. One parser a thread.
class EventParser
{
public:
    EventParser();
    ~EventParser();
    EventParser(const EventParser&) = delete;
    EventParser& operator=(const EventParser&) = delete;

    /// `keepText` packs the window's text into EventBatch::blocks. The batch refers to the window's bytes.
    [[nodiscard]] EventBatch parse(const Window& window, bool keepText);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// The meaning of a `cat`, compared without case; '-' and '_' are the same. Source: Kineto's ActivityType list, the
/// names of 2021, MTIA's.
[[nodiscard]] CategoryEntry classifyCategory(std::string_view text);

} // namespace stepscope::kineto
