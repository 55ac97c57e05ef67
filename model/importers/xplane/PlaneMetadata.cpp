// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/PlaneMetadata.h"

#include "core/Utf8.h"

namespace stepscope::xplane
{

namespace
{

constexpr std::uint64_t kLongestText = 1u << 20;
/// Labels of ids that the plane does not explain are kept up to here; a broken file may have as many as events.
constexpr std::uint64_t kMostUnknownLabels = 10'000;

EventInfo infoOf(StringId label, std::string_view name)
{
    EventInfo info;
    info.label = label;
    info.onHost = kindOfHostName(name);
    info.onDevice = isCollectiveOperation(name) ? SliceKind::CommunicationKernel : kindOfDeviceName(name);
    info.memoryEvent = name == "MemoryAllocation" || name == "MemoryDeallocation";
    return info;
}

} // namespace

void IdMap::set(std::int64_t id, std::uint32_t place)
{
    if (id < 0 || id >= m_denseLimit) {
        m_sparse[id] = place;
        return;
    }
    if (m_dense.size() <= static_cast<std::size_t>(id)) m_dense.resize(static_cast<std::size_t>(id) + 1, kMissing);
    m_dense[static_cast<std::size_t>(id)] = place;
}

std::string_view labelOf(std::string_view name, std::string_view displayName)
{
    if (!displayName.empty()) return displayName;
    const std::size_t hash = name.find('#');
    const bool arguments = hash != std::string_view::npos && hash > 0 && hash + 1 < name.size() &&
                           name.ends_with('#') && name.find('=', hash) != std::string_view::npos;
    return arguments ? name.substr(0, hash) : name;
}

PlaneMetadata::PlaneMetadata(WireFile& file, const PlaneIndex& plane, StringPool& strings, const LoadProgress& progress)
    : m_file(file), m_strings(strings)
{
    m_statPlaces.reserveFor(plane.statMetadata.size());
    m_eventPlaces.reserveFor(plane.eventMetadata.size());
    for (const MetadataRef& ref : plane.statMetadata) {
        if (progress.cancelled()) return;
        addStat(ref);
    }
    for (const MetadataRef& ref : plane.eventMetadata) {
        if (progress.cancelled()) return;
        addEvent(ref);
    }
}

std::string PlaneMetadata::text(ByteRange bytes)
{
    std::string raw = textOf(m_file, bytes, kLongestText);
    if (isUtf8(raw)) return raw;
    ++m_mendedTexts;
    return withReplacedBytes(raw);
}

void PlaneMetadata::addStat(const MetadataRef& ref)
{
    StatInfo info;
    FieldWalk walk(m_file, ref.bytes);
    while (const auto field = walk.next())
        if (field->isBytes(2)) info.name = text(field->bytes);
    info.role = xplane::roleOfStat(info.name);
    m_statPlaces.set(ref.id, static_cast<std::uint32_t>(m_stats.size()));
    m_stats.push_back(std::move(info));
}

void PlaneMetadata::addEvent(const MetadataRef& ref)
{
    std::string name;
    std::string displayName;
    std::uint32_t stats = 0;
    FieldWalk walk(m_file, ref.bytes);
    while (const auto field = walk.next()) {
        if (field->isBytes(2)) name = text(field->bytes);
        else if (field->isBytes(4)) displayName = text(field->bytes);
        else if (field->isBytes(5)) stats |= rolesOf(field->bytes);
    }
    EventInfo info = infoOf(m_strings.intern(labelOf(name, displayName)), name.empty() ? displayName : name);
    info.stats = stats;
    m_eventPlaces.set(ref.id, static_cast<std::uint32_t>(m_events.size()));
    m_events.push_back(info);
}

std::uint32_t PlaneMetadata::rolesOf(ByteRange stat)
{
    std::int64_t id = 0;
    FieldWalk walk(m_file, stat);
    while (const auto field = walk.next())
        if (field->isVarint(1)) id = static_cast<std::int64_t>(field->number);
    return 1u << static_cast<unsigned>(roleOfStat(id));
}

const EventInfo& PlaneMetadata::unknownEvent(std::int64_t id)
{
    ++m_unknownEvents;
    const bool named = m_unknownEvents <= kMostUnknownLabels;
    m_unknown = infoOf(m_strings.intern(named ? "event " + std::to_string(id) : "event"), "event");
    return m_unknown;
}

} // namespace stepscope::xplane
