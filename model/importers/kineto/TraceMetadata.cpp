// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/TraceMetadata.h"

#include "core/FileName.h"
#include "io/JsonText.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <simdjson.h>

namespace stepscope::kineto
{

namespace
{

namespace dom = simdjson::dom;

std::optional<std::int64_t> integerOf(const dom::element& element)
{
    std::int64_t value = 0;
    if (element.get_int64().get(value) == simdjson::SUCCESS) return value;
    std::string_view text;
    if (element.get_string().get(text) != simdjson::SUCCESS) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

void readDistributed(const dom::element& element, TraceMetadata& result)
{
    dom::object object;
    if (element.get_object().get(object) != simdjson::SUCCESS) return;
    for (const auto& [key, value] : object) {
        if (key == "rank") result.rank = integerOf(value);
        if (key == "world_size") result.worldSize = integerOf(value);
    }
}

void readDevices(const dom::element& element, TraceMetadata& result)
{
    dom::array devices;
    if (element.get_array().get(devices) != simdjson::SUCCESS) return;
    for (const dom::element device : devices) {
        std::string_view name;
        dom::element id;
        if (device["id"].get(id) != simdjson::SUCCESS || device["name"].get_string().get(name) != simdjson::SUCCESS)
            continue;
        if (const auto number = integerOf(id)) result.deviceModels.emplace_back(*number, name);
    }
}

bool readAll(std::string_view document, TraceMetadata& result)
{
    dom::parser parser;
    dom::element root;
    dom::object object;
    if (parser.parse(document.data(), document.size()).get(root) != simdjson::SUCCESS ||
        root.get_object().get(object) != simdjson::SUCCESS)
        return false;
    for (const auto& [key, value] : object) {
        if (key == "traceEvents") {
            dom::array more;
            if (value.get_array().get(more) == simdjson::SUCCESS) result.otherEvents += more.size();
            continue;
        }
        result.values.emplace_back(key, simdjson::minify(value));
        if (key == "schemaVersion" || key == "deviceProperties" || key == "traceName") result.fromKineto = true;
        if (key == "baseTimeNanoseconds") result.baseTimeNs = integerOf(value);
        if (key == "distributedInfo") readDistributed(value, result);
        if (key == "deviceProperties") readDevices(value, result);
        std::string_view text;
        if (key == "host_name" && value.get_string().get(text) == simdjson::SUCCESS) result.hostName = text;
    }
    return true;
}

} // namespace

TraceMetadata readMetadata(std::string_view document)
{
    TraceMetadata result;
    if (readAll(document, result)) return result;
    result = {};
    if (readAll(json::repaired(document), result)) return result;
    result = {};
    result.broken = true;
    return result;
}

std::optional<std::int64_t> rankFromFileName(std::string_view path)
{
    std::string name = baseName(path);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    for (std::size_t at = name.find("rank"); at != std::string::npos; at = name.find("rank", at + 1)) {
        if (at > 0 && std::isalnum(static_cast<unsigned char>(name[at - 1])) != 0) continue;
        std::size_t digits = at + 4;
        while (digits < name.size() && (name[digits] == '-' || name[digits] == '_' || name[digits] == '.')) ++digits;
        std::int64_t rank = 0;
        const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), rank);
        if (error == std::errc()) return rank;
    }
    return std::nullopt;
}

std::pair<std::string, std::string> hostAndPidFromFileName(std::string_view path)
{
    const std::string fileName = baseName(path);
    std::string_view name = fileName;
    const std::size_t ending = name.find(".pt.trace.json");
    if (ending == std::string_view::npos) return {};
    name = name.substr(0, ending);
    const auto isNumber = [](std::string_view text) {
        return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    };
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || !isNumber(name.substr(dot + 1))) return {};
    name = name.substr(0, dot);
    const std::size_t line = name.rfind('_');
    if (line == std::string_view::npos || line == 0 || !isNumber(name.substr(line + 1))) return {};
    return {std::string(name.substr(0, line)), std::string(name.substr(line + 1))};
}

} // namespace stepscope::kineto
