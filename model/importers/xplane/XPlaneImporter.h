// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/Importer.h"

namespace stepscope
{

/// XPlane protobuf (*.xplane.pb) of TensorFlow, JAX and PyTorch/XLA. See FORMAT.md.
class XPlaneImporter final : public Importer
{
public:
    [[nodiscard]] std::string_view format() const override { return "xplane"; }
    [[nodiscard]] FormatLabel label() const override { return {"XPlane files of TensorFlow and JAX", {".xplane.pb"}}; }
    [[nodiscard]] Confidence sniff(const FileHead& file) const override;
    [[nodiscard]] Result<ImportResult> import(const std::string& path, ProfileBuilder& builder,
                                              LoadProgress& progress) const override;
};

} // namespace stepscope
