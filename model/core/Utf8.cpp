// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/Utf8.h"

#include <cstdint>
#include <cstring>

namespace stepscope
{

namespace
{

bool isContinuation(std::string_view text, std::size_t at)
{
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

/// Length of the valid sequence of several bytes at the front, 0 if there is none (RFC 3629, section 4).
std::size_t sequenceLength(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead >= 0xF0 && lead <= 0xF4  ? 4
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                                                             : 0;
    for (std::size_t at = 1; at < length; ++at)
        if (!isContinuation(text, at)) return 0;
    if (length < 3) return length;
    const auto second = static_cast<unsigned char>(text[1]);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool outside = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
    return overlong || outside ? 0 : length;
}

/// Length of the ASCII at the front.
std::size_t asciiLength(std::string_view text)
{
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + at, 8);
        if ((word & 0x8080808080808080u) != 0) break;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
    return at;
}

} // namespace

bool isUtf8(std::string_view text)
{
    for (text.remove_prefix(asciiLength(text)); !text.empty(); text.remove_prefix(asciiLength(text))) {
        const std::size_t length = sequenceLength(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string withReplacedBytes(std::string_view text)
{
    std::string valid;
    valid.reserve(text.size() + 8);
    while (!text.empty()) {
        std::size_t length = asciiLength(text);
        if (length == 0) length = sequenceLength(text);
        if (length == 0) valid += kReplacementCharacter;
        else valid.append(text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return valid;
}

} // namespace stepscope
