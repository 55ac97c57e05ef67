// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/BuiltinImporters.h"

#include "importers/kineto/KinetoImporter.h"
#include "importers/nsys/NsysImporter.h"
#include "importers/sagemaker/SageMakerImporter.h"
#include "importers/xplane/XPlaneImporter.h"

namespace stepscope
{

const std::vector<std::unique_ptr<const Importer>>& builtinImporters()
{
    static const auto importers = [] {
        std::vector<std::unique_ptr<const Importer>> list;
        list.push_back(std::make_unique<KinetoImporter>());
        list.push_back(std::make_unique<NsysImporter>());
        list.push_back(std::make_unique<XPlaneImporter>());
        list.push_back(std::make_unique<SageMakerImporter>());
        return list;
    }();
    return importers;
}

std::string readableFormats()
{
    std::string list;
    const auto& importers = builtinImporters();
    for (std::size_t index = 0; index < importers.size(); ++index) {
        if (index > 0) list += index + 1 == importers.size() ? " and " : ", ";
        list += importers[index]->label().name;
    }
    return list;
}

} // namespace stepscope
