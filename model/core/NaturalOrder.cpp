// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/NaturalOrder.h"

#include <algorithm>
#include <cstddef>

namespace stepscope
{

namespace
{

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Takes the digits at the front, without leading zeros.
std::string_view takeNumber(std::string_view& text)
{
    std::size_t length = 0;
    while (length < text.size() && isDigit(text[length])) ++length;
    std::string_view number = text.substr(0, length);
    text.remove_prefix(length);
    while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
    return number;
}

} // namespace

bool naturalLess(std::string_view a, std::string_view b)
{
    const std::string_view wholeA = a;
    const std::string_view wholeB = b;
    while (!a.empty() && !b.empty()) {
        if (isDigit(a.front()) && isDigit(b.front())) {
            const std::string_view numberA = takeNumber(a);
            const std::string_view numberB = takeNumber(b);
            if (numberA.size() != numberB.size()) return numberA.size() < numberB.size();
            if (numberA != numberB) return numberA < numberB;
            continue;
        }
        if (a.front() != b.front()) return a.front() < b.front();
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    if (a.empty() != b.empty()) return a.empty();
    return wholeA < wholeB;
}

} // namespace stepscope
