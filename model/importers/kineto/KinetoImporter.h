// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/Importer.h"

namespace stepscope
{

/// PyTorch profiler (Kineto) JSON and the Chrome trace-event JSON that it is a dialect of. See FORMAT.md.
class KinetoImporter final : public Importer
{
public:
    [[nodiscard]] std::string_view format() const override { return "kineto"; }
    [[nodiscard]] FormatLabel label() const override { return {"PyTorch (Kineto) and Chrome JSON traces", {".json"}}; }
    [[nodiscard]] Confidence sniff(const FileHead& file) const override;
    [[nodiscard]] Result<ImportResult> import(const std::string& path, ProfileBuilder& builder,
                                              LoadProgress& progress) const override;
};

} // namespace stepscope
