// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/kineto/StackFrames.h"
#include "io/SourceText.h"
#include "profile/SliceSource.h"

#include <memory>

namespace stepscope::kineto
{

/// The fields of slices that are JSON objects in a text. Stack frame ids are told as the stack they stand for.
[[nodiscard]] std::shared_ptr<const SliceSource> jsonSliceSource(std::shared_ptr<const SourceText> text,
                                                                 StackFrames frames = {});

} // namespace stepscope::kineto
