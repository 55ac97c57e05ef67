// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/EventReader.h"

#include "io/JsonText.h"

#include <algorithm>
#include <simdjson.h>

namespace stepscope::kineto
{

namespace
{

/// Large enough that a window's fixed costs vanish, small enough for quick cancelling and a small footprint.
constexpr std::size_t kWindowBytes = 2u << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kHeaderBytes = 256u << 10;
constexpr std::size_t kLargestHeader = 256u << 20;

} // namespace

EventReader::EventReader(ByteStream& stream) : m_stream(stream) {}

bool EventReader::readHeader()
{
    if (m_ended) return false;
    const std::size_t before = m_carry.size();
    m_carry.resize(before + kHeaderBytes);
    const std::size_t got = m_stream.read(std::span(m_carry).subspan(before));
    m_carry.resize(before + got);
    m_inflated += got;
    m_ended = got < kHeaderBytes;
    return got > 0;
}

/// Walks the keys of the outermost object; true once it stands behind the '[' of "traceEvents" (or of a bare list).
bool EventReader::scanHeader()
{
    for (; m_scanned < m_carry.size(); ++m_scanned) {
        const char c = m_carry[m_scanned];
        if (m_inString) {
            if (m_escaped) m_escaped = false;
            else if (c == '\\') m_escaped = true;
            else if (c == '"') {
                m_inString = false;
                m_keyEnd = m_scanned;
            }
            continue;
        }
        if (json::isSpace(c)) continue;
        if (m_depth == 0 && !m_sawJson) {
            if (c != '{' && c != '[') return false;
            m_sawJson = true;
            m_depth = 1;
            m_bareList = c == '[';
            if (m_bareList) {
                ++m_scanned;
                return true;
            }
            continue;
        }
        const bool listFollows = m_depth == 1 && m_afterKey && c == '[' &&
                                 std::string_view(m_carry).substr(m_keyBegin, m_keyEnd - m_keyBegin) == "traceEvents";
        if (listFollows) {
            const std::size_t begin = m_carry.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
            m_header = m_carry.substr(begin, m_keyBegin - 1 - begin);
            ++m_scanned;
            return true;
        }
        if (c == '"') {
            m_inString = true;
            m_keyBegin = m_scanned + 1;
        }
        if (c == '{' || c == '[') ++m_depth;
        if ((c == '}' || c == ']') && m_depth > 0) --m_depth;
        m_afterKey = c == ':';
    }
    return false;
}

bool EventReader::findEvents()
{
    while (readHeader()) {
        if (m_scanned == 0 && m_carry.starts_with(kByteOrderMark)) m_scanned = kByteOrderMark.size();
        if (scanHeader()) {
            m_carry.erase(0, m_scanned);
            m_offset = m_scanned;
            return true;
        }
        if (!m_sawJson && m_scanned < m_carry.size()) return false;
        if (m_carry.size() > kLargestHeader) return false;
    }
    return false;
}

std::optional<Window> EventReader::next()
{
    const std::size_t room = std::max(kWindowBytes, m_carry.size());
    Window window;
    window.text = PaddedText(room);
    std::size_t filled = m_carry.size();
    std::copy(m_carry.begin(), m_carry.end(), window.text.data() + 1);
    if (!m_ended && filled < room) {
        const std::size_t got = m_stream.read({window.text.data() + 1 + filled, room - filled});
        m_inflated += got;
        m_ended = got < room - filled;
        filled += got;
    }
    // An event longer than the window has no border in it; whoever takes the windows joins them again.
    const std::optional<std::size_t> border = json::lastEventBorder({window.text.data() + 1, filled});
    if (filled == 0) return std::nullopt;
    window.offset = m_offset;
    window.size = border.value_or(filled);
    window.cut = border.has_value();
    window.last = !border && m_ended;
    char* events = window.text.data() + 1;
    const std::size_t used = window.size + (window.cut ? 1 : 0);
    m_carry.assign(events + used, filled - used);
    if (window.cut) events[window.size] = ']';
    // The parser looks at the bytes behind the end; they must not look like more JSON.
    std::fill_n(events + used, simdjson::SIMDJSON_PADDING, ' ');
    m_offset += used;
    return window;
}

} // namespace stepscope::kineto
