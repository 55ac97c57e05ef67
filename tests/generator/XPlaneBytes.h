// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace stepscope
{

/// Makes a protobuf message field by field. Its own, so that no importer is tested with what it is made of.
class XPlaneBytes
{
public:
    XPlaneBytes& number(int field, std::uint64_t value)
    {
        varint(static_cast<std::uint64_t>(field) << 3);
        varint(value);
        return *this;
    }
    XPlaneBytes& number(int field, std::int64_t value) { return number(field, static_cast<std::uint64_t>(value)); }
    XPlaneBytes& number(int field, int value) { return number(field, static_cast<std::int64_t>(value)); }
    XPlaneBytes& real(int field, double value)
    {
        varint(static_cast<std::uint64_t>(field) << 3 | 1);
        const auto bits = std::bit_cast<std::uint64_t>(value);
        for (unsigned shift = 0; shift < 64; shift += 8) m_bytes.push_back(static_cast<char>(bits >> shift & 0xff));
        return *this;
    }
    /// A text or a message.
    XPlaneBytes& bytes(int field, std::string_view value)
    {
        lengthOf(field, value.size());
        m_bytes.append(value);
        return *this;
    }
    XPlaneBytes& bytes(int field, const XPlaneBytes& message) { return bytes(field, message.m_bytes); }
    /// The head of a text or message whose contents follow in another way.
    XPlaneBytes& lengthOf(int field, std::uint64_t length)
    {
        varint(static_cast<std::uint64_t>(field) << 3 | 2);
        varint(length);
        return *this;
    }

    XPlaneBytes& append(const XPlaneBytes& fields)
    {
        m_bytes.append(fields.m_bytes);
        return *this;
    }

    [[nodiscard]] const std::string& text() const { return m_bytes; }
    [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
    void clear() { m_bytes.clear(); }

private:
    void varint(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7) m_bytes.push_back(static_cast<char>(value | 0x80));
        m_bytes.push_back(static_cast<char>(value));
    }

    std::string m_bytes;
};

} // namespace stepscope
