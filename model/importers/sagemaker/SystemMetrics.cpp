// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/sagemaker/SystemMetrics.h"

#include "core/DecimalTime.h"
#include "io/JsonText.h"

#include <charconv>

namespace stepscope::sagemaker
{

namespace
{

std::string_view unquoted(std::string_view value)
{
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') return value.substr(1, value.size() - 2);
    return value;
}

std::string_view trailingDigits(std::string_view name)
{
    const std::size_t last = name.find_last_not_of("0123456789");
    return last == std::string_view::npos ? name : name.substr(last + 1);
}

/// Where a sample belongs, in the builder's words, and what its counter is called.
struct Place {
    std::string pid;
    std::string name;
};

Place placeOf(std::string_view type, std::string_view name, const std::string& dimension)
{
    if (type == "cpu" && !trailingDigits(name).empty()) return {"CPU " + std::string(trailingDigits(name)), dimension};
    if (type == "gpu") return {std::string(kDevicePidPrefix).append(trailingDigits(name)), dimension};
    std::string label(type);
    if (!name.empty() && name != type) label.append(" ").append(name);
    return {{}, label.append(" ").append(dimension)};
}

std::string_view unitOf(std::string_view dimension)
{
    if (dimension.find("BytesPerSecond") != std::string_view::npos) return "bytes/s";
    if (dimension.find("tilization") != std::string_view::npos || dimension.find("ercent") != std::string_view::npos)
        return "%";
    return dimension.find("Bytes") != std::string_view::npos ? "bytes" : "";
}

} // namespace

bool SystemMetrics::addLine(std::string_view line, const FileOfNode& fileOf)
{
    if (!json::valueLength(line)) return false;
    std::string type, name, dimension, node;
    std::optional<std::int64_t> timeNs;
    std::optional<double> value;
    for (const json::Field& field : json::fieldsOf(line)) {
        const std::string_view text = unquoted(field.value);
        if (field.key == "Type") type = json::unescaped(text);
        else if (field.key == "Name") name = json::unescaped(text);
        else if (field.key == "Dimension") dimension = json::unescaped(text);
        else if (field.key == "NodeId") node = json::unescaped(text);
        else if (field.key == "Timestamp") timeNs = nsFromSeconds(text);
        else if (field.key == "Value") {
            double number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (error == std::errc() && end == text.data() + text.size() && number - number == 0) value = number;
        }
    }
    if (!timeNs || !value || dimension.empty()) return false;
    const Place place = placeOf(type, name, dimension);
    const std::uint32_t counter = m_builder.counter(fileOf(node), place.pid, place.name, {});
    m_builder.setCounterUnit(counter, unitOf(dimension));
    m_builder.addSample(counter, *timeNs, *value);
    return true;
}

bool SystemMetrics::add(std::string_view text, const std::string& place, const FileOfNode& fileOf,
                        LoadProgress& progress)
{
    std::size_t at = 0;
    while (at < text.size()) {
        if (progress.cancelled()) return false;
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = json::trimmed(text.substr(at, end - at));
        if (!line.empty() && !addLine(line, fileOf))
            m_builder.diagnostics().add(DiagnosticCode::BrokenRecord, 1, place + ", byte " + std::to_string(at));
        at = end + 1;
    }
    return true;
}

} // namespace stepscope::sagemaker
