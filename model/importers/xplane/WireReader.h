// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

/// Checked reading of protobuf's wire format. Source: protobuf's own encoding page (protobuf.dev/programming-guides/
/// encoding). Written by hand because a parsed tree of all events costs several times the memory of the slices made of
/// them, and because the parser gives up a whole message for one broken record.
namespace stepscope::xplane
{

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };

/// What is left of a message.
struct Wire {
    const char* at = nullptr;
    const char* end = nullptr;

    explicit Wire(std::string_view bytes) : at(bytes.data()), end(bytes.data() + bytes.size()) {}
    Wire(const char* from, const char* to) : at(from), end(to) {}

    [[nodiscard]] bool atEnd() const { return at == end; }
    [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end - at); }
};

/// False at the end of the bytes and for numbers of more than ten bytes.
[[nodiscard]] inline bool readVarint(Wire& wire, std::uint64_t& value)
{
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (wire.at == wire.end) return false;
        const auto byte = static_cast<unsigned char>(*wire.at++);
        result |= static_cast<std::uint64_t>(byte & 0x7fu) << shift;
        if (byte < 0x80) {
            value = result;
            return true;
        }
    }
    return false;
}

[[nodiscard]] inline bool readFixed64(Wire& wire, std::uint64_t& value)
{
    if (wire.left() < 8) return false;
    value = 0;
    for (int byte = 7; byte >= 0; --byte) value = value << 8 | static_cast<unsigned char>(wire.at[byte]);
    wire.at += 8;
    return true;
}

[[nodiscard]] inline bool readBytes(Wire& wire, std::string_view& bytes)
{
    std::uint64_t length = 0;
    if (!readVarint(wire, length) || length > wire.left()) return false;
    bytes = {wire.at, static_cast<std::size_t>(length)};
    wire.at += length;
    return true;
}

/// One field of a message: `number` for scalars, `bytes` for texts and messages.
struct WireField {
    std::uint32_t id = 0;
    WireType type = WireType::Varint;
    std::uint64_t number = 0;
    std::string_view bytes;

    [[nodiscard]] bool isVarint(std::uint32_t wanted) const { return id == wanted && type == WireType::Varint; }
    [[nodiscard]] bool isBytes(std::uint32_t wanted) const { return id == wanted && type == WireType::Length; }
    [[nodiscard]] std::int64_t signedNumber() const { return static_cast<std::int64_t>(number); }
};

/// The next field of the message; false if what follows is none. Groups were never used by this format.
[[nodiscard]] inline bool readField(Wire& wire, WireField& field)
{
    std::uint64_t tag = 0;
    if (!readVarint(wire, tag) || tag < 8 || tag > 0xffffffffu) return false;
    field.id = static_cast<std::uint32_t>(tag >> 3);
    field.type = static_cast<WireType>(tag & 7);
    switch (field.type) {
    case WireType::Varint:
        return readVarint(wire, field.number);
    case WireType::Fixed64:
        return readFixed64(wire, field.number);
    case WireType::Length:
        return readBytes(wire, field.bytes);
    case WireType::Fixed32:
        if (wire.left() < 4) return false;
        wire.at += 4;
        return true;
    }
    return false;
}

[[nodiscard]] inline double asDouble(std::uint64_t bits)
{
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

} // namespace stepscope::xplane
