// SPDX-License-Identifier: GPL-3.0-or-later
// The same synthetic job in every format that the generator writes: each importer has to give the generator's own
// answers, as far as its format can hold them.
#include "analysis/ProfileSummary.h"
#include "analysis/SliceDetails.h"
#include "generator/ProfileGenerator.h"
#include "support/TempFiles.h"

#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

/// A row of the test: a format, and what it has no place for.
struct FormatRow {
    GeneratorFormat format;
    const char* key;               ///< as `info --json` calls it
    bool ops = true;               ///< cpu_op slices
    bool pythonFrames = true;
    bool deviceAnnotations = true;
    bool traceSpan = true;         ///< the slice that spans the whole recording
    bool deviceSyncs = true;
};

constexpr FormatRow kFormats[] = {
    {.format = GeneratorFormat::Kineto, .key = "kineto"},
    {.format = GeneratorFormat::Nsys, .key = "nsys", .ops = false, .pythonFrames = false, .deviceAnnotations = false,
     .traceSpan = false},
};

/// A column of the test: a job.
struct JobColumn {
    const char* name;
    void (*set)(GeneratorOptions& options);
};

constexpr JobColumn kJobs[] = {
    {"plain", [](GeneratorOptions&) {}},
    {"graphs", [](GeneratorOptions& options) { options.cudaGraphs = true; }},
    {"counters", [](GeneratorOptions& options) {
         options.gpuCounters = true;
         options.perfCpus = 3;
     }},
    {"python frames", [](GeneratorOptions& options) { options.pythonStacks = true; }},
    {"two hosts", [](GeneratorOptions& options) {
         options.hosts = 2;
         options.gpusPerHost = 2;
         options.slowStep = 3;
         options.stragglerRank = 1;
     }},
};

std::uint64_t ofCategory(const RankFacts& facts, const char* category)
{
    const auto count = facts.slicesByCategory.find(category);
    return count == facts.slicesByCategory.end() ? 0 : count->second;
}

} // namespace

class TestSameAnswers : public QObject
{
    Q_OBJECT

private slots:
    void everyFormat_data();
    void everyFormat();
    void wholeJob_data();
    void wholeJob();

private:
    static GeneratorFacts generate(int format, int job, const TempFolder& folder);
    static void compareSlices(const Profile& profile, const RankFacts& facts, const FormatRow& row);
    static void compareDevice(const Profile& profile, const RankFacts& facts);
    static void compareSteps(const Profile& profile, const RankFacts& facts, const FormatRow& row);
    static void compareSpan(const Profile& profile, const RankFacts& facts, const FormatRow& row);
};

GeneratorFacts TestSameAnswers::generate(int format, int job, const TempFolder& folder)
{
    GeneratorOptions options;
    options.steps = 5;
    options.seed = 500 + unsigned(job);
    kJobs[job].set(options);
    options.format = kFormats[format].format;
    return generateProfile(options, folder.path("job"));
}

void TestSameAnswers::everyFormat_data()
{
    QTest::addColumn<int>("format");
    QTest::addColumn<int>("job");
    for (int format = 0; format < std::ssize(kFormats); ++format)
        for (int job = 0; job < std::ssize(kJobs); ++job)
            QTest::newRow(qPrintable(QString("%1, %2").arg(kFormats[format].key, kJobs[job].name))) << format << job;
}

void TestSameAnswers::everyFormat()
{
    QFETCH(int, format);
    QFETCH(int, job);
    const TempFolder folder;
    const GeneratorFacts facts = generate(format, job, folder);
    QVERIFY2(facts.ok(), facts.error.c_str());
    const FormatRow& row = kFormats[format];
    for (const RankFacts& rank : facts.ranks) {
        const auto opened = open(rank.file.string());
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().sentence().c_str());
        const Profile& profile = *opened.value();
        QCOMPARE(profile.format, std::string(row.key));
        QCOMPARE(profile.hosts[0].name, rank.host);
        compareSlices(profile, rank, row);
        compareDevice(profile, rank);
        compareSteps(profile, rank, row);
        compareSpan(profile, rank, row);
        std::size_t samples = 0;
        for (const CounterSeries& counter : profile.counters) samples += counter.value.size();
        QCOMPARE(std::uint64_t(samples), rank.counterSamples);
        QCOMPARE(std::uint64_t(profile.counters.size()), rank.counterSeries);
        for (const Diagnostic& diagnostic : profile.diagnostics)
            QVERIFY2(diagnostic.severity == Severity::Info, diagnostic.message.c_str());
        for (std::uint32_t slice = 0; slice < profile.slices.size(); slice += 11)
            QVERIFY(sourceFieldsOf(profile, {slice}).has_value());
    }
}

void TestSameAnswers::compareSlices(const Profile& profile, const RankFacts& facts, const FormatRow& row)
{
    const ProfileSummary summary = summarise(profile);
    const auto count = [&](SliceKind kind) { return summary.byKind[std::size_t(kind)]; };
    QCOMPARE(count(SliceKind::CpuOp), row.ops ? ofCategory(facts, "cpu_op") : 0);
    QCOMPARE(count(SliceKind::Annotation), ofCategory(facts, "user_annotation"));
    QCOMPARE(count(SliceKind::Python), row.pythonFrames ? ofCategory(facts, "python_function") : 0);
    QCOMPARE(count(SliceKind::Launch) + count(SliceKind::Sync) + count(SliceKind::Runtime),
             ofCategory(facts, "cuda_runtime") + ofCategory(facts, "cuda_driver"));
    QCOMPARE(count(SliceKind::DeviceAnnotation), row.deviceAnnotations ? ofCategory(facts, "gpu_user_annotation") : 0);
    QCOMPARE(count(SliceKind::DeviceSync), row.deviceSyncs ? ofCategory(facts, "cuda_sync") : 0);
    QCOMPARE(count(SliceKind::Kernel), facts.kernels - facts.communicationKernels);
    QCOMPARE(count(SliceKind::CommunicationKernel), facts.communicationKernels);
    QCOMPARE(count(SliceKind::Memcpy), facts.memcpys);
    QCOMPARE(count(SliceKind::Memset), facts.memsets);
    QCOMPARE(count(SliceKind::Other), std::uint64_t(row.traceSpan ? 1 : 0));
    QCOMPARE(summary.kernelNs, facts.kernelNs);
    QCOMPARE(summary.kernelNames, facts.kernelNames);
    QCOMPARE(summary.communicationNs, facts.communicationNs);
    QCOMPARE(summary.launches, facts.launches);
    QCOMPARE(*summary.leastLatencyNs, facts.minLatencyNs);
    QCOMPARE(*summary.greatestLatencyNs, facts.maxLatencyNs);
    QCOMPARE(std::uint64_t(profile.links.size()), facts.linkedRuns);
    std::map<std::string, std::uint64_t> annotations;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.slices.kind[slice] == SliceKind::Annotation) ++annotations[std::string(profile.sliceName({slice}))];
    QVERIFY(annotations == facts.annotations);
}

void TestSameAnswers::compareDevice(const Profile& profile, const RankFacts& facts)
{
    QCOMPARE(int(profile.devices.size()), 1);
    const Device& device = profile.devices[0];
    QCOMPARE(device.name, "GPU-" + std::to_string(facts.device));
    QCOMPARE(device.model, std::string("NVIDIA H100 80GB HBM3"));
    QCOMPARE(device.streams, (std::vector<std::string>{"7", "20"}));
    QCOMPARE(profile.busy[device.busy].totalNs(), facts.busyNs);
    QCOMPARE(profile.processes[device.process].pid, std::to_string(facts.pid));
    QCOMPARE(*profile.processes[device.process].rank, std::int64_t(facts.rank));
    QCOMPARE(int(profile.processes[device.process].threads), 2);
}

void TestSameAnswers::compareSteps(const Profile& profile, const RankFacts& facts, const FormatRow& row)
{
    const std::int64_t originNs = profile.originUnixNs.value_or(0);
    QCOMPARE(profile.steps.size(), facts.steps.size());
    for (std::size_t step = 0; step < facts.steps.size(); ++step) {
        const StepFacts& expected = facts.steps[step];
        QCOMPARE(profile.steps[step].number, expected.number);
        QCOMPARE(originNs + profile.steps[step].host.beginNs, expected.hostStartNs);
        QCOMPARE(profile.steps[step].host.lengthNs(), expected.hostDurNs);
        // A device annotation covers its own thread's runs only; without one it is the runs launched in the step.
        QVERIFY(profile.steps[step].device.has_value());
        if (row.deviceAnnotations) continue;
        QCOMPARE(originNs + profile.steps[step].device->beginNs, expected.deviceStartNs);
        QCOMPARE(originNs + profile.steps[step].device->endNs, expected.deviceEndNs);
    }
}

void TestSameAnswers::compareSpan(const Profile& profile, const RankFacts& facts, const FormatRow& row)
{
    const std::int64_t originNs = profile.originUnixNs.value_or(0);
    const StepFacts& last = facts.steps.back();
    QCOMPARE(originNs + profile.span.beginNs, row.traceSpan ? facts.firstNs : facts.steps.front().hostStartNs);
    QCOMPARE(originNs + profile.span.endNs,
             row.traceSpan ? facts.lastNs : std::max(last.hostStartNs + last.hostDurNs, facts.lastRunNs));
}

void TestSameAnswers::wholeJob_data()
{
    QTest::addColumn<int>("format");
    for (int format = 0; format < std::ssize(kFormats); ++format) QTest::newRow(kFormats[format].key) << format;
}

/// All ranks of a job as one profile.
void TestSameAnswers::wholeJob()
{
    QFETCH(int, format);
    const TempFolder folder;
    const GeneratorFacts facts = generate(format, int(std::ssize(kJobs)) - 1, folder);
    QVERIFY(facts.ok());
    const auto opened = open(folder.path("job"));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(int(profile.hosts.size()), 2);
    QCOMPARE(int(profile.devices.size()), 4);
    std::uint64_t links = 0;
    for (const RankFacts& rank : facts.ranks) links += rank.linkedRuns;
    QCOMPARE(std::uint64_t(profile.links.size()), links);
    QCOMPARE(profile.steps.size(), facts.ranks.size() * facts.ranks[0].steps.size());
    QSet<qint64> ranks;
    for (const Device& device : profile.devices) ranks += *profile.processes[device.process].rank;
    QCOMPARE(ranks, (QSet<qint64>{0, 1, 2, 3}));
}

QTEST_GUILESS_MAIN(TestSameAnswers)
#include "tst_sameanswers.moc"
