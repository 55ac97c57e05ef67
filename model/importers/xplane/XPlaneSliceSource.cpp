// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/XPlaneSliceSource.h"

#include "core/Utf8.h"
#include "importers/xplane/PlaneMetadata.h"
#include "importers/xplane/StatText.h"

#include <algorithm>
#include <set>

namespace stepscope::xplane
{

namespace
{

constexpr std::uint64_t kLongestStat = 16u << 20; ///< HLO protos of many megabytes are told by their size only

/// The ranges of a file do not overlap and stand in order.
template<class Record>
const Record* recordAt(const std::vector<Record>& records, std::uint64_t offset)
{
    const auto after = std::upper_bound(records.begin(), records.end(), offset,
                                        [](std::uint64_t at, const Record& r) { return at < r.bytes.begin; });
    return after == records.begin() || offset >= (after - 1)->bytes.end ? nullptr : &*(after - 1);
}

class XPlaneSliceSource final : public SliceSource
{
public:
    XPlaneSliceSource(std::shared_ptr<const SourceText> text, std::uint64_t textBytes, SpaceIndex index)
        : m_text(std::move(text)), m_textBytes(textBytes), m_index(std::move(index))
    {
        // Only the places are needed from here on.
        for (PlaneIndex& plane : m_index.planes) {
            plane.stats = {};
            plane.lines.shrink_to_fit();
            plane.eventMetadata.shrink_to_fit();
            plane.statMetadata.shrink_to_fit();
        }
    }

    std::optional<std::vector<SourceField>> fieldsOf(SourceRef ref) const override
    {
        const PlaneIndex* plane = recordAt(m_index.planes, ref.offset());
        const LineIndex* line = plane == nullptr ? nullptr : recordAt(plane->lines, ref.offset());
        const auto bytes = m_text->read(ref.offset(), ref.length());
        if (line == nullptr || !bytes) return std::nullopt;
        return Reading(*m_text, m_textBytes, *plane, *line).run(*bytes);
    }

    std::size_t memoryBytes() const override
    {
        std::size_t bytes = m_text->memoryBytes();
        for (const PlaneIndex& plane : m_index.planes) {
            bytes += plane.lines.capacity() * sizeof(LineIndex);
            bytes += (plane.eventMetadata.capacity() + plane.statMetadata.capacity()) * sizeof(MetadataRef);
        }
        return bytes;
    }

private:
    /// One look-up, with windows of its own, as several threads may ask.
    class Reading
    {
    public:
        Reading(const SourceText& text, std::uint64_t textBytes, const PlaneIndex& plane, const LineIndex& line)
            : m_file(text, textBytes, kWindowBytes), m_plane(plane), m_line(line)
        {
        }

        std::vector<SourceField> run(std::string_view bytes)
        {
            Wire wire(bytes);
            WireField field;
            std::int64_t id = 0;
            std::int64_t offsetPs = 0;
            std::int64_t durationPs = 0;
            while (!wire.atEnd() && readField(wire, field)) {
                if (field.isVarint(1)) id = field.signedNumber();
                else if (field.isVarint(2)) offsetPs = field.signedNumber();
                else if (field.isVarint(3)) durationPs = field.signedNumber();
                else if (field.isBytes(4)) addArgument(field.bytes);
            }
            addNames(id);
            m_fields.push_back({"plane", m_plane.name, false});
            m_fields.push_back({"line", m_line.name, false});
            m_fields.push_back({"timestamp_ns", std::to_string(m_line.timestampNs), false});
            m_fields.push_back({"offset_ps", std::to_string(offsetPs), false});
            m_fields.push_back({"duration_ps", std::to_string(durationPs), false});
            m_fields.insert(m_fields.end(), std::make_move_iterator(m_arguments.begin()),
                            std::make_move_iterator(m_arguments.end()));
            return std::move(m_fields);
        }

    private:
        static constexpr std::uint64_t kWindowBytes = 4096; ///< a few names, far from each other

        /// The event's own stats come first; those of its kind stand under them.
        void addArgument(std::string_view bytes)
        {
            const StatText stat = statText(bytes, [this](std::int64_t id) { return statName(id); });
            if (!m_seen.insert(stat.id).second) return;
            std::string name = statName(stat.id);
            if (name.empty()) name = "stat " + std::to_string(stat.id);
            m_arguments.push_back({std::move(name), stat.value, true});
        }

        void addNames(std::int64_t id)
        {
            std::string name;
            std::string displayName;
            const MetadataRef* ref = findMetadata(m_plane.eventMetadata, id);
            if (ref == nullptr) {
                m_fields.push_back({"name", "event " + std::to_string(id), false});
                return;
            }
            FieldWalk walk(m_file, ref->bytes);
            while (const auto field = walk.next()) {
                if (field->isBytes(2)) name = withReplacedBytes(textOf(m_file, field->bytes));
                else if (field->isBytes(4)) displayName = withReplacedBytes(textOf(m_file, field->bytes));
                else if (field->isBytes(5)) addArgument(textOf(m_file, field->bytes, kLongestStat));
            }
            const std::string label(labelOf(name, displayName));
            m_fields.push_back({"name", label, false});
            if (label != name && !name.empty()) m_fields.push_back({"full_name", name, false});
        }

        [[nodiscard]] std::string statName(std::int64_t id)
        {
            const MetadataRef* ref = findMetadata(m_plane.statMetadata, id);
            if (ref == nullptr) return {};
            FieldWalk walk(m_file, ref->bytes);
            while (const auto field = walk.next())
                if (field->isBytes(2)) return withReplacedBytes(textOf(m_file, field->bytes));
            return {};
        }

        WireFile m_file;
        const PlaneIndex& m_plane;
        const LineIndex& m_line;
        std::set<std::int64_t> m_seen;
        std::vector<SourceField> m_fields;
        std::vector<SourceField> m_arguments;
    };

    std::shared_ptr<const SourceText> m_text;
    std::uint64_t m_textBytes;
    SpaceIndex m_index;
};

} // namespace

std::shared_ptr<const SliceSource> xplaneSliceSource(std::shared_ptr<const SourceText> text, std::uint64_t textBytes,
                                                     SpaceIndex index)
{
    return std::make_shared<XPlaneSliceSource>(std::move(text), textBytes, std::move(index));
}

} // namespace stepscope::xplane
