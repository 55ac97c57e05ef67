// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "generator/ProfileGenerator.h"
#include "generator/RankWriter.h"
#include "generator/Sink.h"
#include "generator/XPlaneBytes.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stepscope
{

/// Writes one rank's file as an XSpace of JAX on NVIDIA GPUs is laid out: a plane of the host's threads, one of the
/// device, and `Task Environment` with the wall clock. The format has no place for device synchronisation and for the
/// counters of CPUs, which are left out. All is held until the end, as a line cannot be written in pieces.
class XPlaneWriter final : public RankWriter
{
public:
    XPlaneWriter(const GeneratorOptions& options, RankIdentity identity, std::unique_ptr<Sink> sink);

    void writeHeader() override {}
    void writeStep(const StepTrace& trace) override;
    [[nodiscard]] bool finish(std::int64_t startNs, std::int64_t endNs) override;
    [[nodiscard]] std::uint64_t bytes() const override { return m_eventBytes; }

private:
    struct Line {
        std::int64_t id = 0;
        std::string name;
        XPlaneBytes events;
    };
    /// Lines and the two maps that explain their ids. Ids begin at 1.
    struct Plane {
        std::string name;
        std::int64_t id = 0;
        std::vector<Line> lines;
        std::unordered_map<std::string, std::int64_t> eventIds;
        std::unordered_map<std::string, std::int64_t> statIds;
        std::vector<std::string> eventNames;
        std::vector<std::string> statNames;
        XPlaneBytes stats;

        std::int64_t event(std::string_view eventName);
        std::int64_t stat(std::string_view statName);
    };

    void hostSlice(const HostSlice& slice);
    void deviceSlice(const DeviceSlice& slice);
    void memoryEvent(const MemoryEvent& event);
    void counter(const CounterSample& sample);
    void addStat(Plane& plane, std::string_view name, std::int64_t value);
    void addText(Plane& plane, std::string_view name, std::string_view value);
    void addReference(Plane& plane, std::string_view name, std::string_view text);
    void addEvent(Plane& plane, std::size_t line, std::string_view name, std::int64_t startNs, std::int64_t durNs);
    [[nodiscard]] std::size_t streamLine(const DeviceSlice& slice);
    [[nodiscard]] std::string_view detailsOf(std::string_view shape);
    [[nodiscard]] bool writePlane(const Plane& plane);

    RankIdentity m_identity;
    std::unique_ptr<Sink> m_sink;
    std::int64_t m_baseNs; ///< wall clock of the file's time 0
    Plane m_host;
    Plane m_device;
    Plane m_spans;
    std::map<int, std::size_t> m_streamLines;
    std::unordered_map<const char*, std::string> m_details; ///< by the shape's text, which is a constant
    XPlaneBytes m_stats;                                    ///< of the event being made
    XPlaneBytes m_stat;
    XPlaneBytes m_event;
    std::uint64_t m_eventBytes = 0;
};

} // namespace stepscope
