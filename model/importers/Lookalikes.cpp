// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/Lookalikes.h"

#include "io/JsonText.h"

#include <algorithm>

namespace stepscope
{

namespace
{

Error other(const std::string& path, std::string what, std::string advice)
{
    return {ErrorCode::OtherContent, path, std::move(what), std::move(advice)};
}

/// The text without white space, as far as its first characters go.
std::string squeezed(std::string_view head, std::size_t length)
{
    std::string text;
    for (const char c : head) {
        if (text.size() == length) break;
        if (!json::isSpace(c)) text.push_back(c);
    }
    return text;
}

} // namespace

std::optional<Error> recogniseLookalike(const std::string& path, std::string_view head)
{
    const std::string begin = squeezed(head.substr(0, 4096), 256);
    const auto holds = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
    if (begin.starts_with("[["))
        return other(path, "it is a memory timeline of torch.profiler (export_memory_timeline), which has no events",
                     "Open the trace of the same run (export_chrome_trace).");
    if (begin.starts_with("{") && holds("\"nodes\"") && holds("\"schema\""))
        return other(path, "it is an execution trace (a graph of operators without times on a device)",
                     "Open the profiler's trace of the same run (*.pt.trace.json).");
    if (holds("# tracer:") || begin.starts_with("TRACE:") || head.starts_with("<!DOCTYPE html"))
        return other(path, "it is a system trace or a page of text, not a profile of a training job",
                     "Choose the profile that the training job wrote, for example *.pt.trace.json.");
    if (head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5)
        return other(
            path, "it is a Python pickle, as CUDA memory snapshots are",
            "Open the profiler's trace of the same run; memory snapshots are shown by pytorch.org/memory_viz.");
    return std::nullopt;
}

} // namespace stepscope
