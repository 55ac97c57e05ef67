// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/StepMarks.h"

#include <charconv>

namespace stepscope::xplane
{

std::optional<std::int64_t> stepNumber(std::string_view name)
{
    const std::size_t before = name.find_last_not_of("0123456789");
    const std::string_view digits = before == std::string_view::npos ? name : name.substr(before + 1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

void StepMarks::addOfGroup(const Mark& mark, std::int64_t durNs)
{
    const auto [known, added] = m_groups.try_emplace(mark.number, OfGroup{mark, durNs});
    if (!added && known->second.durNs < durNs) known->second = {mark, durNs};
}

void StepMarks::mark(ProfileBuilder& builder) const
{
    for (const auto* marks : {&m_roots, &m_lines})
        for (const Mark& mark : *marks) builder.markStep(mark.lane, mark.slice, mark.number);
    if (!m_roots.empty() || !m_lines.empty()) return;
    for (const auto& [group, ofGroup] : m_groups)
        builder.markStep(ofGroup.mark.lane, ofGroup.mark.slice, ofGroup.mark.number);
}

} // namespace stepscope::xplane
