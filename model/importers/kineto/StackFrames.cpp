// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/StackFrames.h"

#include "core/DecimalTime.h"

#include <simdjson.h>

namespace stepscope::kineto
{

namespace
{

namespace dom = simdjson::dom;

/// A text or a number as text; "" for anything else.
std::string scalarText(const dom::object& object, std::string_view key)
{
    dom::element value;
    if (object[key].get(value) != simdjson::SUCCESS) return {};
    std::string_view text;
    if (value.get_string().get(text) == simdjson::SUCCESS) return std::string(text);
    return value.is_number() ? simdjson::minify(value) : std::string();
}

} // namespace

StackFrames::StackFrames(std::string_view json)
{
    if (json.empty()) return; // simdjson copies even nothing, from nowhere
    dom::parser parser;
    dom::object frames;
    if (parser.parse(json.data(), json.size()).get_object().get(frames) != simdjson::SUCCESS) return;
    for (const auto& [id, value] : frames) {
        dom::object frame;
        if (value.get_object().get(frame) != simdjson::SUCCESS) continue;
        m_frames.try_emplace(std::string(id), Frame{scalarText(frame, "name"), scalarText(frame, "parent")});
    }
}

std::vector<std::string_view> StackFrames::chain(std::string_view id) const
{
    std::vector<std::string_view> names;
    for (auto frame = m_frames.find(id); frame != m_frames.end() && names.size() < m_frames.size();
         frame = m_frames.find(frame->second.parent))
        names.push_back(frame->second.name);
    return names;
}

std::size_t StackFrames::memoryBytes() const
{
    std::size_t bytes = 0;
    for (const auto& [id, frame] : m_frames)
        bytes += sizeof(Frame) + id.size() + frame.name.size() + frame.parent.size();
    return bytes;
}

std::vector<StackSample> readSamples(std::string_view json, std::uint64_t& broken)
{
    std::vector<StackSample> samples;
    if (json.empty()) return samples;
    dom::parser parser;
    dom::array list;
    if (parser.parse(json.data(), json.size()).get_array().get(list) != simdjson::SUCCESS) return samples;
    for (const dom::element element : list) {
        dom::object object;
        const bool isObject = element.get_object().get(object) == simdjson::SUCCESS;
        const auto timeNs = isObject ? nsFromMicroseconds(scalarText(object, "ts")) : std::nullopt;
        if (!timeNs) {
            ++broken;
            continue;
        }
        samples.push_back({*timeNs, scalarText(object, "pid"), scalarText(object, "tid"), scalarText(object, "name"),
                           scalarText(object, "sf")});
    }
    return samples;
}

} // namespace stepscope::kineto
