// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/nsys/Catalogue.h"
#include "profile/SliceSource.h"

#include <memory>

namespace stepscope::nsys
{

/// Reads the row of a slice again: all of its columns, with ids of strings and enums resolved. Keeps the database open
/// (and in memory, where it was compressed).
[[nodiscard]] std::shared_ptr<const SliceSource> nsysSliceSource(std::unique_ptr<SqliteDatabase> database,
                                                                 Catalogue catalogue);

} // namespace stepscope::nsys
