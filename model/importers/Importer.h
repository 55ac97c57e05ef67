// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Progress.h"
#include "core/Result.h"
#include "profile/ProfileBuilder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepscope
{

enum class Confidence : std::uint8_t { None, Maybe, Sure };

enum class ImportResult : std::uint8_t { Complete, Cancelled };

/// What is known of a file before an importer is chosen.
struct FileHead {
    std::string path;
    std::string bytes; ///< the first ones, inflated, at most 64 KiB
    bool compressed = false;
};

/// How users know a format.
struct FormatLabel {
    std::string_view name;                 ///< plural, fit for an enumeration: "Nsight Systems exports"
    std::vector<std::string_view> endings; ///< of file names, without compression: ".sqlite"
};

/// One file format. A new one is a folder beside this file and a line in BuiltinImporters.cpp.
class Importer
{
public:
    virtual ~Importer() = default;

    /// Key of `format` in `info --json`.
    [[nodiscard]] virtual std::string_view format() const = 0;
    [[nodiscard]] virtual FormatLabel label() const = 0;
    /// Tells from the first bytes whether this importer reads the file, never from the name alone. Quick; where the
    /// first bytes do not tell enough (databases) it may look further into the file.
    [[nodiscard]] virtual Confidence sniff(const FileHead& head) const = 0;
    /// Reads the file into the builder. Bad records become diagnostics; an Error means that nothing at all can be
    /// shown, and then nothing was added but the file itself. Polls progress.cancelled().
    [[nodiscard]] virtual Result<ImportResult> import(const std::string& path, ProfileBuilder& builder,
                                                      LoadProgress& progress) const = 0;
    /// True if the files of one folder are pieces of one recording, to be given to importAll() together.
    [[nodiscard]] virtual bool joinsFiles() const { return false; }
    /// Reads several files, in natural order of their paths, as one recording.
    [[nodiscard]] virtual Result<ImportResult> importAll(const std::vector<std::string>& paths, ProfileBuilder& builder,
                                                         LoadProgress& progress) const;
};

} // namespace stepscope
