// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/SpaceIndex.h"

#include "core/Utf8.h"

#include <algorithm>

namespace stepscope::xplane
{

namespace
{

constexpr std::uint64_t kLongestName = 64 * 1024;
constexpr std::size_t kMostNotices = 1000; ///< of errors, warnings and host names

class Indexer
{
public:
    Indexer(WireFile& file, const LoadProgress& progress) : m_file(file), m_progress(progress) {}

    SpaceIndex run()
    {
        FieldWalk walk(m_file, {0, m_file.size()});
        while (const auto field = next(walk)) {
            if (field->isBytes(1)) plane(field->bytes);
            else if (field->isBytes(2)) notice(m_index.errors, field->bytes);
            else if (field->isBytes(3)) notice(m_index.warnings, field->bytes);
            else if (field->isBytes(4)) notice(m_index.hostNames, field->bytes);
        }
        return std::move(m_index);
    }

private:
    std::optional<FileField> next(FieldWalk& walk)
    {
        if (m_progress.cancelled()) return std::nullopt;
        const std::uint64_t at = walk.position();
        const auto field = walk.next();
        if (walk.broken()) noteBroken(at);
        if (field && field->cut) noteCut(at, field->bytes.end);
        return field;
    }

    /// A record that is longer than what is around it: where the file ends, the file was cut; elsewhere it is broken.
    void noteCut(std::uint64_t at, std::uint64_t end)
    {
        if (end < m_file.size()) return noteBroken(at);
        if (!m_index.truncated) m_index.truncatedAt = at;
        m_index.truncated = true;
    }
    void noteBroken(std::uint64_t at)
    {
        constexpr std::uint64_t kLongestHead = 11;
        const bool atEnd = m_file.size() - std::min(at, m_file.size()) < kLongestHead;
        if (atEnd && !m_index.truncated) m_index.truncatedAt = at;
        if (atEnd) m_index.truncated = true;
        else if (m_index.brokenRecords++ == 0) m_index.brokenAt = at;
    }

    void notice(std::vector<std::string>& list, ByteRange bytes)
    {
        if (list.size() < kMostNotices) list.push_back(withReplacedBytes(textOf(m_file, bytes, kLongestName)));
    }

    void plane(ByteRange bytes)
    {
        PlaneIndex plane;
        plane.bytes = bytes;
        FieldWalk walk(m_file, bytes);
        while (const auto field = next(walk)) {
            if (field->isVarint(1)) plane.id = static_cast<std::int64_t>(field->number);
            else if (field->isBytes(2)) plane.name = withReplacedBytes(textOf(m_file, field->bytes, kLongestName));
            else if (field->isBytes(3)) plane.lines.push_back(line(field->bytes));
            else if (field->isBytes(4)) entry(field->bytes, plane.eventMetadata);
            else if (field->isBytes(5)) entry(field->bytes, plane.statMetadata);
            else if (field->isBytes(6)) plane.stats.push_back(field->bytes);
        }
        const auto byId = [](const MetadataRef& a, const MetadataRef& b) { return a.id < b.id; };
        std::stable_sort(plane.eventMetadata.begin(), plane.eventMetadata.end(), byId);
        std::stable_sort(plane.statMetadata.begin(), plane.statMetadata.end(), byId);
        m_index.planes.push_back(std::move(plane));
    }

    /// The line's own fields stand before its events, and a few behind them. Walking over the events costs as much as
    /// reading them, so it is only done where something is missing.
    LineIndex line(ByteRange bytes)
    {
        LineIndex line;
        line.bytes = bytes;
        FieldWalk walk(m_file, bytes);
        while (const auto field = walk.next()) {
            if (field->isBytes(4) && !line.hasEvents) {
                line.hasEvents = true;
                if (!line.name.empty() && line.timestampNs != 0) break;
            }
            lineField(line, *field);
            if (m_progress.cancelled()) break;
        }
        return line;
    }

    void lineField(LineIndex& line, const FileField& field)
    {
        if (field.isVarint(1)) line.id = static_cast<std::int64_t>(field.number);
        else if (field.isBytes(2)) line.name = withReplacedBytes(textOf(m_file, field.bytes, kLongestName));
        else if (field.isVarint(3)) line.timestampNs = static_cast<std::int64_t>(field.number);
        else if (field.isBytes(11)) line.displayName = withReplacedBytes(textOf(m_file, field.bytes, kLongestName));
    }

    void entry(ByteRange bytes, std::vector<MetadataRef>& list)
    {
        MetadataRef ref;
        ref.bytes = {bytes.end, bytes.end};
        FieldWalk walk(m_file, bytes);
        while (const auto field = next(walk)) {
            if (field->isVarint(1)) ref.id = static_cast<std::int64_t>(field->number);
            else if (field->isBytes(2)) ref.bytes = field->bytes;
            if (field->cut) return; // half a name is none
        }
        list.push_back(ref);
    }

    WireFile& m_file;
    const LoadProgress& m_progress;
    SpaceIndex m_index;
};

} // namespace

SpaceIndex indexSpace(WireFile& file, const LoadProgress& progress) { return Indexer(file, progress).run(); }

const MetadataRef* findMetadata(const std::vector<MetadataRef>& sorted, std::int64_t id)
{
    const auto after = std::upper_bound(sorted.begin(), sorted.end(), id,
                                        [](std::int64_t wanted, const MetadataRef& ref) { return wanted < ref.id; });
    return after == sorted.begin() || (after - 1)->id != id ? nullptr : &*(after - 1);
}

} // namespace stepscope::xplane
