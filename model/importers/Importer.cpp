// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/Importer.h"

namespace stepscope
{

Result<ImportResult> Importer::importAll(const std::vector<std::string>& paths, ProfileBuilder& builder,
                                         LoadProgress& progress) const
{
    std::optional<Error> firstError;
    bool any = false;
    for (const std::string& path : paths) {
        auto imported = import(path, builder, progress);
        if (imported.ok() && imported.value() == ImportResult::Cancelled) return ImportResult::Cancelled;
        if (imported.ok()) any = true;
        else if (!firstError) firstError = imported.error();
    }
    if (!any && firstError) return *firstError;
    return ImportResult::Complete;
}

} // namespace stepscope
