// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/EventFields.h"

#include "core/StringPool.h"
#include "io/JsonText.h"

namespace stepscope::kineto
{

Token tokenOf(std::string_view raw)
{
    raw = json::trimmed(raw);
    if (raw.size() >= 2 && raw.front() == '"' && raw.back() == '"') return {raw.substr(1, raw.size() - 2), true, true};
    return {raw, false, true};
}

std::uint64_t idOf(const Token& token)
{
    if (const auto value = integerOf<std::uint64_t>(token.text)) return *value;
    if (const auto value = integerOf<std::int64_t>(token.text)) return static_cast<std::uint64_t>(*value);
    std::uint64_t hex = 0;
    std::string_view digits = token.text;
    if (digits.starts_with("0x")) digits.remove_prefix(2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), hex, 16);
    if (error == std::errc() && end == digits.data() + digits.size()) return hex;
    return hashText(token.text);
}

} // namespace stepscope::kineto
