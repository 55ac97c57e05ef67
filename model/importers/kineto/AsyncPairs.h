// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/ProfileBuilder.h"

#include <cstdint>
#include <vector>

namespace stepscope::kineto
{

/// One event of asynchronous work, as it goes into the profile.
struct AsyncEvent {
    std::int64_t timeNs = 0;
    std::uint64_t id = 0;
    char phase = 'b';
    bool local = false;        ///< the id is that of one process
    std::uint32_t process = 0; ///< the builder's
    StringId name;
    StringId step; ///< what a step of the work is called
    StringId categoryText;
    std::uint16_t category = 0;
    SourceRef source;
};

/// Collects asynchronous work (b n e; S T p F of older files) and the lives of objects (N D), and pairs begins and ends
/// by id, in time order, once all are known. Nested work of one id is a stack.
/// Source: the catapult trace-event format, sections on async and object events.
class AsyncPairs
{
public:
    void add(const AsyncEvent& event) { m_events.push_back(event); }
    void finish(ProfileBuilder& builder, std::uint32_t file);

private:
    std::vector<AsyncEvent> m_events;
};

} // namespace stepscope::kineto
