// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "generator/StepTrace.h"

#include <cassert>
#include <cstdint>
#include <string_view>
#include <vector>

namespace stepscope
{

/// The numbers a profiler gives out, unique in one file.
struct RankCounters {
    std::int64_t externalId = 0;
    std::int64_t correlation = 1000;
    std::int64_t eventIndex = -1;
    std::int64_t pythonId = 0;
    std::int64_t sequence = 99;
    std::int64_t flowId = 0;
};

/// One CPU thread: a clock that only moves forward, and the slices open at it. Slices nest because they can only be
/// opened and closed here.
class HostTimeline
{
public:
    HostTimeline(HostThreadName thread, StepTrace& trace, RankCounters& counters)
        : m_thread(thread), m_trace(trace), m_counters(counters)
    {
    }

    [[nodiscard]] std::int64_t nowNs() const { return m_nowNs; }
    void advance(std::int64_t ns) { m_nowNs += ns; }
    /// Waits; never goes back.
    void waitUntil(std::int64_t ns) { m_nowNs = ns > m_nowNs ? ns : m_nowNs; }

    HostSlice& open(HostKind kind, std::string_view name)
    {
        m_open.push_back(static_cast<std::uint32_t>(m_trace.host.size()));
        HostSlice& slice = m_trace.host.emplace_back();
        slice.kind = kind;
        slice.thread = m_thread;
        slice.startNs = m_nowNs;
        slice.name = name;
        number(slice);
        m_nowNs += kEdgeNs;
        return slice;
    }

    /// Ends the innermost open slice.
    HostSlice& close()
    {
        assert(!m_open.empty());
        m_nowNs += kEdgeNs;
        HostSlice& slice = m_trace.host[m_open.back()];
        m_open.pop_back();
        slice.durNs = m_nowNs - slice.startNs;
        slice.endRun = static_cast<std::uint32_t>(m_trace.device.size());
        return slice;
    }

    /// The id of the innermost op or annotation, which calls and their runs carry; 0: none.
    [[nodiscard]] std::int64_t currentExternalId() const
    {
        for (std::size_t depth = m_open.size(); depth-- > 0;) {
            const HostSlice& slice = m_trace.host[m_open[depth]];
            if (slice.kind == HostKind::CpuOp || slice.kind == HostKind::Annotation) return slice.externalId;
        }
        return 0;
    }

private:
    /// A profiler's own cost at both ends of a slice; keeps children strictly inside.
    static constexpr std::int64_t kEdgeNs = 213;

    void number(HostSlice& slice)
    {
        slice.firstRun = static_cast<std::uint32_t>(m_trace.device.size());
        const bool isCall = slice.kind == HostKind::Runtime || slice.kind == HostKind::Driver;
        if (isCall) {
            slice.correlation = ++m_counters.correlation;
            slice.externalId = currentExternalId();
            return;
        }
        slice.eventIndex = ++m_counters.eventIndex;
        if (slice.kind == HostKind::Python) {
            slice.pythonParent = currentPythonId();
            slice.pythonId = ++m_counters.pythonId;
        } else {
            slice.externalId = ++m_counters.externalId;
        }
    }

    [[nodiscard]] std::int64_t currentPythonId() const
    {
        // The newest slice is on the stack already; it has no id yet and is passed over.
        for (std::size_t depth = m_open.size(); depth-- > 0;) {
            const HostSlice& slice = m_trace.host[m_open[depth]];
            if (slice.kind == HostKind::Python && slice.pythonId != 0) return slice.pythonId;
        }
        return 0;
    }

    HostThreadName m_thread;
    StepTrace& m_trace;
    RankCounters& m_counters;
    std::int64_t m_nowNs = 0;
    std::vector<std::uint32_t> m_open;
};

} // namespace stepscope
