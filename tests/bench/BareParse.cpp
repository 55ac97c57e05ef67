// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/BareParse.h"

#include <fstream>
#include <simdjson.h>

namespace stepscope
{

std::uint64_t bareSimdjsonPass(const std::string& paddedText, std::size_t size)
{
    namespace od = simdjson::ondemand;
    od::parser parser;
    od::document document;
    od::array events;
    if (parser.iterate(paddedText.data(), size, paddedText.size()).get(document) != simdjson::SUCCESS) return 0;
    if (document["traceEvents"].get_array().get(events) != simdjson::SUCCESS) return 0;
    std::uint64_t keys = 0;
    for (auto element : events) {
        od::object event;
        if (element.get_object().get(event) != simdjson::SUCCESS) return 0;
        for (auto field : event) {
            od::raw_json_string key;
            if (field.key().get(key) != simdjson::SUCCESS) return 0;
            ++keys;
        }
    }
    return keys;
}

std::string readPadded(const std::string& path, std::size_t& size)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return {};
    size = static_cast<std::size_t>(file.tellg());
    std::string text(size + simdjson::SIMDJSON_PADDING, ' ');
    file.seekg(0);
    file.read(text.data(), static_cast<std::streamsize>(size));
    return text;
}

} // namespace stepscope
