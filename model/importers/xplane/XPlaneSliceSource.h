// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/xplane/SpaceIndex.h"
#include "io/SourceText.h"
#include "profile/SliceSource.h"

#include <memory>

namespace stepscope::xplane
{

/// The fields of slices that are XEvents: the reference of a slice is the place of its message. Names are looked up
/// through the index, so that no text of an argument is kept.
[[nodiscard]] std::shared_ptr<const SliceSource> xplaneSliceSource(std::shared_ptr<const SourceText> text,
                                                                   std::uint64_t textBytes, SpaceIndex index);

} // namespace stepscope::xplane
