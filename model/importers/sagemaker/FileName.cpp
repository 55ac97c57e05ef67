// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/sagemaker/FileName.h"

#include "core/FileName.h"

#include <algorithm>

namespace stepscope::sagemaker
{

TimelineName timelineName(std::string_view path)
{
    const std::string fileName = baseName(path);
    const std::string_view name = fileName;
    TimelineName result;
    const std::size_t end = name.rfind("timeline.json");
    const std::size_t first = name.find('_');
    if (end == std::string_view::npos || first == std::string_view::npos || first >= end) return result;
    std::string_view middle = name.substr(first + 1, end - first - 1); // "4487_0000_python", "905-b88ab_model_"
    if (middle.ends_with('_')) middle.remove_suffix(1);
    const std::size_t last = middle.rfind('_');
    if (last == std::string_view::npos) return result;
    result.writer = middle.substr(last + 1);
    const std::string_view origin = middle.substr(0, last);
    const std::size_t digits = std::min(origin.find_first_not_of("0123456789"), origin.size());
    result.pid = origin.substr(0, digits);
    if (digits < origin.size()) result.node = origin.substr(digits + 1);
    return result;
}

} // namespace stepscope::sagemaker
