// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/Importer.h"

#include <string_view>

namespace stepscope::xplane
{

/// Whether the bytes are the beginning of an XSpace. The format has no magic: the first plane must be one.
[[nodiscard]] Confidence sniffSpace(std::string_view head);

/// "overview_page" of "host.overview_page.pb": a summary that TensorFlow's profiler keeps beside the profile; "" for
/// other names.
[[nodiscard]] std::string_view summaryName(std::string_view fileName);

} // namespace stepscope::xplane
