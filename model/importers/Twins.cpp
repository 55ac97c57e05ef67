// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/Twins.h"

#include <array>
#include <map>
#include <string_view>

namespace stepscope
{

namespace
{

/// Endings of one recording's forms, the fullest first.
constexpr std::array kTensorFlow = {std::string_view(".xplane.pb"), std::string_view(".trace.json")};
constexpr std::array kNsight = {std::string_view(".sqlite"), std::string_view(".nsys-rep"), std::string_view(".qdrep")};
constexpr std::array kRocprof = {std::string_view("_results.db"), std::string_view("_results.json"),
                                 std::string_view("_results.pftrace")};

struct Form {
    std::string recording;
    std::size_t rank = 0; ///< 0 is the fullest
};

std::size_t stripCompression(std::string_view& name)
{
    for (std::size_t rank = 1; const std::string_view ending : {".gz", ".zst"}) {
        if (name.ends_with(ending)) {
            name.remove_suffix(ending.size());
            return rank;
        }
        ++rank;
    }
    return 0;
}

template<std::size_t Count>
bool strip(std::string_view& path, std::size_t& rank, const std::array<std::string_view, Count>& endings)
{
    for (std::size_t index = 0; index < Count; ++index) {
        if (!path.ends_with(endings[index])) continue;
        path.remove_suffix(endings[index].size());
        rank += index * 3; // beside the three compressions
        return true;
    }
    return false;
}

Form formOf(std::string_view path)
{
    Form form;
    form.rank = stripCompression(path);
    // PyTorch's own name; no XPlane belongs to it.
    const bool family =
        !path.ends_with(".pt.trace.json") &&
        (strip(path, form.rank, kTensorFlow) || strip(path, form.rank, kNsight) || strip(path, form.rank, kRocprof));
    form.recording = std::string(path) + (family ? "\x1f" : "");
    return form;
}

std::string_view folderOf(std::string_view path) { return path.substr(0, path.find_last_of('/') + 1); }

/// JAX names this one after nothing; it holds what the traces beside it do.
bool isJaxCopy(std::string_view path)
{
    stripCompression(path);
    return path.substr(folderOf(path).size()) == "perfetto_trace.json";
}

} // namespace

std::vector<std::optional<std::size_t>> fullerTwins(std::span<const std::string> paths)
{
    struct Best {
        std::size_t path = 0;
        std::size_t rank = 0;
    };
    std::map<std::string, Best> fullest;                        // by recording
    std::map<std::string, std::size_t, std::less<>> tensorFlow; // the first of each folder
    for (std::size_t index = 0; index < paths.size(); ++index) {
        if (isJaxCopy(paths[index])) continue;
        const Form form = formOf(paths[index]);
        const auto [known, added] = fullest.try_emplace(form.recording, Best{index, form.rank});
        if (!added && form.rank < known->second.rank) known->second = {index, form.rank};
        if (paths[index].ends_with(".xplane.pb") || paths[index].find(".trace.json") != std::string::npos)
            tensorFlow.try_emplace(std::string(folderOf(paths[index])), index);
    }
    std::vector<std::optional<std::size_t>> twins(paths.size());
    for (std::size_t index = 0; index < paths.size(); ++index) {
        if (isJaxCopy(paths[index])) {
            const auto other = tensorFlow.find(folderOf(paths[index]));
            if (other != tensorFlow.end()) twins[index] = other->second;
        } else if (const std::size_t best = fullest.at(formOf(paths[index]).recording).path; best != index) {
            twins[index] = best;
        }
    }
    return twins;
}

} // namespace stepscope
