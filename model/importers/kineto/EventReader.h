// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/kineto/EventBatch.h"
#include "io/ByteStream.h"

#include <optional>
#include <string>

namespace stepscope::kineto
{

/// Cuts a trace file into the text before its list of events and windows of events. Windows end at event borders, as
/// far as that can be told without parsing; the parser's word counts.
class EventReader
{
public:
    explicit EventReader(ByteStream& stream);

    /// Reads up to the list of events; false if the file has none (then see header()).
    [[nodiscard]] bool findEvents();
    /// The next window; none at the end of the file.
    [[nodiscard]] std::optional<Window> next();

    /// What stands before the list, without the list's own key: `{"schemaVersion": 1,` or `` for a bare list.
    [[nodiscard]] const std::string& header() const { return m_header; }
    [[nodiscard]] bool bareList() const { return m_bareList; }
    /// True if the first sign of the file could start a JSON document at all.
    [[nodiscard]] bool sawJson() const { return m_sawJson; }
    /// Bytes delivered so far, inflated.
    [[nodiscard]] std::uint64_t inflatedBytes() const { return m_inflated; }

private:
    bool readHeader();
    [[nodiscard]] bool scanHeader();

    ByteStream& m_stream;
    std::string m_carry; ///< read, but not yet delivered
    bool m_ended = false;
    std::string m_header;
    bool m_bareList = false;
    bool m_sawJson = false;
    std::uint64_t m_inflated = 0;
    std::uint64_t m_offset = 0; ///< of m_carry's first byte

    // Where the scan of the header stands.
    std::size_t m_scanned = 0;
    std::size_t m_depth = 0;
    std::size_t m_keyBegin = 0;
    std::size_t m_keyEnd = 0;
    bool m_inString = false;
    bool m_afterKey = false;
    bool m_escaped = false;
};

} // namespace stepscope::kineto
