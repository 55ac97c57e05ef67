// SPDX-License-Identifier: GPL-3.0-or-later
// One synthetic job written in every format: all of them must open to the same answers, and these must be what the
// generator says. A new format is a row in formats().
#include "analysis/ProfileSummary.h"
#include "analysis/SliceDetails.h"
#include "generator/ProfileGenerator.h"
#include "support/TempFiles.h"

#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

/// What a format can hold of the generator's job.
struct FormatTraits {
    const char* name;
    GeneratorFormat format;
    bool deviceSync = true;  ///< synchronisation seen on the device
    bool cpuCounters = true; ///< counters of single CPUs
    bool memoryEventsAreSlices = false;
    bool ops = true;               ///< operators and python frames of the host
    bool deviceAnnotations = true; ///< annotations mirrored on the device
    bool traceSpan = true;         ///< a slice that spans the whole recording
    bool flows = true;             ///< arrows from forward to backward
};

std::vector<FormatTraits> formats()
{
    return {{.name = "kineto", .format = GeneratorFormat::Kineto},
            {.name = "xplane",
             .format = GeneratorFormat::XPlane,
             .deviceSync = false,
             .cpuCounters = false,
             .memoryEventsAreSlices = true},
            {.name = "nsys",
             .format = GeneratorFormat::Nsys,
             .ops = false,
             .deviceAnnotations = false,
             .traceSpan = false,
             .flows = false}};
}

struct Variant {
    const char* name;
    GeneratorOptions options;
};

std::vector<Variant> variants()
{
    GeneratorOptions plain;
    plain.steps = 6;
    plain.seed = 7;
    GeneratorOptions graphs = plain;
    graphs.cudaGraphs = graphs.gpuCounters = true;
    graphs.firstStep = 40;
    graphs.perfCpus = 2;
    GeneratorOptions everything = plain;
    everything.pythonStacks = everything.memoryEvents = true;
    everything.annotationDepth = 6;
    GeneratorOptions several = plain;
    several.hosts = several.gpusPerHost = 2;
    several.slowStep = 4;
    several.stragglerRank = 3;
    GeneratorOptions alone = plain;
    alone.collectives = 0;
    GeneratorOptions large = plain; // more than one window of every reader
    large.targetBytes = 5'000'000;
    return {{"plain", plain},     {"graphs", graphs}, {"everything", everything},
            {"several", several}, {"alone", alone},   {"large", large}};
}

std::uint64_t ofKinds(const ProfileSummary& summary, std::initializer_list<SliceKind> kinds)
{
    std::uint64_t count = 0;
    for (const SliceKind kind : kinds) count += summary.byKind[static_cast<std::size_t>(kind)];
    return count;
}

std::uint64_t sumOf(const RankFacts& facts, std::initializer_list<const char*> categories)
{
    std::uint64_t count = 0;
    for (const char* category : categories)
        if (const auto known = facts.slicesByCategory.find(category); known != facts.slicesByCategory.end())
            count += known->second;
    return count;
}

std::vector<std::string> streamNumbers(const Device& device)
{
    std::vector<std::string> numbers = device.streams;
    std::erase(numbers, "-1"); // synchronisation of no stream
    return numbers;
}

/// The ends of the file's own arrows, and how often each pair is there.
std::map<std::pair<std::string, std::string>, int> namesOfArrows(const Profile& profile)
{
    std::map<std::pair<std::string, std::string>, int> names;
    for (const Flow& flow : profile.flows)
        ++names[{std::string(profile.sliceName(flow.from)), std::string(profile.sliceName(flow.to))}];
    return names;
}

} // namespace

class TestSameAnswers : public QObject
{
    Q_OBJECT

private slots:
    void everyFormatSaysWhatTheGeneratorSays_data();
    void everyFormatSaysWhatTheGeneratorSays();
    void wholeJobs_data();
    void wholeJobs();

private:
    static void compareSlices(const Profile& profile, const RankFacts& facts, const FormatTraits& traits);
    static void compareDevice(const Profile& profile, const RankFacts& facts);
    static void compareLinks(const Profile& profile, const RankFacts& facts);
    static void compareSteps(const Profile& profile, const RankFacts& facts, const FormatTraits& traits);
    static void compareSpan(const Profile& profile, const RankFacts& facts, const FormatTraits& traits);
};

void TestSameAnswers::everyFormatSaysWhatTheGeneratorSays_data()
{
    QTest::addColumn<int>("format");
    QTest::addColumn<int>("variant");
    for (int format = 0; format < int(formats().size()); ++format)
        for (int variant = 0; variant < int(variants().size()); ++variant)
            QTest::addRow("%s %s", formats()[format].name, variants()[variant].name) << format << variant;
}

void TestSameAnswers::everyFormatSaysWhatTheGeneratorSays()
{
    QFETCH(int, format);
    QFETCH(int, variant);
    const FormatTraits traits = formats()[std::size_t(format)];
    GeneratorOptions options = variants()[std::size_t(variant)].options;
    options.format = traits.format;
    const TempFolder folder;
    const GeneratorFacts facts = generateProfile(options, folder.path("job"));
    QVERIFY2(facts.ok(), facts.error.c_str());
    for (const RankFacts& rank : facts.ranks) {
        const auto opened = open(rank.file.string());
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().sentence().c_str());
        const Profile& profile = *opened.value();
        QCOMPARE(profile.format, std::string(traits.name));
        QCOMPARE(profile.hosts[0].name, rank.host);
        compareSpan(profile, rank, traits);
        compareSlices(profile, rank, traits);
        compareDevice(profile, rank);
        compareLinks(profile, rank);
        compareSteps(profile, rank, traits);
        for (std::uint32_t slice = 0; slice < profile.slices.size(); slice += 11)
            QVERIFY(sourceFieldsOf(profile, {slice}).has_value());
        for (const Diagnostic& diagnostic : profile.diagnostics)
            QVERIFY2(diagnostic.severity == Severity::Info, diagnostic.message.c_str());
    }
}

void TestSameAnswers::compareSlices(const Profile& profile, const RankFacts& facts, const FormatTraits& traits)
{
    const ProfileSummary summary = summarise(profile);
    const std::uint64_t memory = traits.memoryEventsAreSlices ? facts.memoryInstants : 0;
    const std::uint64_t sync = traits.deviceSync ? sumOf(facts, {"cuda_sync"}) : 0;
    QCOMPARE(ofKinds(summary, {SliceKind::CpuOp}), (traits.ops ? sumOf(facts, {"cpu_op"}) : 0) + memory);
    QCOMPARE(ofKinds(summary, {SliceKind::Launch, SliceKind::Sync, SliceKind::Runtime}),
             sumOf(facts, {"cuda_runtime", "cuda_driver"}));
    QCOMPARE(ofKinds(summary, {SliceKind::Launch}), facts.launches);
    QCOMPARE(ofKinds(summary, {SliceKind::Python}), traits.ops ? sumOf(facts, {"python_function"}) : 0);
    QCOMPARE(ofKinds(summary, {SliceKind::Annotation}), sumOf(facts, {"user_annotation"}));
    QCOMPARE(ofKinds(summary, {SliceKind::DeviceAnnotation}),
             traits.deviceAnnotations ? sumOf(facts, {"gpu_user_annotation"}) : 0);
    QCOMPARE(ofKinds(summary, {SliceKind::DeviceSync}), sync);
    QCOMPARE(ofKinds(summary, {SliceKind::Other}), std::uint64_t(traits.traceSpan ? 1 : 0));
    std::uint64_t missing = traits.deviceSync ? 0 : sumOf(facts, {"cuda_sync"});
    if (!traits.ops) missing += sumOf(facts, {"cpu_op", "python_function"});
    if (!traits.deviceAnnotations) missing += sumOf(facts, {"gpu_user_annotation"});
    if (!traits.traceSpan) ++missing;
    QCOMPARE(std::uint64_t(profile.slices.size()), facts.slices + memory - missing);
    std::map<std::string, std::uint64_t> annotations;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.slices.kind[slice] == SliceKind::Annotation) ++annotations[std::string(profile.sliceName({slice}))];
    QCOMPARE(annotations, facts.annotations);
    if (traits.cpuCounters && facts.memoryInstants == 0) {
        QCOMPARE(std::uint64_t(profile.counters.size()), facts.counterSeries);
        QCOMPARE(summary.samples, facts.counterSamples);
    }
}

void TestSameAnswers::compareDevice(const Profile& profile, const RankFacts& facts)
{
    QCOMPARE(profile.devices.size(), std::size_t(1));
    const Device& device = profile.devices[0];
    const ProfileSummary summary = summarise(profile);
    QCOMPARE(device.name, "GPU-" + std::to_string(facts.device));
    QCOMPARE(device.model, std::string("NVIDIA H100 80GB HBM3"));
    QCOMPARE(streamNumbers(device).front(), std::string("7"));
    QCOMPARE(streamNumbers(device).size(), std::size_t(facts.communicationKernels > 0 ? 2 : 1));
    QCOMPARE(profile.busy[device.busy].totalNs(), facts.busyNs);
    QCOMPARE(device.kernels, facts.kernels);
    QCOMPARE(device.memcpys, facts.memcpys);
    QCOMPARE(device.memsets, facts.memsets);
    QCOMPARE(summary.kernelNs, facts.kernelNs);
    QCOMPARE(summary.kernelNames, facts.kernelNames);
    QCOMPARE(summary.communicationCount, facts.communicationKernels);
    QCOMPARE(summary.communicationNs, facts.communicationNs);
    QCOMPARE(profile.processes[device.process].pid, std::to_string(facts.pid));
    QCOMPARE(*profile.processes[device.process].rank, std::int64_t(facts.rank));
    QCOMPARE(profile.processes[device.process].threads, 2u);
}

void TestSameAnswers::compareLinks(const Profile& profile, const RankFacts& facts)
{
    const ProfileSummary summary = summarise(profile);
    QCOMPARE(std::uint64_t(profile.links.size()), facts.linkedRuns);
    QCOMPARE(summary.launches, facts.launches);
    QCOMPARE(summary.runs, facts.linkedRuns);
    QCOMPARE(*summary.leastLatencyNs, facts.minLatencyNs);
    QCOMPARE(*summary.greatestLatencyNs, facts.maxLatencyNs);
}

void TestSameAnswers::compareSpan(const Profile& profile, const RankFacts& facts, const FormatTraits& traits)
{
    const StepFacts& last = facts.steps.back();
    const std::int64_t lastNs = std::max(last.hostStartNs + last.hostDurNs, facts.lastRunNs);
    QCOMPARE(profile.originUnixNs.value_or(0) + profile.span.beginNs,
             traits.traceSpan ? facts.firstNs : facts.steps.front().hostStartNs);
    QCOMPARE(profile.originUnixNs.value_or(0) + profile.span.endNs, traits.traceSpan ? facts.lastNs : lastNs);
}

void TestSameAnswers::compareSteps(const Profile& profile, const RankFacts& facts, const FormatTraits& traits)
{
    const std::int64_t originNs = profile.originUnixNs.value_or(0);
    QCOMPARE(profile.steps.size(), facts.steps.size());
    for (std::size_t index = 0; index < facts.steps.size(); ++index) {
        const Step& step = profile.steps[index];
        QCOMPARE(step.number, facts.steps[index].number);
        QCOMPARE(originNs + step.host.beginNs, facts.steps[index].hostStartNs);
        QCOMPARE(step.host.lengthNs(), facts.steps[index].hostDurNs);
        QVERIFY(step.device.has_value());
        // The profiler's own annotation of the step on the device is 1 ns wider at both ends.
        const std::int64_t marginNs = traits.deviceAnnotations ? 1 : 0;
        QCOMPARE(originNs + step.device->beginNs, facts.steps[index].deviceStartNs - marginNs);
        QCOMPARE(originNs + step.device->endNs, facts.steps[index].deviceEndNs + marginNs);
    }
}

void TestSameAnswers::wholeJobs_data()
{
    QTest::addColumn<int>("format");
    for (int format = 0; format < int(formats().size()); ++format)
        QTest::addRow("%s", formats()[format].name) << format;
}

void TestSameAnswers::wholeJobs()
{
    QFETCH(int, format);
    GeneratorOptions options = variants()[3].options; // several ranks
    const FormatTraits traits = formats()[std::size_t(format)];
    options.format = traits.format;
    const TempFolder folder;
    const GeneratorFacts facts = generateProfile(options, folder.path("job"));
    const auto opened = open(folder.path("job"));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    std::int64_t firstNs = INT64_MAX;
    std::int64_t lastNs = INT64_MIN;
    std::uint64_t runs = 0;
    for (const RankFacts& rank : facts.ranks) {
        firstNs = std::min(firstNs, rank.firstNs);
        lastNs = std::max(lastNs, rank.lastNs);
        runs += rank.linkedRuns;
    }
    if (traits.traceSpan) {
        QCOMPARE(profile.originUnixNs.value_or(0) + profile.span.beginNs, firstNs);
        QCOMPARE(profile.originUnixNs.value_or(0) + profile.span.endNs, lastNs);
    }
    QCOMPARE(profile.hosts.size(), std::size_t(2));
    QCOMPARE(profile.devices.size(), std::size_t(4));
    QCOMPARE(std::uint64_t(profile.links.size()), runs);
    QCOMPARE(profile.steps.size(), facts.ranks.size() * facts.ranks[0].steps.size());
    // The generator does not tell how many arrows lead from forward operators to backward ones: Kineto does.
    GeneratorOptions kineto = options;
    kineto.format = GeneratorFormat::Kineto;
    QVERIFY(generateProfile(kineto, folder.path("kineto")).ok());
    const auto reference = open(folder.path("kineto"));
    QVERIFY(reference.ok());
    if (traits.flows) QCOMPARE(namesOfArrows(profile), namesOfArrows(*reference.value()));
    for (std::size_t link = 0; link < profile.links.size(); ++link) {
        const Track& launch = profile.track(profile.trackOf(profile.links.launch[link]));
        const Track& run = profile.track(profile.trackOf(profile.links.run[link]));
        QCOMPARE(launch.process, profile.devices[run.device].process); // equal ids of two ranks never mix
    }
}

QTEST_GUILESS_MAIN(TestSameAnswers)
#include "tst_sameanswers.moc"
