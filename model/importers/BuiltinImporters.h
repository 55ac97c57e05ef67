// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/Importer.h"

#include <memory>
#include <vector>

namespace stepscope
{

/// Every format that Stepscope reads. Order breaks ties between equally confident importers.
[[nodiscard]] const std::vector<std::unique_ptr<const Importer>>& builtinImporters();

} // namespace stepscope
