// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/Doubts.h"

#include "common/Text.h"
#include "profile/Profile.h"

#include <QCoreApplication>

#include <algorithm>

namespace stepscope
{

QString doubtsAbout(const Profile& profile, FigureSet figures)
{
    const auto count =
        std::count_if(profile.diagnostics.begin(), profile.diagnostics.end(), [&](const Diagnostic& notice) {
            return notice.severity != Severity::Info && notice.figures.intersects(figures);
        });
    if (count == 0) return {};
    return counted(static_cast<std::uint64_t>(count),
                   QCoreApplication::translate("Doubts", "⚠ A notice touches these figures: see Diagnostics."),
                   QCoreApplication::translate("Doubts", "⚠ %1 notices touch these figures: see Diagnostics."));
}

} // namespace stepscope
