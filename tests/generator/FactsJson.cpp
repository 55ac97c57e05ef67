// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/GeneratorFacts.h"

#include <string_view>

namespace stepscope
{
namespace
{

/// Members of one JSON object, comma separated. Texts of the generator need no escapes, but paths may.
class Members
{
public:
    explicit Members(std::string& out) : m_out(out) { m_out += '{'; }
    Members(const Members&) = delete;
    Members& operator=(const Members&) = delete;
    ~Members() { m_out += '}'; }

    void key(std::string_view name)
    {
        if (m_any) m_out += ", ";
        m_any = true;
        quote(name);
        m_out += ": ";
    }
    template<class Number>
    void number(std::string_view name, Number value)
    {
        key(name);
        m_out += std::to_string(value);
    }
    void text(std::string_view name, std::string_view value)
    {
        key(name);
        quote(value);
    }
    void counts(std::string_view name, const std::map<std::string, std::uint64_t>& values)
    {
        key(name);
        Members inner(m_out);
        for (const auto& [label, count] : values) inner.number(label, count);
    }

private:
    void quote(std::string_view text)
    {
        m_out += '"';
        for (const char letter : text) {
            if (letter == '"' || letter == '\\') m_out += '\\';
            m_out += letter;
        }
        m_out += '"';
    }

    std::string& m_out;
    bool m_any = false;
};

void writeStep(std::string& out, const StepFacts& step)
{
    Members members(out);
    members.number("number", step.number);
    members.number("host_start_ns", step.hostStartNs);
    members.number("host_dur_ns", step.hostDurNs);
    members.number("device_start_ns", step.deviceStartNs);
    members.number("device_end_ns", step.deviceEndNs);
    members.number("busy_ns", step.busyNs);
}

void writeTimes(Members& members, const RankFacts& rank)
{
    members.number("kernel_ns", rank.kernelNs);
    members.number("communication_ns", rank.communicationNs);
    members.number("busy_ns", rank.busyNs);
    members.number("min_latency_ns", rank.minLatencyNs);
    members.number("max_latency_ns", rank.maxLatencyNs);
    members.number("first_ns", rank.firstNs);
    members.number("last_ns", rank.lastNs);
    members.number("first_run_ns", rank.firstRunNs);
    members.number("last_run_ns", rank.lastRunNs);
}

void writeRank(std::string& out, const RankFacts& rank)
{
    Members members(out);
    members.text("file", rank.file.filename().string());
    members.text("host", rank.host);
    members.number("rank", rank.rank);
    members.number("device", rank.device);
    members.number("pid", rank.pid);
    members.number("bytes", rank.bytes);
    members.counts("slices_by_category", rank.slicesByCategory);
    members.counts("annotations", rank.annotations);
    members.number("slices", rank.slices);
    members.number("flow_events", rank.flowEvents);
    members.number("memory_instants", rank.memoryInstants);
    members.number("launches", rank.launches);
    members.number("linked_runs", rank.linkedRuns);
    members.number("kernels", rank.kernels);
    members.number("memcpys", rank.memcpys);
    members.number("memsets", rank.memsets);
    members.number("communication_kernels", rank.communicationKernels);
    members.number("kernel_names", rank.kernelNames);
    writeTimes(members, rank);
    members.number("counter_series", rank.counterSeries);
    members.number("counter_samples", rank.counterSamples);
    members.key("steps");
    out += '[';
    for (std::size_t row = 0; row < rank.steps.size(); ++row) {
        out += row == 0 ? "\n    " : ",\n    ";
        writeStep(out, rank.steps[row]);
    }
    out += ']';
}

void writeSlowStep(std::string& out, const SlowStepFacts& slow)
{
    Members members(out);
    members.number("step", slow.step);
    members.number("rank", slow.rank);
    members.text("host", slow.host);
    members.number("device", slow.device);
    members.number("stream", slow.stream);
    members.text("kernel", slow.kernel);
    members.number("correlation", slow.correlation);
    members.number("start_ns", slow.startNs);
    members.number("dur_ns", slow.durNs);
    members.number("straggler_rank", slow.stragglerRank);
    members.number("loading_start_ns", slow.loadingStartNs);
    members.number("loading_dur_ns", slow.loadingDurNs);
}

} // namespace

std::string factsToJson(const GeneratorFacts& facts)
{
    std::string out = "{\"ranks\": [";
    for (std::size_t rank = 0; rank < facts.ranks.size(); ++rank) {
        out += rank == 0 ? "\n  " : ",\n  ";
        writeRank(out, facts.ranks[rank]);
    }
    out += "\n], \"slow_step\": ";
    if (facts.slowStep) {
        writeSlowStep(out, *facts.slowStep);
    } else {
        out += "null";
    }
    out += "}\n";
    return out;
}

} // namespace stepscope
