// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Diagnostics.h"

#include <QString>

namespace stepscope
{

struct Profile;

/// A mark for whatever shows one of these figures: how many warnings and losses touch them, or "" if none does.
[[nodiscard]] QString doubtsAbout(const Profile& profile, FigureSet figures);

} // namespace stepscope
