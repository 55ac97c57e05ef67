// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/xplane/WireReader.h"
#include "io/SourceText.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stepscope::xplane
{

/// A range of bytes of the (inflated) file.
struct ByteRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

/// A protobuf file that is read in windows, as it may be far larger than memory. One thread.
class WireFile
{
public:
    static constexpr std::uint64_t kWindowBytes = 256 * 1024;

    /// `windowBytes`: how much is read at once, at least.
    WireFile(const SourceText& text, std::uint64_t size, std::uint64_t windowBytes = kWindowBytes)
        : m_text(text), m_size(size), m_windowBytes(windowBytes)
    {
    }

    [[nodiscard]] std::uint64_t size() const { return m_size; }
    /// At least `length` bytes from `offset` on, and as many more up to `limit` as are at hand; fewer only where the
    /// file ends or cannot be read any more. Valid until the next call.
    [[nodiscard]] std::string_view window(std::uint64_t offset, std::uint64_t length, std::uint64_t limit);

private:
    const SourceText& m_text;
    std::uint64_t m_size;
    std::uint64_t m_windowBytes;
    std::uint64_t m_begin = 0; ///< of the window
    std::string m_window;
};

/// A field whose contents stay in the file.
struct FileField {
    std::uint32_t id = 0;
    WireType type = WireType::Varint;
    std::uint64_t number = 0;
    ByteRange bytes;  ///< of texts and messages, cut where the message around it ends
    bool cut = false; ///< it says that it is longer than the message around it

    [[nodiscard]] bool isVarint(std::uint32_t wanted) const { return id == wanted && type == WireType::Varint; }
    [[nodiscard]] bool isBytes(std::uint32_t wanted) const { return id == wanted && type == WireType::Length; }
};

/// Goes through the fields of a message in the file, without reading the contents of those that are messages.
class FieldWalk
{
public:
    FieldWalk(WireFile& file, ByteRange message) : m_file(file), m_message(message), m_at(message.begin) {}

    /// The next field; none at the end of the message, or where there is no valid one (then broken() is true).
    [[nodiscard]] std::optional<FileField> next();
    [[nodiscard]] bool broken() const { return m_broken; }
    [[nodiscard]] std::uint64_t position() const { return m_at; }

private:
    WireFile& m_file;
    ByteRange m_message;
    std::uint64_t m_at;
    bool m_broken = false;
};

/// The text of a field, cut at `longest` bytes.
[[nodiscard]] std::string textOf(WireFile& file, ByteRange bytes, std::uint64_t longest = 1u << 20);

} // namespace stepscope::xplane
