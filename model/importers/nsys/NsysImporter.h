// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/Importer.h"

namespace stepscope
{

/// Nsight Systems exports to SQLite (`nsys export --type sqlite`), and the sentence that says how to make one of a
/// native report. See FORMAT.md.
class NsysImporter final : public Importer
{
public:
    [[nodiscard]] std::string_view format() const override { return "nsys"; }
    [[nodiscard]] FormatLabel label() const override { return {"Nsight Systems exports", {".sqlite", ".nsys-rep"}}; }
    [[nodiscard]] Confidence sniff(const FileHead& head) const override;
    [[nodiscard]] Result<ImportResult> import(const std::string& path, ProfileBuilder& builder,
                                              LoadProgress& progress) const override;
};

} // namespace stepscope
