// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/ProfileBuilder.h"

#include <functional>
#include <string>
#include <string_view>

namespace stepscope::sagemaker
{

/// Lines of system metrics, one JSON object each, become counters of their node. Times count from 1970.
class SystemMetrics
{
public:
    /// The builder's file that stands for a node.
    using FileOfNode = std::function<std::uint32_t(const std::string& node)>;

    explicit SystemMetrics(ProfileBuilder& builder) : m_builder(builder) {}

    /// Adds all lines of one file. `place` names the file in diagnostics. False if cancelled.
    [[nodiscard]] bool add(std::string_view text, const std::string& place, const FileOfNode& fileOf,
                           LoadProgress& progress);

private:
    [[nodiscard]] bool addLine(std::string_view line, const FileOfNode& fileOf);

    ProfileBuilder& m_builder;
};

} // namespace stepscope::sagemaker
