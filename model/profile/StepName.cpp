// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/StepName.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace stepscope
{

std::optional<StepName> parseStepName(std::string_view name)
{
    for (const std::string_view family : {"ProfilerStep", "step", "iteration", "train"}) {
        if (name.size() <= family.size()) continue;
        const bool matches = std::equal(family.begin(), family.end(), name.begin(), [](char a, char b) {
            return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
        });
        if (!matches) continue;
        std::string_view digits = name.substr(family.size());
        if (std::string_view("#_- :").find(digits.front()) != std::string_view::npos) digits.remove_prefix(1);
        StepName step{name.substr(0, family.size()), 0};
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step.number);
        if (error == std::errc() && end == digits.data() + digits.size() && digits.front() != '-') return step;
    }
    return std::nullopt;
}

} // namespace stepscope
