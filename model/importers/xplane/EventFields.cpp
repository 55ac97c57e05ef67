// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/EventFields.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace stepscope::xplane
{

namespace
{

constexpr unsigned char kMetadataId = 1 << 3; ///< tags of XEvent and XStat: number of the field and its wire type

/// What fits; 0 for what is no number.
std::uint64_t wholeNumber(double value)
{
    if (std::isnan(value)) return 0;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(value, -9e18, 9e18)));
}

void setNumber(EventFields& fields, StatRole role, std::uint64_t number, double real)
{
    fields.numbers[static_cast<std::size_t>(role)] = number;
    fields.reals[static_cast<std::size_t>(role)] = real;
    fields.present |= EventFields::bit(role);
}

/// Numbers may be written as text.
void setText(EventFields& fields, StatRole role, std::string_view text)
{
    if (role == StatRole::AllocatorName) fields.allocator = text;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool numeric = error == std::errc() && end == text.data() + text.size();
    const bool mark = role == StatRole::AllocatorName || role == StatRole::KernelDetails ||
                      role == StatRole::MemcpyDetails || role == StatRole::MemsetDetails ||
                      role == StatRole::Operation || role == StatRole::StepName;
    if (numeric || mark) setNumber(fields, role, static_cast<std::uint64_t>(number), static_cast<double>(number));
}

bool readValue(Wire wire, const PlaneMetadata& metadata, StatRole role, EventFields& fields)
{
    WireField field;
    while (!wire.atEnd()) {
        if (!readField(wire, field)) return false;
        switch (field.id) {
        case 2:
            if (field.type == WireType::Fixed64)
                setNumber(fields, role, wholeNumber(asDouble(field.number)), asDouble(field.number));
            break;
        case 3:
            if (field.type == WireType::Varint)
                setNumber(fields, role, field.number, static_cast<double>(field.number));
            break;
        case 4:
            if (field.type == WireType::Varint)
                setNumber(fields, role, field.number, static_cast<double>(field.signedNumber()));
            break;
        case 5:
        case 6:
            if (field.type == WireType::Length) setText(fields, role, field.bytes);
            break;
        case 7:
            if (field.type == WireType::Varint) setText(fields, role, metadata.statName(field.signedNumber()));
            break;
        default:
            break;
        }
    }
    return true;
}

bool readStat(std::string_view bytes, const PlaneMetadata& metadata, EventFields& fields)
{
    Wire wire(bytes);
    // As a rule the id stands first, and what does not matter is not read any further.
    if (wire.at != wire.end && static_cast<unsigned char>(*wire.at) == kMetadataId) {
        ++wire.at;
        std::uint64_t id = 0;
        if (!readVarint(wire, id)) return false;
        const StatRole role = metadata.roleOfStat(static_cast<std::int64_t>(id));
        return role == StatRole::None || readValue(wire, metadata, role, fields);
    }
    std::int64_t id = 0;
    WireField field;
    while (!wire.atEnd()) {
        if (!readField(wire, field)) return false;
        if (field.isVarint(1)) id = field.signedNumber();
    }
    const StatRole role = metadata.roleOfStat(id);
    return role == StatRole::None || readValue(Wire(bytes), metadata, role, fields);
}

} // namespace

bool readEvent(Wire wire, const PlaneMetadata& metadata, EventFields& fields)
{
    fields.metadataId = fields.offsetPs = fields.durationPs = 0;
    fields.aggregate = false;
    fields.present = 0;
    WireField field;
    while (!wire.atEnd()) {
        if (!readField(wire, field)) return false;
        if (field.isBytes(4)) {
            if (!readStat(field.bytes, metadata, fields)) return false;
        } else if (field.type == WireType::Varint) {
            if (field.id == 1) fields.metadataId = field.signedNumber();
            else if (field.id == 2) fields.offsetPs = field.signedNumber();
            else if (field.id == 3) fields.durationPs = field.signedNumber();
            // The last member of a "oneof" counts.
            if (field.id == 2 || field.id == 5) fields.aggregate = field.id == 5;
        }
    }
    return true;
}

} // namespace stepscope::xplane
