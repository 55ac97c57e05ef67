// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/Importer.h"

namespace stepscope
{

/// The files that SageMaker Debugger leaves in a job's `profiler-output` folder: system metrics and framework
/// timelines, many small files in time order, one recording. See FORMAT.md.
class SageMakerImporter final : public Importer
{
public:
    [[nodiscard]] std::string_view format() const override { return "sagemaker-debugger"; }
    [[nodiscard]] FormatLabel label() const override { return {"SageMaker Debugger folders", {}}; }
    [[nodiscard]] Confidence sniff(const FileHead& head) const override;
    [[nodiscard]] Result<ImportResult> import(const std::string& path, ProfileBuilder& builder,
                                              LoadProgress& progress) const override;
    [[nodiscard]] bool joinsFiles() const override { return true; }
    [[nodiscard]] Result<ImportResult> importAll(const std::vector<std::string>& paths, ProfileBuilder& builder,
                                                 LoadProgress& progress) const override;
};

} // namespace stepscope
