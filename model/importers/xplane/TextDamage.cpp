// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/TextDamage.h"

#include "core/Utf8.h"

namespace stepscope::xplane
{

bool wasDamagedAsText(std::string_view head)
{
    constexpr std::size_t kMany = 4;
    std::size_t count = 0;
    for (std::size_t at = head.find(kReplacementCharacter); at != std::string_view::npos;
         at = head.find(kReplacementCharacter, at + 3))
        ++count;
    if (count < kMany) return false;
    // The head may end inside of a sequence.
    for (std::size_t cut = 0; cut < 4 && cut < head.size(); ++cut)
        if (isUtf8(head.substr(0, head.size() - cut))) return true;
    return false;
}

} // namespace stepscope::xplane
