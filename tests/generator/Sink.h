// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace stepscope
{

/// Where a file's bytes go.
class Sink
{
public:
    virtual ~Sink() = default;
    /// False once something could not be written.
    virtual bool write(std::string_view bytes) = 0;
    /// Ends the file; false when its last bytes could not be written.
    virtual bool close() = 0;
};

/// Null when the file cannot be created.
[[nodiscard]] std::unique_ptr<Sink> openFileSink(const std::filesystem::path& file, bool gzip);
/// `text` must outlive the sink.
[[nodiscard]] std::unique_ptr<Sink> makeStringSink(std::string& text);

/// Text on its way to a sink, through a bounded buffer.
class TextBuffer
{
public:
    explicit TextBuffer(std::unique_ptr<Sink> sink) : m_sink(std::move(sink)) { m_buffer.reserve(kFlushBytes * 2); }

    TextBuffer& operator<<(std::string_view text)
    {
        m_buffer.append(text);
        return *this;
    }
    TextBuffer& operator<<(std::int64_t number)
    {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        m_buffer.append(digits, end);
        return *this;
    }
    TextBuffer& operator<<(int number) { return *this << std::int64_t{number}; }

    /// `units` / 10^digits with exactly that many decimals; `units` >= 0.
    TextBuffer& decimal(std::int64_t units, int digits)
    {
        char text[28];
        const auto end = std::to_chars(text, text + sizeof text, units).ptr;
        const auto length = static_cast<int>(end - text);
        if (length <= digits) {
            m_buffer.append("0.").append(static_cast<std::size_t>(digits - length), '0').append(text, end);
        } else {
            m_buffer.append(text, end - digits).append(1, '.').append(end - digits, end);
        }
        return *this;
    }
    /// Microseconds with three decimals, straight from ns: a double would lose digits of today's timestamps.
    TextBuffer& micros(std::int64_t ns) { return decimal(ns, 3); }

    /// To be called between events.
    void flushIfFull()
    {
        if (m_buffer.size() >= kFlushBytes) flush();
    }
    [[nodiscard]] bool finish()
    {
        flush();
        return m_sink->close() && m_ok;
    }
    [[nodiscard]] std::uint64_t bytes() const { return m_flushed + m_buffer.size(); }

private:
    static constexpr std::size_t kFlushBytes = 256 * 1024;

    void flush()
    {
        m_ok = m_sink->write(m_buffer) && m_ok;
        m_flushed += m_buffer.size();
        m_buffer.clear();
    }

    std::unique_ptr<Sink> m_sink;
    std::string m_buffer;
    std::uint64_t m_flushed = 0;
    bool m_ok = true;
};

} // namespace stepscope
