// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/Sniff.h"

#include "core/Utf8.h"
#include "importers/xplane/Names.h"
#include "importers/xplane/TextDamage.h"
#include "importers/xplane/WireReader.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace stepscope::xplane
{

namespace
{

bool isPrintable(std::string_view name)
{
    return !name.empty() && isUtf8(name) &&
           std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

/// The fields before the plane's contents are its id and its name, in this order where both are written.
Confidence sniffPlane(Wire wire, bool whole)
{
    WireField field;
    std::string_view name;
    while (!wire.atEnd() && readField(wire, field)) {
        if (field.isBytes(2)) {
            name = field.bytes;
        } else if (field.id > 6 || (field.id == 1 ? field.type != WireType::Varint : field.type != WireType::Length)) {
            return Confidence::None;
        }
        if (field.id != 1) break;
    }
    if (isKnownPlaneName(name)) return Confidence::Sure;
    if (!isPrintable(name)) return Confidence::None;
    // An unknown name: all that is at hand must look like a plane.
    while (!wire.atEnd() && readField(wire, field))
        if (field.id > 6 || field.id < 3 || field.type != WireType::Length) return Confidence::None;
    return wire.atEnd() || !whole ? Confidence::Maybe : Confidence::None;
}

} // namespace

Confidence sniffSpace(std::string_view head)
{
    if (wasDamagedAsText(head)) {
        const std::string_view beginning = head.substr(0, 256);
        const bool plane =
            beginning.find("/device:") != std::string_view::npos || beginning.find("/host:") != std::string_view::npos;
        return head.starts_with('\n') && plane ? Confidence::Sure : Confidence::None;
    }
    constexpr std::uint64_t kMostNotices = 100; ///< errors, warnings and host names before the first plane
    Wire wire(head);
    for (std::uint64_t notice = 0; notice < kMostNotices && !wire.atEnd(); ++notice) {
        std::uint64_t tag = 0;
        std::uint64_t length = 0;
        if (!readVarint(wire, tag) || (tag & 7) != 2 || tag >> 3 < 1 || tag >> 3 > 4 || !readVarint(wire, length))
            return Confidence::None;
        const bool whole = length <= wire.left();
        const char* const end = wire.at + std::min<std::uint64_t>(length, wire.left());
        if (tag >> 3 == 1) return sniffPlane(Wire(wire.at, end), whole);
        if (!whole || !isUtf8({wire.at, static_cast<std::size_t>(end - wire.at)})) return Confidence::None;
        wire.at = end;
    }
    return Confidence::None;
}

std::string_view summaryName(std::string_view fileName)
{
    constexpr std::array<std::string_view, 6> kSummaries = {"input_pipeline",   "kernel_stats",   "overview_page",
                                                            "tensorflow_stats", "memory_profile", "op_stats"};
    if (!fileName.ends_with(".pb")) return {};
    fileName.remove_suffix(3);
    const auto known = std::find_if(kSummaries.begin(), kSummaries.end(), [&](std::string_view summary) {
        return fileName.ends_with(summary) &&
               (fileName.size() == summary.size() || fileName[fileName.size() - summary.size() - 1] == '.');
    });
    return known == kSummaries.end() ? std::string_view() : *known;
}

} // namespace stepscope::xplane
