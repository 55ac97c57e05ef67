// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Progress.h"
#include "core/Result.h"
#include "profile/ProfileBuilder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stepscope
{

enum class Confidence : std::uint8_t { None, Maybe, Sure };

enum class ImportResult : std::uint8_t { Complete, Cancelled };

/// One file format. A new one is a folder beside this file and a line in BuiltinImporters.cpp.
class Importer
{
public:
    virtual ~Importer() = default;

    /// Key of `format` in `info --json`.
    [[nodiscard]] virtual std::string_view format() const = 0;
    /// Tells from the first bytes (at most 64 KiB, inflated) whether this importer reads the file. Pure and quick.
    [[nodiscard]] virtual Confidence sniff(std::string_view head) const = 0;
    /// Reads the file into the builder. Bad records become diagnostics; an Error means that nothing at all can be
    /// shown, and then nothing was added but the file itself. Polls progress.cancelled().
    [[nodiscard]] virtual Result<ImportResult> import(const std::string& path, ProfileBuilder& builder,
                                                      LoadProgress& progress) const = 0;
};

} // namespace stepscope
