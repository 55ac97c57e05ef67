// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/EventReader.h"

#include "importers/kineto/JsonText.h"

#include <algorithm>
#include <simdjson.h>

namespace stepscope::kineto
{

namespace
{

/// Large enough that a window's fixed costs vanish, small enough for quick cancelling and a small footprint.
constexpr std::size_t kWindowBytes = 2u << 20;
/// No real event is larger; a longer one is treated as broken text.
constexpr std::size_t kLargestEvent = 256u << 20;
constexpr std::size_t kLargestHeader = 256u << 20;

} // namespace

EventReader::EventReader(ByteStream& stream) : m_stream(stream) {}

bool EventReader::fill(std::size_t wanted)
{
    if (m_ended) return false;
    const std::size_t before = m_buffer.size();
    m_buffer.resize(before + wanted);
    const std::size_t got = m_stream.read(std::span(m_buffer).subspan(before));
    m_buffer.resize(before + got);
    m_inflated += got;
    m_ended = got < wanted;
    return got > 0;
}

/// Walks the keys of the outermost object; true once it stands behind the '[' of "traceEvents" (or of a bare list).
bool EventReader::scanHeader()
{
    for (; m_scanned < m_buffer.size(); ++m_scanned) {
        const char c = m_buffer[m_scanned];
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
                                 std::string_view(m_buffer).substr(m_keyBegin, m_keyEnd - m_keyBegin) == "traceEvents";
        if (listFollows) {
            m_header = m_buffer.substr(0, m_keyBegin - 1);
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
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    while (fill(kWindowBytes)) {
        if (m_scanned == 0 && m_buffer.starts_with(kByteOrderMark)) m_scanned = kByteOrderMark.size();
        if (scanHeader()) {
            m_buffer.erase(0, m_scanned);
            m_offset = m_scanned;
            return true;
        }
        if (!m_sawJson && m_scanned < m_buffer.size()) return false;
        if (m_buffer.size() > kLargestHeader) return false;
    }
    return false;
}

std::optional<Window> EventReader::next()
{
    if (m_buffer.size() < kWindowBytes) fill(kWindowBytes - m_buffer.size());
    if (m_buffer.empty()) return std::nullopt;
    auto border = json::lastEventBorder(m_buffer);
    while (!border && !m_ended && m_buffer.size() < kLargestEvent) {
        fill(m_buffer.size());
        border = json::lastEventBorder(m_buffer);
    }
    Window window;
    window.index = m_nextIndex++;
    window.offset = m_offset;
    window.size = border.value_or(m_buffer.size());
    window.cut = border.has_value();
    window.last = !border && m_ended;
    const std::size_t used = window.size + (window.cut ? 1 : 0);
    window.text.reserve(used + 1 + simdjson::SIMDJSON_PADDING);
    window.text.push_back('[');
    window.text.append(m_buffer, 0, used);
    if (window.cut) window.text.back() = ']';
    window.text.append(simdjson::SIMDJSON_PADDING, ' ');
    m_buffer.erase(0, used);
    m_offset += used;
    return window;
}

} // namespace stepscope::kineto
