// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace stepscope::sagemaker
{

/// What the name of a timeline file says: "<end time>_<pid>-<node>_model_timeline.json".
struct TimelineName {
    std::string pid;
    std::string node;
    std::string writer; ///< "model", "python", "horovod", "smdataparallel"; "" for other names
};

[[nodiscard]] TimelineName timelineName(std::string_view path);

} // namespace stepscope::sagemaker
