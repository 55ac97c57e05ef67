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
        list.push_back(std::make_unique<SageMakerImporter>());
        list.push_back(std::make_unique<KinetoImporter>());
        list.push_back(std::make_unique<NsysImporter>());
        list.push_back(std::make_unique<XPlaneImporter>());
        return list;
    }();
    return importers;
}

} // namespace stepscope
