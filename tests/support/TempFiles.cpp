// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/TempFiles.h"

#include "importers/OpenProfile.h"

#include <archive.h>
#include <archive_entry.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <zlib.h>

namespace stepscope::test
{

std::string TempFolder::write(const std::string& name, const QByteArray& content) const
{
    const std::string full = path(name);
    QDir().mkpath(QFileInfo(QString::fromStdString(full)).path());
    QFile file(QString::fromStdString(full));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("cannot write a test file");
    return full;
}

std::string TempFolder::path(const std::string& name) const
{
    return name.empty() ? m_folder.path().toStdString() : m_folder.filePath(QString::fromStdString(name)).toStdString();
}

QByteArray gzipped(const QByteArray& content)
{
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    QByteArray packed(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(content.size()))) + 32, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

QByteArray archived(ArchiveKind kind, const std::vector<std::pair<std::string, QByteArray>>& files)
{
    std::vector<char> room(1 << 24);
    std::size_t used = 0;
    archive* writer = archive_write_new();
    if (kind == ArchiveKind::Zip) archive_write_set_format_zip(writer);
    else archive_write_set_format_ustar(writer);
    archive_write_open_memory(writer, room.data(), room.size(), &used);
    for (const auto& [name, content] : files) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, name.c_str());
        archive_entry_set_size(entry, content.size());
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_write_header(writer, entry);
        archive_write_data(writer, content.constData(), static_cast<std::size_t>(content.size()));
        archive_entry_free(entry);
    }
    archive_write_close(writer);
    archive_write_free(writer);
    return QByteArray(room.data(), static_cast<qsizetype>(used));
}

Result<std::shared_ptr<const Profile>> open(const std::string& path)
{
    LoadProgress progress;
    return openProfile(path, progress);
}

Result<std::shared_ptr<const Profile>> openText(const QByteArray& text)
{
    const TempFolder folder;
    return open(folder.write("profile.json", text));
}

std::uint64_t diagnosticCount(const Profile& profile, DiagnosticCode code)
{
    for (const Diagnostic& diagnostic : profile.diagnostics)
        if (diagnostic.code == code) return diagnostic.count;
    return 0;
}

SliceId sliceNamed(const Profile& profile, std::string_view name)
{
    const StringId id = profile.strings.find(name);
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.slices.name[slice] == id) return {slice};
    return {};
}

namespace
{

void printNode(const Profile& profile, TrackId id, int depth, QByteArray& text)
{
    const Track& track = profile.track(id);
    text += QByteArray(depth * 2, ' ') + QByteArray::fromStdString(track.name);
    if (track.rowCount > 0) text += " [" + QByteArray::number(track.rowCount) + "]";
    text += '\n';
    for (const TrackId child : track.children) printNode(profile, child, depth + 1, text);
}

} // namespace

QByteArray printedTree(const Profile& profile)
{
    QByteArray text;
    for (const TrackId root : profile.roots) printNode(profile, root, 0, text);
    return text;
}

} // namespace stepscope::test
