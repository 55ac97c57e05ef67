// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/TensorFlowNames.h"

#include "core/FileName.h"
#include "importers/kineto/EventFields.h"
#include "io/ByteStream.h"

#include <filesystem>

namespace stepscope::kineto
{

namespace
{

namespace fs = std::filesystem;

/// The middle number of "algo-1_1596634652000000_1596634655000000.metadata".
std::optional<std::int64_t> startOfSession(std::string_view name)
{
    constexpr std::string_view kEnding = ".metadata";
    if (!name.ends_with(kEnding)) return std::nullopt;
    name.remove_suffix(kEnding.size());
    const std::size_t end = name.rfind('_');
    if (end == std::string_view::npos) return std::nullopt;
    const std::size_t start = name.substr(0, end).rfind('_');
    if (start == std::string_view::npos || !integerOf<std::int64_t>(name.substr(end + 1))) return std::nullopt;
    return integerOf<std::int64_t>(name.substr(start + 1, end - start - 1));
}

} // namespace

std::string hostFromTensorFlowName(std::string_view path)
{
    const std::string fileName = baseName(path);
    std::string_view name = fileName;
    const std::size_t ending = name.find(".trace.json");
    return ending == std::string_view::npos ? std::string() : std::string(name.substr(0, ending));
}

std::optional<std::int64_t> sessionStartNs(std::string_view path)
{
    constexpr int kLevels = 5; // "<step>/plugins/profile/<run>/" and one more
    constexpr std::int64_t kLatestUs = INT64_MAX / 1000;
    fs::path folder = fs::path(path).parent_path();
    for (int level = 0; level < kLevels && !folder.empty(); ++level, folder = folder.parent_path()) {
        if (folder.filename() == "detailed_profiling") break;
        std::error_code error;
        for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
             entry.increment(error)) {
            const auto startUs = startOfSession(entry->path().filename().string());
            if (startUs && *startUs > 0 && *startUs < kLatestUs) return *startUs * 1000;
        }
        if (folder == folder.parent_path()) break;
    }
    return std::nullopt;
}

} // namespace stepscope::kineto
