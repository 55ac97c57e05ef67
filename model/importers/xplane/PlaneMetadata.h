// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/StringPool.h"
#include "importers/xplane/Names.h"
#include "importers/xplane/SpaceIndex.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stepscope::xplane
{

/// From an id of the file to a place in a vector. Ids are small numbers as a rule, and hashes at times.
class IdMap
{
public:
    static constexpr std::uint32_t kMissing = 0xffffffffu;

    void reserveFor(std::size_t count) { m_denseLimit = static_cast<std::int64_t>(count) * 4 + 1024; }
    void set(std::int64_t id, std::uint32_t place);
    [[nodiscard]] std::uint32_t find(std::int64_t id) const
    {
        if (static_cast<std::uint64_t>(id) < m_dense.size()) return m_dense[static_cast<std::size_t>(id)];
        if (m_sparse.empty()) return kMissing;
        const auto known = m_sparse.find(id);
        return known == m_sparse.end() ? kMissing : known->second;
    }

private:
    std::int64_t m_denseLimit = 1024;
    std::vector<std::uint32_t> m_dense;
    std::unordered_map<std::int64_t, std::uint32_t> m_sparse;
};

/// What is the same for all events of a kind.
struct EventInfo {
    StringId label;                           ///< the display name, else the name
    SliceKind onHost = SliceKind::Annotation; ///< as the name tells
    SliceKind onDevice = SliceKind::Kernel;   ///< as the name tells
    bool memoryEvent = false;                 ///< of an allocator
    std::uint32_t stats = 0;                  ///< roles of its constant stats, as EventFields::present
};

/// The texts and kinds of one plane. Ids are local to their plane.
class PlaneMetadata
{
public:
    PlaneMetadata(WireFile& file, const PlaneIndex& plane, StringPool& strings, const LoadProgress& progress);

    /// What is known of an event's kind; unknown ones are named by their id and counted.
    [[nodiscard]] const EventInfo& event(std::int64_t id)
    {
        const std::uint32_t place = m_eventPlaces.find(id);
        return place != IdMap::kMissing ? m_events[place] : unknownEvent(id);
    }
    [[nodiscard]] StatRole roleOfStat(std::int64_t id) const
    {
        const std::uint32_t place = m_statPlaces.find(id);
        return place == IdMap::kMissing ? StatRole::None : m_stats[place].role;
    }
    /// "" where the plane does not explain the id.
    [[nodiscard]] std::string_view statName(std::int64_t id) const
    {
        const std::uint32_t place = m_statPlaces.find(id);
        return place == IdMap::kMissing ? std::string_view() : m_stats[place].name;
    }
    [[nodiscard]] std::uint64_t mendedTexts() const { return m_mendedTexts; }
    [[nodiscard]] std::uint64_t unknownEvents() const { return m_unknownEvents; }

private:
    struct StatInfo {
        std::string name;
        StatRole role = StatRole::None;
    };

    void addStat(const MetadataRef& ref);
    void addEvent(const MetadataRef& ref);
    std::uint32_t rolesOf(ByteRange stat);
    const EventInfo& unknownEvent(std::int64_t id);
    std::string text(ByteRange bytes);

    WireFile& m_file;
    StringPool& m_strings;
    std::vector<EventInfo> m_events;
    std::vector<StatInfo> m_stats;
    IdMap m_eventPlaces;
    IdMap m_statPlaces;
    std::uint64_t m_mendedTexts = 0;
    std::uint64_t m_unknownEvents = 0;
    EventInfo m_unknown;
};

/// The label of a metadata's names, without the arguments that some writers leave in it ("name#key=value#").
[[nodiscard]] std::string_view labelOf(std::string_view name, std::string_view displayName);

} // namespace stepscope::xplane
