// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "generator/ProfileGenerator.h"
#include "generator/RankWriter.h"
#include "generator/Sink.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace stepscope
{

/// Writes one rank's file as PyTorch 2.4 to 2.7 lays it out: spaces, line breaks and the order of members included.
class KinetoWriter final : public RankWriter
{
public:
    KinetoWriter(const GeneratorOptions& options, RankIdentity identity, std::unique_ptr<Sink> sink);

    void writeHeader() override;
    void writeStep(const StepTrace& trace) override;
    /// [startNs, endNs) becomes the Trace span.
    [[nodiscard]] bool finish(std::int64_t startNs, std::int64_t endNs) override;
    [[nodiscard]] std::uint64_t bytes() const override { return m_out.bytes(); }

private:
    void beginEvent();
    void time(std::int64_t ns) { m_out.micros(ns - m_baseNs); }
    void duration(std::string_view category, std::string_view name, std::int64_t pid, std::int64_t tid,
                  std::int64_t startNs, std::int64_t durNs);
    void hostSlice(const HostSlice& slice);
    void opArgs(const HostSlice& slice);
    void deviceSlice(const DeviceSlice& slice);
    void kernelArgs(const DeviceSlice& slice);
    void copyArgs(const DeviceSlice& slice);
    void syncArgs(const DeviceSlice& slice);
    void collectiveArgs(const Collective& collective);
    void flow(FlowEnd end, std::string_view category, std::int64_t id, std::int64_t pid, std::int64_t tid,
              std::int64_t timeNs);
    void memoryEvent(const MemoryEvent& event);
    void counter(const CounterSample& sample);

    void deviceProperties();
    void distributedInfo();
    void baseTime();
    void metadata(std::string_view event, std::int64_t pid, std::int64_t tid, std::string_view key,
                  std::string_view value, std::int64_t timeNs);
    void nameProcess(std::int64_t pid, std::string_view label, std::int64_t sortIndex, std::int64_t timeNs);
    void nameThread(std::int64_t pid, std::int64_t tid, std::string_view name, std::int64_t timeNs);
    void names(std::int64_t timeNs);
    void traceSpan(std::int64_t startNs, std::int64_t endNs);

    [[nodiscard]] std::int64_t tidOf(HostThreadName thread) const
    {
        return thread == HostThreadName::Main ? m_identity.pid : m_identity.autogradTid;
    }

    const GeneratorOptions& m_options;
    RankIdentity m_identity;
    TextBuffer m_out;
    std::int64_t m_baseNs;
    std::string m_groupArgs; ///< what every collective says about its process group
    bool m_anyEvent = false;
};

} // namespace stepscope
