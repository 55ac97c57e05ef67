// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/JsonText.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace stepscope::json
{

namespace
{

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

constexpr bool isHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::size_t skipSpace(std::string_view text, std::size_t at)
{
    while (at < text.size() && isSpace(text[at])) ++at;
    return at;
}

/// Length of the valid UTF-8 sequence at the front, 0 if there is none.
std::size_t utf8Length(std::string_view text)
{
    const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t index = 1; index < length; ++index)
        if ((byte(index) & 0xC0) != 0x80) return 0;
    const unsigned char second = byte(1);
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second > 0x9F;
    const bool beyond = first == 0xF4 && second > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

std::optional<std::uint32_t> hex4(std::string_view text)
{
    if (text.size() < 4 || !std::all_of(text.begin(), text.begin() + 4, isHex)) return std::nullopt;
    std::uint32_t value = 0;
    std::from_chars(text.data(), text.data() + 4, value, 16);
    return value;
}

void appendUtf8(std::string& out, std::uint32_t code)
{
    const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6);
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

/// The escape at the front of `text` ("\n", "\u00e9", a surrogate pair): appends its character, returns its length;
/// 0 if it is none.
std::size_t takeEscape(std::string_view text, std::string& out)
{
    if (text.size() < 2) return 0;
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
    if (const std::size_t known = kNames.find(text[1]); known != std::string_view::npos) {
        out.push_back(kValues[known]);
        return 2;
    }
    const auto high = text[1] == 'u' ? hex4(text.substr(2)) : std::nullopt;
    if (!high) return 0;
    if (*high >= 0xD800 && *high < 0xDC00 && text.substr(6).starts_with("\\u")) {
        const auto low = hex4(text.substr(8));
        if (low && *low >= 0xDC00 && *low < 0xE000) {
            appendUtf8(out, 0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00));
            return 12;
        }
    }
    if (*high >= 0xD800 && *high < 0xE000) out.append(kReplacement);
    else appendUtf8(out, *high);
    return 6;
}

/// Copies one string (with quotes) to `out`, mended; returns the place after it.
std::size_t repairString(std::string_view text, std::size_t at, std::string& out)
{
    out.push_back('"');
    ++at;
    while (at < text.size() && text[at] != '"') {
        const char c = text[at];
        if (c == '\\') {
            std::string ignored;
            const std::size_t length = takeEscape(text.substr(at), ignored);
            if (length == 0) out.append("\\\\");
            else out.append(text.substr(at, length));
            at += length == 0 ? 1 : length;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            out.append("\\u00").push_back(kDigits[static_cast<std::size_t>(c) >> 4]);
            out.push_back(kDigits[static_cast<std::size_t>(c) & 15]);
            ++at;
        } else {
            const std::size_t length = utf8Length(text.substr(at));
            out.append(length == 0 ? kReplacement : text.substr(at, length));
            at += length == 0 ? 1 : length;
        }
    }
    out.push_back('"');
    return std::min(at + 1, text.size());
}

constexpr bool isWordEnd(char c) { return c == ',' || c == '}' || c == ']' || c == ':' || c == '"' || isSpace(c); }

bool isJsonScalar(std::string_view word)
{
    if (word == "true" || word == "false" || word == "null") return true;
    std::size_t at = word.starts_with('-') ? 1 : 0;
    if (at >= word.size() || word[at] < '0' || word[at] > '9') return false;
    return word.find_first_not_of("0123456789+-.eE", at) == std::string_view::npos;
}

} // namespace

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
    return text;
}

std::optional<std::size_t> valueLength(std::string_view text)
{
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        switch (text[at]) {
        case '{':
        case '[':
            ++depth;
            break;
        case '}':
        case ']':
            if (depth <= 1) return at + 1;
            --depth;
            break;
        case '"':
            for (++at; at < text.size() && text[at] != '"'; ++at)
                if (text[at] == '\\') ++at;
            break;
        default:
            break;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> lastEventBorder(std::string_view text)
{
    std::size_t open = text.size();
    while (open > 0) {
        open = text.rfind('{', open - 1);
        if (open == std::string_view::npos || open == 0) return std::nullopt;
        std::size_t at = open;
        while (at > 0 && isSpace(text[at - 1])) --at;
        if (at == 0 || text[at - 1] != ',') continue;
        const std::size_t comma = at - 1;
        at = comma;
        while (at > 0 && isSpace(text[at - 1])) --at;
        if (at > 0 && text[at - 1] == '}') return comma;
    }
    return std::nullopt;
}

std::optional<std::size_t> nextEventStart(std::string_view text, std::size_t from)
{
    constexpr std::array<std::string_view, 9> kKeys = {"ph", "cat", "name", "pid", "tid", "ts", "dur", "id", "args"};
    for (std::size_t open = text.find('{', from); open != std::string_view::npos; open = text.find('{', open + 1)) {
        std::size_t before = open;
        while (before > 0 && isSpace(text[before - 1])) --before;
        const char previous = before == 0 ? ',' : text[before - 1];
        if (previous != ',' && previous != '}') continue;
        const std::size_t quote = skipSpace(text, open + 1);
        if (quote >= text.size() || text[quote] != '"') continue;
        const std::string_view rest = text.substr(quote + 1);
        for (const std::string_view key : kKeys)
            if (rest.starts_with(key) && rest.substr(key.size()).starts_with('"')) return open;
    }
    return std::nullopt;
}

std::string repaired(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + 64);
    const auto lastSign = [&] {
        for (auto place = out.rbegin(); place != out.rend(); ++place)
            if (!isSpace(*place)) return *place;
        return '\0';
    };
    const auto dropComma = [&] {
        while (!out.empty() && isSpace(out.back())) out.pop_back();
        if (!out.empty() && out.back() == ',') out.pop_back();
    };
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '"') {
            at = repairString(text, at, out);
        } else if (isSpace(c) || c == '{' || c == '[' || c == ':') {
            out.push_back(c);
            ++at;
        } else if (c == ',' || c == '}' || c == ']') {
            const char last = lastSign();
            if (last == ':') out.append("null");
            if (c != ',') dropComma();
            const bool stray = c == ',' && (last == ',' || last == '{' || last == '[');
            if (!stray) out.push_back(c);
            ++at;
        } else {
            std::size_t end = at;
            while (end < text.size() && !isWordEnd(text[end])) ++end;
            const std::string_view word = text.substr(at, end - at);
            out.append(isJsonScalar(word) ? word : "null");
            at = end;
        }
    }
    return out;
}

std::string unescaped(std::string_view raw)
{
    std::string out;
    out.reserve(raw.size());
    for (std::size_t at = 0; at < raw.size();) {
        if (raw[at] != '\\') {
            out.push_back(raw[at++]);
            continue;
        }
        const std::size_t length = takeEscape(raw.substr(at), out);
        if (length == 0) out.push_back('\\');
        at += length == 0 ? 1 : length;
    }
    return out;
}

namespace
{

/// Length of the string at the front of `text` with its quotes; none if it does not end.
std::optional<std::size_t> stringLength(std::string_view text)
{
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] == '\\') ++at;
        else if (text[at] == '"') return at + 1;
    }
    return std::nullopt;
}

std::optional<std::size_t> anyLength(std::string_view text)
{
    if (text.empty()) return std::nullopt;
    if (text.front() == '"') return stringLength(text);
    if (text.front() == '{' || text.front() == '[') return valueLength(text);
    const std::size_t end = text.find_first_of(",}]");
    return end == std::string_view::npos ? text.size() : end;
}

} // namespace

std::vector<Field> fieldsOf(std::string_view text)
{
    std::vector<Field> fields;
    std::size_t at = skipSpace(text, 0);
    if (at >= text.size() || text[at] != '{') return fields;
    ++at;
    while (true) {
        while (at < text.size() && (isSpace(text[at]) || text[at] == ',')) ++at;
        if (at >= text.size() || text[at] != '"') return fields;
        const auto keyLength = stringLength(text.substr(at));
        if (!keyLength) return fields;
        const std::string_view rawKey = text.substr(at + 1, *keyLength - 2);
        at = skipSpace(text, at + *keyLength);
        if (at >= text.size() || text[at] != ':') return fields;
        at = skipSpace(text, at + 1);
        const auto length = anyLength(text.substr(at));
        if (!length) return fields;
        fields.push_back({unescaped(rawKey), rawKey, trimmed(text.substr(at, *length))});
        at += *length;
    }
}

} // namespace stepscope::json
