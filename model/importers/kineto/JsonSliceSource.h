// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/SourceText.h"
#include "profile/SliceSource.h"

#include <memory>

namespace stepscope::kineto
{

/// The fields of slices that are JSON objects in a text.
[[nodiscard]] std::shared_ptr<const SliceSource> jsonSliceSource(std::shared_ptr<const SourceText> text);

} // namespace stepscope::kineto
