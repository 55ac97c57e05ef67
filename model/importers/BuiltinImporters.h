// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/Importer.h"

#include <memory>
#include <string>
#include <vector>

namespace stepscope
{

/// Every format that Stepscope reads, the general ones first: of equally confident importers the last one is taken.
[[nodiscard]] const std::vector<std::unique_ptr<const Importer>>& builtinImporters();

/// "Nsight Systems exports, Perfetto traces and SageMaker Debugger folders": all of them, for messages.
[[nodiscard]] std::string readableFormats();

} // namespace stepscope
