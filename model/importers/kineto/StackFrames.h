// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stepscope::kineto
{

/// The `stackFrames` object of a trace: frames by id, each with its caller.
/// Source: the catapult trace-event format, "Stack frames".
class StackFrames
{
public:
    StackFrames() = default;
    /// What is no frame is left out.
    explicit StackFrames(std::string_view json);

    [[nodiscard]] bool empty() const { return m_frames.empty(); }
    /// Names from the frame outwards to its outermost caller. Callers that lead back to themselves end the list.
    [[nodiscard]] std::vector<std::string_view> chain(std::string_view id) const;
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    struct Frame {
        std::string name;
        std::string parent;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, Frame, Hash, std::equal_to<>> m_frames;
};

/// An entry of the `samples` list that some tools write beside the events.
struct StackSample {
    std::int64_t timeNs = 0;
    std::string pid;
    std::string tid;
    std::string name;  ///< may be ""
    std::string frame; ///< id in StackFrames, or ""
};

/// Samples without a time are left out, and counted in `broken`.
[[nodiscard]] std::vector<StackSample> readSamples(std::string_view json, std::uint64_t& broken);

} // namespace stepscope::kineto
