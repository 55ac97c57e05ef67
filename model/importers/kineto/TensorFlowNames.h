// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What the names of TensorFlow's trace files, and of what lies around them, tell.
namespace stepscope::kineto
{

/// "<host>.trace.json": the host; "" for other names.
[[nodiscard]] std::string hostFromTensorFlowName(std::string_view path);

/// SageMaker Debugger writes an empty file "<node>_<start us>_<end us>.metadata" in a folder above the trace, whose own
/// times count from the start of the session. Returns that start, in ns since 1970.
[[nodiscard]] std::optional<std::int64_t> sessionStartNs(std::string_view path);

} // namespace stepscope::kineto
