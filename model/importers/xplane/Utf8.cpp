// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/Utf8.h"

#include <algorithm>
#include <cstddef>

namespace stepscope::xplane
{

namespace
{

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Length of the valid sequence at `at`, 0 if there is none. Overlong forms, surrogates and what lies beyond U+10FFFF
/// are not valid (Unicode, table 3-7).
std::size_t sequenceLength(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[at + index]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return 0;
    for (std::size_t index = 1; index < length; ++index)
        if (byte(index) < 0x80 || byte(index) > 0xBF) return 0;
    const unsigned char second = byte(1);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool beyond = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
    return overlong || beyond ? 0 : length;
}

} // namespace

bool isUtf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequenceLength(text, at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

std::string mendedUtf8(std::string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequenceLength(text, at);
        result.append(length == 0 ? kReplacement : text.substr(at, length));
        at += std::max<std::size_t>(length, 1);
    }
    return result;
}

bool wasDamagedAsText(std::string_view head)
{
    constexpr std::size_t kMany = 4;
    std::size_t count = 0;
    for (std::size_t at = head.find(kReplacement); at != std::string_view::npos; at = head.find(kReplacement, at + 3))
        ++count;
    if (count < kMany) return false;
    // The head may end inside of a sequence.
    for (std::size_t cut = 0; cut < 4 && cut < head.size(); ++cut)
        if (isUtf8(head.substr(0, head.size() - cut))) return true;
    return false;
}

} // namespace stepscope::xplane
