// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/ProfileGenerator.h"

#include "generator/FactsCollector.h"
#include "generator/KinetoWriter.h"
#include "generator/NsysWriter.h"
#include "generator/RankSimulator.h"
#include "generator/StepCounters.h"
#include "generator/XPlaneWriter.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <system_error>

namespace stepscope
{
namespace
{

/// Null when the rank's file cannot be created.
using WriterFactory = std::function<std::unique_ptr<RankWriter>(const RankIdentity& identity)>;

std::string hostName(const GeneratorOptions& options, int rank)
{
    return "algo-" + std::to_string(rank / options.gpusPerHost + 1);
}

RankIdentity identityOf(const GeneratorOptions& options, const RankSimulator& simulator)
{
    return {.host = hostName(options, simulator.rank()),
            .rank = simulator.rank(),
            .device = simulator.device(),
            .worldSize = options.hosts * options.gpusPerHost,
            .pid = simulator.pid(),
            .autogradTid = simulator.autogradTid()};
}

/// One rank: what it does, what is written about it, and what is true of it.
struct Rank {
    Rank(const GeneratorOptions& options, int rank)
        : simulator(options, rank), counters(options, rank, rank % options.gpusPerHost == 0 ? options.perfCpus : 0)
    {
        RankFacts& facts = collector.facts();
        facts.host = hostName(options, rank);
        facts.rank = rank;
        facts.device = simulator.device();
        facts.pid = simulator.pid();
        facts.counterSeries = counters.seriesCount();
    }

    RankSimulator simulator;
    StepCounters counters;
    std::unique_ptr<RankWriter> writer;
    FactsCollector collector;
};

class Job
{
public:
    explicit Job(const GeneratorOptions& options) : m_options(options) {}

    GeneratorFacts run(const WriterFactory& openWriter)
    {
        for (int number = 0; number < m_options.hosts * m_options.gpusPerHost; ++number) {
            auto rank = std::make_unique<Rank>(m_options, number);
            rank->writer = openWriter(identityOf(m_options, rank->simulator));
            if (rank->writer == nullptr) {
                m_facts.error = "cannot create the file of rank " + std::to_string(number);
                return std::move(m_facts);
            }
            rank->writer->writeHeader();
            m_ranks.push_back(std::move(rank));
        }
        for (std::int64_t step = m_options.firstStep; wantsStep(step); ++step) runStep(step);
        for (const auto& rank : m_ranks) finish(*rank);
        return std::move(m_facts);
    }

private:
    [[nodiscard]] bool wantsStep(std::int64_t step) const
    {
        if (m_options.targetBytes > 0) return m_ranks.front()->writer->bytes() < m_options.targetBytes;
        return step < m_options.firstStep + m_options.steps;
    }

    void runStep(std::int64_t step)
    {
        for (const auto& rank : m_ranks) rank->simulator.runToBackward(step);
        endCollectives();
        for (const auto& rank : m_ranks) {
            rank->simulator.finishStep();
            StepTrace& trace = rank->simulator.trace();
            const HostSlice& annotation = trace.host.front();
            rank->counters.sample(trace, annotation.startNs, annotation.startNs + annotation.durNs);
            rank->collector.add(trace);
            rank->writer->writeStep(trace);
        }
        if (step == m_options.slowStep) explainSlowStep();
    }

    /// A collective starts on each rank when that rank is ready, and ends on all once the last one has come.
    void endCollectives()
    {
        const std::int64_t transferNs = m_options.stepNs / 1000 * 24;
        const std::size_t count = m_ranks.front()->simulator.pendingCollectives().size();
        for (std::size_t index = 0; index < count; ++index) {
            std::int64_t lastNs = 0;
            for (const auto& rank : m_ranks) lastNs = std::max(lastNs, rank->simulator.collectiveStartNs(index));
            for (const auto& rank : m_ranks) rank->simulator.endCollective(index, lastNs + transferNs);
        }
    }

    void explainSlowStep()
    {
        std::vector<const StepTrace*> traces;
        for (const auto& rank : m_ranks) traces.push_back(&rank->simulator.trace());
        SlowStepFacts facts = describeSlowStep(traces, m_options.stragglerRank);
        facts.host = hostName(m_options, facts.rank);
        facts.device = facts.rank % m_options.gpusPerHost;
        m_facts.slowStep = facts;
    }

    void finish(Rank& rank)
    {
        constexpr std::int64_t kBeforeNs = 1'347'261;
        constexpr std::int64_t kAfterNs = 812'944;
        RankFacts& facts = rank.collector.facts();
        std::int64_t startNs = m_options.startUnixNs;
        std::int64_t endNs = startNs;
        if (!facts.steps.empty()) {
            startNs = facts.steps.front().hostStartNs;
            endNs = facts.steps.back().hostStartNs + facts.steps.back().hostDurNs;
        }
        rank.collector.finish(startNs - kBeforeNs, endNs + kAfterNs);
        if (!rank.writer->finish(startNs - kBeforeNs, endNs + kAfterNs)) {
            m_facts.error = "cannot write the file of rank " + std::to_string(facts.rank) + " to its end";
        }
        facts.bytes = rank.writer->bytes();
        m_facts.ranks.push_back(std::move(facts));
    }

    const GeneratorOptions& m_options;
    std::vector<std::unique_ptr<Rank>> m_ranks;
    GeneratorFacts m_facts;
};

std::string_view endingOf(const GeneratorOptions& options)
{
    switch (options.format) {
    case GeneratorFormat::Kineto:
        return options.gzip ? ".pt.trace.json.gz" : ".pt.trace.json";
    case GeneratorFormat::Nsys:
        return ".sqlite";
    case GeneratorFormat::XPlane:
        return ".xplane.pb";
    }
    return {};
}

/// Null when the file cannot be created.
std::unique_ptr<RankWriter> openWriter(const GeneratorOptions& options, const RankIdentity& identity,
                                       const std::filesystem::path& file)
{
    switch (options.format) {
    case GeneratorFormat::Kineto: {
        auto sink = openFileSink(file, options.gzip);
        return sink ? std::make_unique<KinetoWriter>(options, identity, std::move(sink)) : nullptr;
    }
    case GeneratorFormat::Nsys:
        return NsysWriter::create(options, identity, file);
    case GeneratorFormat::XPlane: {
        auto sink = openFileSink(file, false);
        return sink ? std::make_unique<XPlaneWriter>(options, identity, std::move(sink)) : nullptr;
    }
    }
    return nullptr;
}

/// Empty when the options make sense.
std::string complaintAbout(const GeneratorOptions& options)
{
    if (options.hosts < 1 || options.gpusPerHost < 1) return "there must be at least one host with one GPU";
    if (options.stepNs < 1'000'000) return "a step must take at least 1 ms";
    if (options.counterIntervalNs < 1'000) return "counters can be sampled every microsecond at most";
    if (options.steps < 0 || options.collectives < 0 || options.perfCpus < 0 || options.slowExtraNs < 0) {
        return "steps, collectives, CPUs and delays cannot be negative";
    }
    if (options.stragglerRank < 0 || options.stragglerRank >= options.hosts * options.gpusPerHost) {
        return "the straggler is none of the ranks";
    }
    return {};
}

GeneratorFacts failed(std::string error)
{
    GeneratorFacts facts;
    facts.error = std::move(error);
    return facts;
}

} // namespace

GeneratorOptions sampleOptions()
{
    GeneratorOptions options;
    options.hosts = 2;
    options.gpusPerHost = 8;
    options.steps = 50;
    options.eventsPerStep = 9;
    options.slowStep = 41;
    options.stragglerRank = 11; // GPU-3 of algo-2
    options.collectives = 2;
    options.perfCpus = 4;
    options.gpuCounters = true;
    options.counterIntervalNs = 50'000'000;
    return options;
}

GeneratorFacts generateProfile(const GeneratorOptions& options, const std::filesystem::path& folder)
{
    if (std::string complaint = complaintAbout(options); !complaint.empty()) return failed(std::move(complaint));
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return failed("cannot create the folder " + folder.string() + ": " + failure.message());
    const auto fileOf = [&](int rank) {
        return folder / (hostName(options, rank) + "_rank" + std::to_string(rank) + "." +
                         std::to_string(options.startUnixNs) + std::string(endingOf(options)));
    };
    GeneratorFacts facts = Job(options).run(
        [&](const RankIdentity& identity) { return openWriter(options, identity, fileOf(identity.rank)); });
    for (RankFacts& rank : facts.ranks) rank.file = fileOf(rank.rank);
    return facts;
}

GeneratorFacts generateInMemory(const GeneratorOptions& options, std::vector<std::string>& texts)
{
    if (std::string complaint = complaintAbout(options); !complaint.empty()) return failed(std::move(complaint));
    texts.assign(static_cast<std::size_t>(options.hosts * options.gpusPerHost), {});
    return Job(options).run([&](const RankIdentity& identity) {
        return std::make_unique<KinetoWriter>(options, identity,
                                              makeStringSink(texts[static_cast<std::size_t>(identity.rank)]));
    });
}

} // namespace stepscope
