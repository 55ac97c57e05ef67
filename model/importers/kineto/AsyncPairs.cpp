// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/AsyncPairs.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace stepscope::kineto
{

namespace
{

enum class Role : std::uint8_t { Begin, End, Mark };

Role roleOf(char phase)
{
    switch (phase) {
    case 'b':
    case 'S':
    case 'N':
        return Role::Begin;
    case 'e':
    case 'F':
    case 'D':
        return Role::End;
    default:
        return Role::Mark;
    }
}

/// What must be equal for two events to speak of the same work.
using Key = std::tuple<char, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>;

Key keyOf(const AsyncEvent& event)
{
    const bool object = event.phase == 'N' || event.phase == 'D';
    if (object) return {'N', event.id, 0, 0, event.process + 1};
    const bool nestable = event.phase == 'b' || event.phase == 'n' || event.phase == 'e';
    return {nestable ? 'b' : 'S', event.id, event.categoryText.value, nestable ? 0 : event.name.value,
            event.local ? event.process + 1 : 0};
}

std::string laneName(const ProfileBuilder& builder, const AsyncEvent& event)
{
    if (event.phase == 'N') return "objects";
    const std::string_view category = builder.strings().view(event.categoryText);
    return category.empty() ? "work" : std::string(category);
}

RawSlice sliceOf(const AsyncEvent& begin, std::int64_t durNs)
{
    RawSlice slice;
    slice.startNs = begin.timeNs;
    slice.durNs = durNs;
    slice.name = begin.name;
    slice.source = begin.source;
    slice.category = begin.category;
    return slice;
}

} // namespace

void AsyncPairs::finish(ProfileBuilder& builder, std::uint32_t file)
{
    std::stable_sort(m_events.begin(), m_events.end(),
                     [](const AsyncEvent& a, const AsyncEvent& b) { return a.timeNs < b.timeNs; });
    std::map<Key, std::vector<const AsyncEvent*>> open;
    for (const AsyncEvent& event : m_events) {
        builder.touch(file, event.timeNs);
        auto& stack = open[keyOf(event)];
        const AsyncEvent& owner = stack.empty() ? event : *stack.back();
        const Role role = roleOf(event.phase);
        if (role == Role::Begin) {
            stack.push_back(&event);
        } else if (role == Role::Mark) {
            const std::uint32_t lane = builder.asyncLane(event.process, laneName(builder, owner));
            builder.addInstant(file, lane, event.timeNs, event.step, event.source);
        } else if (stack.empty()) {
            builder.diagnostics().add(DiagnosticCode::UnmatchedEnd);
        } else {
            const std::uint32_t lane = builder.asyncLane(owner.process, laneName(builder, owner));
            builder.addSlice(lane, sliceOf(owner, event.timeNs - owner.timeNs));
            if (event.source.known()) builder.addEndSource(file, owner.source, event.source);
            stack.pop_back();
        }
    }
    for (const auto& [key, stack] : open)
        for (const AsyncEvent* begin : stack)
            builder.addBegin(builder.asyncLane(begin->process, laneName(builder, *begin)), sliceOf(*begin, 0));
    m_events.clear();
}

} // namespace stepscope::kineto
