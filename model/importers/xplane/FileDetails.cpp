// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/FileDetails.h"

#include "core/Utf8.h"
#include "importers/xplane/Names.h"
#include "importers/xplane/StatText.h"

#include <array>
#include <charconv>

namespace stepscope::xplane
{

namespace
{

constexpr std::uint64_t kLongestStat = 64 * 1024;
constexpr std::size_t kMostModules = 1000;

std::string jsonText(std::string_view text)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') result.append(1, '\\').append(1, c);
        else if (code < 0x20) result.append("\\u00").append(1, kHex[code >> 4]).append(1, kHex[code & 15]);
        else result.append(1, c);
    }
    return result + '"';
}

std::string jsonList(const std::vector<std::string>& texts)
{
    std::string result = "[";
    for (const std::string& text : texts) result += (result.size() == 1 ? "" : ", ") + jsonText(text);
    return result + "]";
}

class DetailReader
{
public:
    DetailReader(WireFile& file, const SpaceIndex& index, const LoadProgress& progress)
        : m_file(file), m_index(index), m_progress(progress)
    {
    }

    FileDetails run()
    {
        addList("hostnames", m_index.hostNames);
        addList("errors", m_index.errors);
        addList("warnings", m_index.warnings);
        for (const PlaneIndex& plane : m_index.planes) {
            if (m_progress.cancelled()) break;
            const PlaneRole role = placeOfPlane(plane.name).role;
            if (role == PlaneRole::HloModules) modules(plane);
            else if (role == PlaneRole::Environment) environment(plane);
            else if (role != PlaneRole::Host) properties(plane);
        }
        return std::move(m_details);
    }

private:
    void addList(std::string key, const std::vector<std::string>& texts)
    {
        if (!texts.empty()) m_details.metadata.emplace_back(std::move(key), jsonList(texts));
    }

    [[nodiscard]] std::string nameOf(const std::vector<MetadataRef>& list, std::int64_t id)
    {
        const MetadataRef* ref = findMetadata(list, id);
        return ref == nullptr ? std::string() : nameOf(*ref);
    }
    [[nodiscard]] std::string nameOf(const MetadataRef& ref)
    {
        FieldWalk walk(m_file, ref.bytes);
        while (const auto field = walk.next())
            if (field->isBytes(2)) return withReplacedBytes(textOf(m_file, field->bytes));
        return {};
    }

    /// Names and values of the plane's own stats.
    [[nodiscard]] std::vector<std::pair<std::string, StatText>> statsOf(const PlaneIndex& plane)
    {
        std::vector<std::pair<std::string, StatText>> stats;
        for (const ByteRange range : plane.stats) {
            if (range.size() > kLongestStat) continue;
            StatText stat = statText(textOf(m_file, range, kLongestStat),
                                     [&](std::int64_t id) { return nameOf(plane.statMetadata, id); });
            std::string name = nameOf(plane.statMetadata, stat.id);
            if (!name.empty()) stats.emplace_back(std::move(name), std::move(stat));
        }
        return stats;
    }

    /// Only what is known to be harmless: other stats here are the user's options and may hold secrets.
    void environment(const PlaneIndex& plane)
    {
        constexpr std::int64_t kYear2096 = 4'000'000'000'000'000'000;
        for (const auto& [name, stat] : statsOf(plane)) {
            if (name != "profile_start_time" && name != "profile_stop_time") continue;
            m_details.metadata.emplace_back(name, stat.isNumber ? stat.value : jsonText(stat.value));
            std::int64_t ns = 0;
            const auto [end, error] = std::from_chars(stat.value.data(), stat.value.data() + stat.value.size(), ns);
            const bool number = error == std::errc() && end == stat.value.data() + stat.value.size();
            if (name == "profile_start_time" && number && ns > 0 && ns < kYear2096) m_details.startUnixNs = ns;
        }
    }

    void properties(const PlaneIndex& plane)
    {
        std::string object;
        for (const auto& [name, stat] : statsOf(plane)) {
            if (name == "dropped_traces") {
                std::uint64_t count = 0;
                std::from_chars(stat.value.data(), stat.value.data() + stat.value.size(), count);
                m_details.droppedTraces += count;
            }
            object += (object.empty() ? "{" : ", ") + jsonText(name) + ": " +
                      (stat.isNumber && stat.value.find_first_of("in") == std::string::npos ? stat.value
                                                                                            : jsonText(stat.value));
        }
        if (!object.empty()) m_details.metadata.emplace_back(plane.name, object + "}");
    }

    void modules(const PlaneIndex& plane)
    {
        std::vector<std::string> names;
        for (const MetadataRef& ref : plane.eventMetadata) {
            if (names.size() == kMostModules || m_progress.cancelled()) break;
            if (std::string name = nameOf(ref); !name.empty()) names.push_back(std::move(name));
        }
        addList("hlo_modules", names);
    }

    WireFile& m_file;
    const SpaceIndex& m_index;
    const LoadProgress& m_progress;
    FileDetails m_details;
};

} // namespace

FileDetails readDetails(WireFile& file, const SpaceIndex& index, const LoadProgress& progress)
{
    return DetailReader(file, index, progress).run();
}

std::string hostFromFileName(std::string_view path)
{
    path.remove_prefix(path.find_last_of('/') + 1);
    for (const std::string_view ending : {".gz", ".zst", ".pb", ".xplane"})
        if (path.ends_with(ending)) path.remove_suffix(ending.size());
    return std::string(path);
}

} // namespace stepscope::xplane
