// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/Text.h"

#include "core/Format.h"

namespace stepscope
{

namespace
{

constexpr std::string_view kNameless = "(anonymous namespace)::";

/// Where the argument list of a demangled function begins, or npos. `operator()` and lambdas keep their brackets.
std::size_t findArguments(std::string_view name, std::size_t from)
{
    const std::size_t angle = name.find('<', from);
    const std::size_t round = name.find('(', from);
    return std::min(angle, round);
}

std::string_view shortFunction(std::string_view name)
{
    if (name.starts_with("void ")) name.remove_prefix(5);
    std::size_t from = 0;
    for (std::size_t place = name.find(kNameless); place != std::string_view::npos;
         place = name.find(kNameless, from)) {
        if (findArguments(name, from) < place) break;
        from = place + kNameless.size();
    }
    const std::string_view head = name.substr(0, findArguments(name, from));
    const std::size_t scope = head.rfind("::");
    const std::string_view last = scope == std::string_view::npos ? head : head.substr(scope + 2);
    return last.empty() ? name : last;
}

} // namespace

QString counted(std::uint64_t count, const QString& one, const QString& many)
{
    return count == 1 ? one : many.arg(toQString(formatCount(count)));
}

std::string_view shortName(std::string_view name)
{
    const std::size_t source = name.find(".py(");
    if (source != std::string_view::npos) {
        const std::size_t folder = name.rfind('/', source);
        return folder == std::string_view::npos ? name : name.substr(folder + 1);
    }
    const bool demangled = name.starts_with("void ") || name.find("::") < name.find('<') ||
                           (name.find('<') != std::string_view::npos && name.ends_with(')'));
    // All of PyTorch's operators have this prefix; it tells nothing apart.
    if (name.starts_with("aten::")) return name.substr(6);
    if (!demangled || name.find_first_of("<(") == std::string_view::npos) return name;
    return shortFunction(name);
}

} // namespace stepscope
