// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/StatText.h"

#include "core/Utf8.h"

#include "importers/xplane/xplane.pb.h"

#include <array>
#include <charconv>
#include <google/protobuf/arena.h>

namespace stepscope::xplane
{

namespace
{

/// The shortest text that is read as the same number.
std::string doubleText(double value)
{
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::string(text.data(), end) : std::string();
}

} // namespace

StatText statText(std::string_view bytes, const StatNames& names)
{
    google::protobuf::Arena arena;
    auto& stat = *google::protobuf::Arena::CreateMessage<pb::XStat>(&arena);
    StatText text;
    if (bytes.size() > INT32_MAX || !stat.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return text;
    text.id = stat.metadata_id();
    const auto setNumber = [&](std::string value) {
        text.value = std::move(value);
        text.isNumber = true;
    };
    switch (stat.value_case()) {
    case pb::XStat::kDoubleValue:
        setNumber(doubleText(stat.double_value()));
        break;
    case pb::XStat::kUint64Value:
        setNumber(std::to_string(stat.uint64_value()));
        break;
    case pb::XStat::kInt64Value:
        setNumber(std::to_string(stat.int64_value()));
        break;
    case pb::XStat::kStrValue:
        text.value = withReplacedBytes(stat.str_value());
        break;
    case pb::XStat::kRefValue:
        text.value = names(static_cast<std::int64_t>(stat.ref_value()));
        break;
    case pb::XStat::kBytesValue:
        text.value = std::to_string(stat.bytes_value().size()) + " bytes";
        break;
    case pb::XStat::kPackedStrValue:
        text.value = "packed text of " + std::to_string(stat.packed_str_value().size()) + " bytes";
        break;
    case pb::XStat::VALUE_NOT_SET:
        break;
    }
    return text;
}

} // namespace stepscope::xplane
