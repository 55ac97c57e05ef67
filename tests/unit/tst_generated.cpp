// SPDX-License-Identifier: GPL-3.0-or-later
// Generated profiles against what the generator says about them. The two share no code.
#include "analysis/LinkQuery.h"
#include "analysis/ProfileSummary.h"
#include "analysis/SliceDetails.h"
#include "cli/InfoCommand.h"
#include "generator/ProfileGenerator.h"
#include "support/TempFiles.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>
#include <sstream>

using namespace stepscope;
using namespace stepscope::test;

class TestGenerated : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithTheGenerator_data();
    void agreesWithTheGenerator();
    void sampleHasItsSlowStep();
    void infoHasEveryKey();
    void infoCommandSpeaksInExitCodes();
    void argumentsOfEverySlice();
};

void TestGenerated::agreesWithTheGenerator_data()
{
    QTest::addColumn<int>("variant");
    QTest::newRow("plain") << 0;
    QTest::newRow("graphs and counters") << 1;
    QTest::newRow("stacks, memory, base at the end") << 2;
    QTest::newRow("several ranks with a straggler") << 3;
    QTest::newRow("no collectives, packed") << 4;
    QTest::newRow("several windows") << 5;
}

void TestGenerated::agreesWithTheGenerator()
{
    QFETCH(int, variant);
    GeneratorOptions options;
    options.steps = 6;
    options.seed = unsigned(variant) + 100;
    options.cudaGraphs = variant == 1;
    options.gpuCounters = variant == 1;
    options.pythonStacks = options.memoryEvents = options.baseTimeLast = variant == 2;
    options.annotationDepth = variant == 2 ? 6 : 2;
    if (variant == 3) {
        options.hosts = 2;
        options.gpusPerHost = 2;
        options.slowStep = 4;
        options.stragglerRank = 3;
    }
    if (variant == 4) options.collectives = 0;
    options.gzip = variant == 4;
    if (variant == 5) options.targetBytes = 9'000'000;

    const TempFolder folder;
    const GeneratorFacts facts = generateProfile(options, folder.path("job"));
    QVERIFY(facts.ok());
    for (const RankFacts& rank : facts.ranks) {
        const auto opened = open((std::filesystem::path(folder.path("job")) / rank.file).string());
        QVERIFY(opened.ok());
        const Profile& profile = *opened.value();
        const ProfileSummary summary = summarise(profile);
        QCOMPARE(profile.hosts[0].name, rank.host);
        QCOMPARE(std::uint64_t(profile.slices.size()), std::uint64_t(rank.slices));
        QCOMPARE(*profile.originUnixNs + profile.span.beginNs, rank.firstNs);
        QCOMPARE(*profile.originUnixNs + profile.span.endNs, rank.lastNs);
        QCOMPARE(std::uint64_t(profile.links.size()), std::uint64_t(rank.linkedRuns));
        QCOMPARE(summary.runs, std::uint64_t(rank.kernels + rank.memcpys + rank.memsets));
        QCOMPARE(summary.kernelNs, rank.kernelNs);
        QCOMPARE(summary.communicationCount, std::uint64_t(rank.communicationKernels));
        QCOMPARE(summary.communicationNs, rank.communicationNs);
        QCOMPARE(summary.kernelNames, std::uint64_t(rank.kernelNames));
        QCOMPARE(*summary.leastLatencyNs, rank.minLatencyNs);
        QCOMPARE(*summary.greatestLatencyNs, rank.maxLatencyNs);
        QCOMPARE(profile.busy[profile.devices[0].busy].totalNs(), rank.busyNs);
        QCOMPARE(profile.steps.size(), rank.steps.size());
        for (std::size_t step = 0; step < rank.steps.size(); ++step) {
            QCOMPARE(profile.steps[step].number, rank.steps[step].number);
            QCOMPARE(profile.steps[step].host.lengthNs(), rank.steps[step].hostDurNs);
            QCOMPARE(*profile.originUnixNs + profile.steps[step].host.beginNs, rank.steps[step].hostStartNs);
        }
        for (const Diagnostic& diagnostic : profile.diagnostics)
            QVERIFY2(diagnostic.severity == Severity::Info, diagnostic.message.c_str());
    }
}

void TestGenerated::sampleHasItsSlowStep()
{
    const TempFolder folder;
    const GeneratorFacts facts = generateProfile(sampleOptions(), folder.path("sample"));
    QVERIFY(facts.ok() && facts.slowStep.has_value());
    const auto opened = open(folder.path("sample"));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(int(profile.hosts.size()), 2);
    QCOMPARE(int(profile.devices.size()), 16);
    const ProfileSummary summary = summarise(profile);
    QCOMPARE(int(summary.steps.size()), 50);
    for (const auto& step : summary.steps) QVERIFY((step.hostNs > 180'000'000) == (step.number == 41));
    // The longest collective of step_41 is the AllReduce on GPU-0 that waits for the straggler.
    std::uint32_t longest = 0;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.slices.kind[slice] == SliceKind::CommunicationKernel &&
            (profile.slices.kind[longest] != SliceKind::CommunicationKernel ||
             profile.slices.durNs[slice] > profile.slices.durNs[longest]))
            longest = slice;
    QCOMPARE(profile.slices.durNs[longest], facts.slowStep->durNs);
    QCOMPARE(profile.steps[*stepOf(profile, {longest})].number, std::int64_t(41));
    const auto& metadata = profile.files[0].metadata;
    QVERIFY(
        std::any_of(metadata.begin(), metadata.end(), [](const auto& entry) { return entry.first == "synthetic"; }));
}

void TestGenerated::infoHasEveryKey()
{
    const TempFolder folder;
    GeneratorOptions options;
    QVERIFY(generateProfile(options, folder.path("job")).ok());
    const auto opened = open(folder.path("job"));
    QVERIFY(opened.ok());
    const QJsonObject info = QJsonDocument::fromJson(QByteArray::fromStdString(infoJson(*opened.value()))).object();
    for (const char* key : {"format", "files", "origin_unix_ns", "first_ns", "span_ns", "hosts", "devices", "slices",
                            "kernels", "counters", "links", "steps", "annotations", "diagnostics"})
        QVERIFY2(info.contains(QLatin1String(key)), key);
    const auto has = [](const QJsonValue& value, std::initializer_list<const char*> keys) {
        return std::all_of(keys.begin(), keys.end(),
                           [&](const char* key) { return value.toObject().contains(QLatin1String(key)); });
    };
    QVERIFY(has(info["hosts"][0], {"name", "processes", "threads"}));
    QVERIFY(has(info["devices"][0], {"host", "name", "streams", "busy_ns", "kernels", "memcpys", "memsets"}));
    QVERIFY(
        has(info["slices"]["by_kind"], {"cpu_op", "launch", "sync", "runtime", "python", "annotation", "gpu_annotation",
                                        "kernel", "memcpy", "memset", "device_sync", "overhead", "other"}));
    QVERIFY(has(info["kernels"], {"names", "total_ns", "communication", "top"}));
    QVERIFY(has(info["kernels"]["communication"], {"count", "total_ns"}));
    QVERIFY(has(info["kernels"]["top"][0], {"name", "total_ns", "count"}));
    QVERIFY(has(info["counters"], {"series", "samples"}));
    QVERIFY(has(info["links"], {"launches", "runs", "linked_runs", "unlinked_runs", "latency_ns"}));
    QVERIFY(has(info["links"]["latency_ns"], {"min", "median", "max", "negative"}));
    QVERIFY(has(info["steps"], {"count", "first", "last", "host_ns", "device_ns"}));
}

void TestGenerated::infoCommandSpeaksInExitCodes()
{
    const TempFolder folder;
    const std::string good = folder.write(
        "a.json", R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":2}]})");
    const std::string bad = folder.write("b.json", "no JSON");
    const auto run = [](std::vector<std::string_view> arguments, std::string& out, std::string& err) {
        std::ostringstream outStream;
        std::ostringstream errStream;
        const int code = runInfo(arguments, outStream, errStream);
        out = outStream.str();
        err = errStream.str();
        return code;
    };
    std::string out;
    std::string err;
    QCOMPARE(run({good}, out, err), int(kExitDone));
    QVERIFY(out.find("1 kernel") != std::string::npos && err.empty());
    QCOMPARE(run({good, "--json"}, out, err), int(kExitDone));
    QVERIFY(QJsonDocument::fromJson(QByteArray::fromStdString(out)).isObject() && err.empty());
    QCOMPARE(run({bad}, out, err), int(kExitUnreadable));
    QVERIFY(out.empty());
    QCOMPARE(int(std::count(err.begin(), err.end(), '\n')), 1);
    QCOMPARE(run({}, out, err), int(kExitUsage));
    QCOMPARE(run({good, good}, out, err), int(kExitUsage));
    QCOMPARE(run({good, "--yaml"}, out, err), int(kExitUsage));
}

void TestGenerated::argumentsOfEverySlice()
{
    const TempFolder folder;
    GeneratorOptions options;
    options.targetBytes = 5'000'000; // several windows
    const GeneratorFacts facts = generateProfile(options, folder.path("job"));
    const auto opened = open((std::filesystem::path(folder.path("job")) / facts.ranks[0].file).string());
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice) {
        const auto fields = sourceFieldsOf(profile, {slice});
        QVERIFY(fields.has_value());
        const auto name =
            std::find_if(fields->begin(), fields->end(), [](const auto& field) { return field.key == "name"; });
        QVERIFY(name != fields->end());
        QCOMPARE(name->value, std::string(profile.sliceName({slice})));
    }
}

QTEST_GUILESS_MAIN(TestGenerated)
#include "tst_generated.moc"
