// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/ProfileBuilder.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stepscope::xplane
{

/// The number that a step's name is, or ends with.
[[nodiscard]] std::optional<std::int64_t> stepNumber(std::string_view name);

/// Slices that may turn out to be training steps, gathered while a file is read.
class StepMarks
{
public:
    struct Mark {
        std::uint32_t lane = 0;
        std::uint32_t slice = 0; ///< its place in the lane
        std::int64_t number = 0;
    };

    /// A slice of a host that says that it is a step.
    void addRoot(const Mark& mark) { m_roots.push_back(mark); }
    /// A slice of a device's line of steps.
    void addLine(const Mark& mark) { m_lines.push_back(mark); }
    /// A slice of a host that belongs to a group of events; the longest of the group may stand for it.
    void addOfGroup(const Mark& mark, std::int64_t durNs);

    /// Steps that the job names itself come before the profiler's lines of steps; groups are the last resort.
    void mark(ProfileBuilder& builder) const;

private:
    struct OfGroup {
        Mark mark;
        std::int64_t durNs = 0;
    };

    std::vector<Mark> m_roots;
    std::vector<Mark> m_lines;
    std::unordered_map<std::int64_t, OfGroup> m_groups;
};

} // namespace stepscope::xplane
