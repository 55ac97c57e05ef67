// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "profile/Profile.h"

#include <QByteArray>
#include <QTemporaryDir>
#include <memory>
#include <string>
#include <vector>

namespace stepscope::test
{

/// A folder that vanishes with the object.
class TempFolder
{
public:
    /// Writes a file (with folders on the way) and returns its path.
    std::string write(const std::string& name, const QByteArray& content) const;
    [[nodiscard]] std::string path(const std::string& name = {}) const;

private:
    QTemporaryDir m_folder;
};

[[nodiscard]] QByteArray gzipped(const QByteArray& content);

enum class ArchiveKind { Zip, Tar };
/// An archive of files by name.
[[nodiscard]] QByteArray archived(ArchiveKind kind, const std::vector<std::pair<std::string, QByteArray>>& files);

[[nodiscard]] Result<std::shared_ptr<const Profile>> open(const std::string& path);

/// Opens a profile that consists of this text.
[[nodiscard]] Result<std::shared_ptr<const Profile>> openText(const QByteArray& text);

/// The number of a diagnostic in the profile, 0 if it is not there.
[[nodiscard]] std::uint64_t diagnosticCount(const Profile& profile, DiagnosticCode code);

/// The first slice of a name; invalid if there is none.
[[nodiscard]] SliceId sliceNamed(const Profile& profile, std::string_view name);

/// The tree as text, one node a line, indented by two spaces, for readable failures.
[[nodiscard]] QByteArray printedTree(const Profile& profile);

} // namespace stepscope::test
