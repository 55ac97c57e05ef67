// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/LinkQuery.h"
#include "analysis/SliceDetails.h"
#include "importers/OpenProfile.h"
#include "importers/kineto/TraceMetadata.h"
#include "io/JsonText.h"
#include "support/TempFiles.h"
#include "support/TraceTexts.h"

#include <QtTest>
#include <thread>
#include <unistd.h>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

std::int64_t startOf(const Profile& profile, std::string_view name)
{
    return profile.slices.startNs[sliceNamed(profile, name).value];
}

std::int64_t durOf(const Profile& profile, std::string_view name)
{
    return profile.slices.durNs[sliceNamed(profile, name).value];
}

std::vector<std::pair<std::string, std::string>> texts(const std::vector<SourceField>& fields)
{
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const SourceField& field : fields) pairs.emplace_back(field.key, field.value);
    return pairs;
}

} // namespace

class TestImporter : public QObject
{
    Q_OBJECT

private slots:
    void newestEra();
    void oldestEra();
    void keysInAnyOrder();
    void timesInAnyNotation();
    void displayUnitChangesNothing();
    void oddDurations();
    void numbersBeyond64Bits();
    void idsAsText();
    void namesWithEscapes();
    void bracketsInNames();
    void countersOfEveryArgument();
    void graphLaunch();
    void arrowsReplaceMissingIds();
    void annotationsFindTheirDevice();
    void memoryOf2021();
    void stepNumbersThatComeAgain();
    void largeFileInManyWindows();
    void gzipAndZstdAlike();
    void gzipOfSeveralMembers();
    void foldersOfRanks();
    void archivesAreFolders_data();
    void archivesAreFolders();
    void cancelStopsLoading();
    void changedFilesAreNotRead();
    void rankFromName_data();
    void rankFromName();
    void hostFromName();
    void valueLengthRespectsStrings();
    void fieldsKeepTheirText();
};

void TestImporter::newestEra()
{
    const auto profile = opened(kKinetoVector);
    QVERIFY(profile);
    QCOMPARE(profile->format, std::string("kineto"));
    QCOMPARE(*profile->originUnixNs, std::int64_t(1700000000000000000));
    QCOMPARE(*profile->processes[0].rank, std::int64_t(3));
    QCOMPARE(*profile->files[0].worldSize, std::int64_t(8));
    QCOMPARE(profile->devices[0].model, std::string("Test GPU"));
    QCOMPARE(int(profile->slices.size()), 4);
    QCOMPARE(int(profile->steps.size()), 1);
    QCOMPARE(profile->steps[0].name(), std::string("step_5"));
    QCOMPARE(profile->steps[0].host.lengthNs(), std::int64_t(90'500));
    const std::string_view run = "nvjet_tst_64x64_64x6_1x1_v_bz_TNN";
    QCOMPARE(*profile->originUnixNs + startOf(*profile, run), std::int64_t(1700000000000121250));
    QCOMPARE(int(profile->links.size()), 1);
    QCOMPARE(launchLatencyNs(*profile, profile->links.launch[0], profile->links.run[0]), std::int64_t(6249));
    QVERIFY(profile->flows.empty());
    QCOMPARE(profile->counters[0].value.front(), 2048.0);
    QCOMPARE(profile->counters[0].timeNs.front(), std::int64_t(112'000));
    QCOMPARE(printedTree(*profile), QByteArray("host\n"
                                               "  GPUs\n"
                                               "    rank 3 · pid 77\n"
                                               "      steps [1]\n"
                                               "      GPU-0 utilisation\n"
                                               "      GPU-0 host [2]\n"
                                               "      GPU-0 device\n"
                                               "        stream 7 [1]\n"
                                               "        counters\n"
                                               "          memory allocated\n"
                                               "          memory reserved\n"
                                               "      threads\n"
                                               "        thread 77 (main) [3]\n"));
}

void TestImporter::oldestEra()
{
    const auto profile = opened(R"({"traceEvents": [
        {"ph":"X","cat":"Operator","name":"ProfilerStep#2","pid":5,"tid":"5","ts":1621401187223000,"dur":900,"args":{}},
        {"ph":"X","cat":"Runtime","name":"cudaMemcpyAsync","pid":5,"tid":"5","ts":1621401187223005,"dur":20,
         "args":{"cbid":41,"correlation":311,"external id":31}},
        {"ph":"X","cat":"Memcpy","name":"Memcpy HtoD [Pageable to Device]","pid":0,"tid":"stream 7",
         "ts":1621401187223056,"dur":1,"args":{"device":0,"context":1,"stream":7,"correlation":311}}],
        "schemaVersion": 1})");
    QVERIFY(profile);
    QCOMPARE(*profile->originUnixNs, std::int64_t(0));
    QCOMPARE(profile->span.beginNs, std::int64_t(1621401187223000000));
    QCOMPARE(int(profile->links.size()), 1);
    QCOMPARE(profile->devices[0].streams, std::vector<std::string>{"7"});
    QCOMPARE(int(profile->steps.size()), 1);
    QCOMPARE(profile->slices.kind[sliceNamed(*profile, "cudaMemcpyAsync").value], SliceKind::Launch);
}

void TestImporter::keysInAnyOrder()
{
    const auto profile = opened(
        R"({"traceEvents":[{"args":{"correlation":1,"stream":3,"device":2},"dur":1.5,"ts":10,"tid":9,"pid":2,"name":"k",
        "cat":"kernel","ph":"X"},{"args":{"value":7.5},"ts":4,"pid":2,"name":"watts","ph":"C"}],"schemaVersion":1})");
    QVERIFY(profile);
    QCOMPARE(profile->devices[0].name, std::string("GPU-2"));
    QCOMPARE(profile->devices[0].streams, std::vector<std::string>{"3"});
    QCOMPARE(durOf(*profile, "k"), std::int64_t(1500));
    QCOMPARE(profile->counters[0].value, std::vector<double>{7.5});
}

void TestImporter::timesInAnyNotation()
{
    // Cases C02, C03 and C04.
    const auto profile = opened(
        list({kernel("a", "1.6921085481321545e+15", "4.75"), kernel("b", "1692108548132160.5", "4.5"),
              kernel("c", "\"1672924880617000.123\"", "0.250"), kernel("d", "1672924880617000.373", "\"0.101\"")}));
    QVERIFY(profile);
    QCOMPARE(startOf(*profile, "b") - startOf(*profile, "a"), std::int64_t(6000));
    QCOMPARE(startOf(*profile, "d") - startOf(*profile, "c") - durOf(*profile, "c"), std::int64_t(0));
    QCOMPARE(durOf(*profile, "d"), std::int64_t(101));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::TextTime), std::uint64_t(2));
    const auto touching = opened(R"({"traceEvents":[{"ph":"B","name":"p","pid":1,"tid":1,"ts":0},
        {"ph":"E","pid":1,"tid":1,"ts":1.1},{"ph":"B","name":"q","pid":1,"tid":1,"ts":1.1},
        {"ph":"E","pid":1,"tid":1,"ts":1.3},{"ph":"B","name":"r","pid":1,"tid":1,"ts":1.3},
        {"ph":"E","pid":1,"tid":1,"ts":1.6}]})");
    QCOMPARE(durOf(*touching, "p"), std::int64_t(1100));
    QCOMPARE(durOf(*touching, "q"), std::int64_t(200));
    QCOMPARE(durOf(*touching, "r"), std::int64_t(300));
    QCOMPARE(int(touching->ownRowCount), 1);
    QCOMPARE(touching->format, std::string("chrome"));
}

void TestImporter::displayUnitChangesNothing()
{
    for (const char* field : {"", R"("displayTimeUnit":"ns",)"}) { // case C05
        const auto profile = opened(QByteArray("{") + field + "\"traceEvents\":[" + kernel("a", "0", "1000") + "]}");
        QVERIFY(profile);
        QCOMPARE(durOf(*profile, "a"), std::int64_t(1'000'000));
    }
}

void TestImporter::oddDurations()
{
    // Case C11, and neighbours: none at all, one that no 64 bits hold.
    const auto profile = opened(
        list({kernel("negative", "100", "-5"), kernel("normal", "10", "20"),
              R"({"ph":"X","cat":"kernel","name":"none","pid":0,"tid":7,"ts":60})", kernel("huge", "61", "9e300")}));
    QVERIFY(profile);
    for (const char* name : {"negative", "none", "huge"}) QCOMPARE(durOf(*profile, name), std::int64_t(0));
    QCOMPARE(profile->span, (TimeSpan{10'000, 100'000}));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::NegativeDuration), std::uint64_t(1));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::MissingDuration), std::uint64_t(2));
}

void TestImporter::numbersBeyond64Bits()
{
    const auto profile = opened(R"({"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cpu_op","name":"comms","pid":0,
        "tid":1,"ts":200,"dur":100,"args":{"Comms Id":10159970886766084423,"Beyond":99999999999999999999999}},
        {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":0,"ts":1,"dur":1,
         "args":{"correlation":18446744073709551615,"device":0,"stream":0}},
        {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":0,"dur":1,
         "args":{"correlation":18446744073709551615}}]})");
    QVERIFY(profile);
    QCOMPARE(int(profile->slices.size()), 3);
    QCOMPARE(int(profile->links.size()), 1);
}

void TestImporter::idsAsText()
{
    const auto profile = opened(R"({"traceEvents":[
        {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":"9","tid":"main","ts":0,"dur":1,"args":{"correlation":"12"}},
        {"ph":"X","cat":"kernel","name":"k","pid":"0","tid":"stream 7","ts":5,"dur":1,"args":{"device":"0","stream":"7","correlation":12}},
        {"ph":"s","cat":"dep","name":"x","id":"0xff","pid":"9","tid":"main","ts":0},
        {"ph":"f","cat":"dep","name":"x","id":255,"pid":"9","tid":"main","ts":20,"bp":"e"},
        {"ph":"X","cat":"cpu_op","name":"later","pid":9,"tid":"main","ts":20,"dur":5}]})");
    QVERIFY(profile);
    QCOMPARE(int(profile->links.size()), 1);
    QCOMPARE(int(profile->flows.size()), 1);     // hexadecimal text and number are the same id
    QCOMPARE(int(profile->processes.size()), 1); // "9" and 9 are one process
}

void TestImporter::namesWithEscapes()
{
    const auto profile = opened(list({kernel("tab\\there \\\"quoted\\\" \\u00e9 \\ud83d\\ude00", "0", "1")}));
    QVERIFY(profile);
    QCOMPARE(profile->sliceName({0}), std::string_view("tab\there \"quoted\" \xC3\xA9 \xF0\x9F\x98\x80"));
}

void TestImporter::bracketsInNames()
{
    // Case C17, and the same in an event's name.
    const auto profile = opened("{\"schemaVersion\":1,\"traceEvents\":[" + kernel("a]}, {b", "0", "1") + "," +
                                kernel("c", "5", "1") + "],\"traceName\":\"fit-[Strategy]X\"}");
    QVERIFY(profile);
    QCOMPARE(int(profile->slices.size()), 2);
    QVERIFY(sliceNamed(*profile, "a]}, {b").valid());
    QCOMPARE(profile->files[0].metadata.back().second, std::string("\"fit-[Strategy]X\""));
}

void TestImporter::countersOfEveryArgument()
{
    const auto profile = opened(R"({"traceEvents":[
        {"ph":"C","name":"memory","pid":1,"ts":0,"args":{"used":1,"free":"2.5","text":"no number"}},
        {"ph":"C","name":"memory","pid":1,"ts":5,"args":{"used":3,"free":NaN}},
        {"ph":"C","name":"clk_unhalted_ref.tsc","pid":"CPU-3","ts":5,"args":{"value":7}}]})");
    QVERIFY(profile);
    QCOMPARE(int(profile->counters.size()), 3);
    QCOMPARE(profile->counters[0].name, std::string("memory · used"));
    QCOMPARE(profile->counters[0].value, (std::vector<double>{1, 3}));
    QCOMPARE(profile->counters[1].value, (std::vector<double>{2.5}));
    QCOMPARE(printedTree(*profile), QByteArray("host\n  CPU\n    CPU-3\n      clk_unhalted_ref.tsc\n"
                                               "  counters\n    memory · free\n    memory · used\n"));
}

void TestImporter::graphLaunch()
{
    const auto profile =
        opened(list({R"({"ph":"X","cat":"cuda_runtime","name":"cudaGraphLaunch","pid":9,"tid":9,"ts":0,
        "dur":10,"args":{"correlation":9}})",
                     kernel("a", "20", "10", ",\"correlation\":9"), kernel("b", "30", "15", ",\"correlation\":9"),
                     kernel("c", "50", "10", ",\"correlation\":9")}));
    QVERIFY(profile);
    QCOMPARE(int(runsOf(*profile, sliceNamed(*profile, "cudaGraphLaunch")).size()), 3);
}

void TestImporter::arrowsReplaceMissingIds()
{
    const auto profile = opened(R"({"traceEvents":[
        {"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":0,"dur":10},
        {"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":20,"dur":5,"args":{"device":0,"stream":7}},
        {"ph":"s","cat":"async","name":"launch","id":311,"pid":9,"tid":9,"ts":0},
        {"ph":"f","cat":"async","name":"launch","id":311,"pid":0,"tid":"stream 7","ts":20,"bp":"e"}]})");
    QVERIFY(profile);
    QCOMPARE(int(profile->links.size()), 1);
}

void TestImporter::annotationsFindTheirDevice()
{
    // A device annotation names no device; its pid is that of the kernels, whose number is another.
    const auto profile = opened(R"({"schemaVersion":1,"traceEvents":[
        {"ph":"X","cat":"gpu_user_annotation","name":"mark","pid":100000003,"tid":4,"ts":0,"dur":10},
        {"ph":"X","cat":"kernel","name":"k","pid":100000003,"tid":4,"ts":1,"dur":5,"args":{"device":3,"stream":4}}]})");
    QVERIFY(profile);
    QCOMPARE(int(profile->devices.size()), 1);
    QCOMPARE(profile->devices[0].name, std::string("GPU-3"));
}

void TestImporter::memoryOf2021()
{
    const auto profile = opened(R"({"schemaVersion":1,"traceEvents":[
        {"ph":"i","name":"[memory]","pid":9,"tid":9,"ts":1,"args":{"Device Type":1,"Device Id":0,"Bytes":512}},
        {"ph":"i","name":"[memory]","pid":9,"tid":9,"ts":2,"args":{"Device Type":1,"Device Id":0,"Bytes":-200}},
        {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":5,"args":{"device":0,"stream":7}}]})");
    QVERIFY(profile);
    QCOMPARE(profile->counters[0].name, std::string("memory since start"));
    QCOMPARE(profile->counters[0].value, (std::vector<double>{512, 312}));
}

void TestImporter::stepNumbersThatComeAgain()
{
    // Three epochs of two steps each; step 1 of the second epoch is mirrored on another thread.
    QByteArrayList events;
    const auto step = [&](int number, const char* tid, int at) {
        events += R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#)" + QByteArray::number(number) +
                  R"(","pid":1,"tid":)" + tid + R"(,"dur":10,"ts":)" + QByteArray::number(at) + "}";
    };
    for (int epoch = 0; epoch < 3; ++epoch)
        for (int number = 0; number < 2; ++number) step(number, "1", epoch * 100 + number * 20);
    step(1, "2", 122);
    const auto profile = opened(list(events));
    QVERIFY(profile);
    std::vector<std::pair<std::int64_t, std::int64_t>> steps;
    for (const Step& known : profile->steps) steps.emplace_back(known.number, known.host.beginNs / 1000);
    QCOMPARE(steps, (std::vector<std::pair<std::int64_t, std::int64_t>>{
                        {0, 0}, {1, 20}, {0, 100}, {1, 120}, {0, 200}, {1, 220}}));
}

void TestImporter::largeFileInManyWindows()
{
    QByteArray text = "{\"schemaVersion\":1,\n\"traceEvents\": [\n";
    constexpr int kCount = 60'000;
    for (int index = 0; index < kCount; ++index) {
        if (index > 0) text += ",\n";
        text += kernel("kernel " + QByteArray::number(index % 97), QByteArray::number(index * 10) + ".125", "4.5",
                       ",\"correlation\":" + QByteArray::number(index) + ",\"list\":[{\"a\":1},{\"b\":2}]");
    }
    text +=
        "\n], \"deviceProperties\": [{\"id\":0,\"name\":\"One\"},{\"id\":1,\"name\":\"Two\"}], \"traceName\": \"x\"}";
    QVERIFY(text.size() > 7'000'000);
    const auto profile = opened(text);
    QVERIFY(profile);
    QCOMPARE(int(profile->slices.size()), kCount);
    QCOMPARE(profile->busy[profile->devices[0].busy].totalNs(), std::int64_t(kCount) * 4500);
    QCOMPARE(profile->devices[0].model, std::string("One"));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::BrokenEvent), std::uint64_t(0));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::TruncatedFile), std::uint64_t(0));
    // Every slice is found again where it stood.
    for (std::uint32_t slice = 0; slice < profile->slices.size(); slice += 1009) {
        const SourceRef source = profile->slices.source[slice];
        QCOMPARE(text.mid(qsizetype(source.offset()), qsizetype(source.length())).left(14),
                 QByteArray("{\"ph\":\"X\",\"cat"));
        QVERIFY(text.mid(qsizetype(source.offset()), qsizetype(source.length())).endsWith("}}"));
    }
}

void TestImporter::gzipAndZstdAlike()
{
    const TempFolder folder;
    const auto plain = open(folder.write("a.json", kKinetoVector));
    const auto packed = open(folder.write("b.json", gzipped(kKinetoVector))); // by content, not by name
    QVERIFY(plain.ok() && packed.ok());
    QCOMPARE(packed.value()->slices.startNs, plain.value()->slices.startNs);
    QCOMPARE(int(packed.value()->links.size()), 1);
    for (std::uint32_t slice = 0; slice < 4; ++slice) {
        const auto fields = sourceFieldsOf(*packed.value(), {slice});
        QVERIFY(fields && !fields->empty());
        QCOMPARE(texts(*fields), texts(*sourceFieldsOf(*plain.value(), {slice})));
    }
}

void TestImporter::gzipOfSeveralMembers()
{
    const TempFolder folder;
    const qsizetype middle = kKinetoVector.size() / 2;
    const QByteArray packed =
        gzipped(kKinetoVector.left(middle)) + gzipped(kKinetoVector.mid(middle)) + QByteArray(100, '\0');
    const auto result = open(folder.write("a.json.gz", packed));
    QVERIFY(result.ok());
    QCOMPARE(int(result.value()->slices.size()), 4);
    QCOMPARE(diagnosticCount(*result.value(), DiagnosticCode::TruncatedFile), std::uint64_t(0));
}

void TestImporter::archivesAreFolders_data()
{
    QTest::addColumn<QByteArray>("content");
    const std::vector<std::pair<std::string, QByteArray>> files = {
        {"job/rank-0.json", kKinetoVector}, {"job/notes.txt", "hello"}, {"job/rank-1.json.gz", gzipped(kKinetoVector)}};
    QTest::newRow("zip") << archived(ArchiveKind::Zip, files);
    QTest::newRow("tar") << archived(ArchiveKind::Tar, files);
    QTest::newRow("tar.gz") << gzipped(archived(ArchiveKind::Tar, files));
    QTest::newRow("damaged zip") << archived(ArchiveKind::Zip, files).left(300);
    QTest::newRow("damaged tar") << archived(ArchiveKind::Tar, files).left(700);
}

void TestImporter::archivesAreFolders()
{
    QFETCH(QByteArray, content);
    const TempFolder folder;
    const auto result = open(folder.write("job.archive", content));
    if (QByteArray(QTest::currentDataTag()).startsWith("damaged")) {
        QVERIFY(!result.ok() || !result.value()->diagnostics.empty());
        return;
    }
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().sentence().c_str());
    const Profile& profile = *result.value();
    QCOMPARE(profile.format, std::string("folder"));
    QCOMPARE(int(profile.slices.size()), 8); // four of each rank
    QCOMPARE(profile.files[1].path, folder.path("job.archive") + "/job/rank-1.json.gz");
    QVERIFY(sourceFieldsOf(profile, {0}).has_value()); // found again without unpacking anything
}

void TestImporter::foldersOfRanks()
{
    const TempFolder folder;
    for (int rank : {0, 1, 10, 2}) {
        QByteArray text = kKinetoVector;
        text.replace("\"rank\": 3", "\"rank\": " + QByteArray::number(rank));
        folder.write("rank" + std::to_string(rank) + ".json.gz", gzipped(text));
    }
    folder.write("notes.txt", "nothing to see");
    const auto result = open(folder.path());
    QVERIFY(result.ok());
    const Profile& profile = *result.value();
    QCOMPARE(int(profile.files.size()), 4);
    QCOMPARE(int(profile.slices.size()), 16);
    QCOMPARE(int(profile.links.size()), 4);
    QStringList ranks;
    for (const QByteArray& line : printedTree(profile).split('\n'))
        if (line.contains("rank ")) ranks += QString::fromUtf8(line.trimmed());
    QCOMPARE(ranks, QStringList({"rank 0 · pid 77", "rank 1 · pid 77", "rank 2 · pid 77", "rank 10 · pid 77"}));
}

void TestImporter::cancelStopsLoading()
{
    QByteArray text = "[";
    for (int index = 0; index < 100'000; ++index) text += kernel("k", QByteArray::number(index), "1") + ",\n";
    const TempFolder folder;
    const std::string path = folder.write("large.json", text);
    LoadProgress progress;
    progress.cancel();
    const auto result = openProfile(path, progress);
    QVERIFY(result.ok());
    QVERIFY(!result.value());
    QVERIFY(progress.doneBytes() < std::uint64_t(text.size()));
}

void TestImporter::changedFilesAreNotRead()
{
    const TempFolder folder;
    const std::string path = folder.write("a.json", kKinetoVector);
    const auto result = open(path);
    QVERIFY(result.ok());
    QVERIFY(sourceFieldsOf(*result.value(), {0}).has_value());
    QCOMPARE(::truncate(path.c_str(), 10), 0);
    QVERIFY(!sourceFieldsOf(*result.value(), {0}).has_value());
}

void TestImporter::rankFromName_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("rank");
    QTest::newRow("plain") << "rank3.json" << 3; // case C20
    QTest::newRow("dash") << "/data/rank-12.json.gz" << 12;
    QTest::newRow("underscore") << "trace_rank_7.json" << 7;
    QTest::newRow("behind another word") << "bs_32_rank0.json" << 0;
    QTest::newRow("capital") << "Rank_4.pt.trace.json" << 4;
    QTest::newRow("none") << "worker0.json" << -1;
    QTest::newRow("inside a word") << "frank5.json" << -1;
    QTest::newRow("no number") << "rank_not_found.json" << -1;
    QTest::newRow("only in the folder") << "/rank3/trace.json" << -1;
}

void TestImporter::rankFromName()
{
    QFETCH(QString, name);
    QFETCH(int, rank);
    QCOMPARE(int(kineto::rankFromFileName(name.toStdString()).value_or(-1)), rank);
}

void TestImporter::hostFromName()
{
    using kineto::hostAndPidFromFileName;
    QCOMPARE(hostAndPidFromFileName("/x/ip-10-0-1-17_812.1694128201545.pt.trace.json"),
             std::pair(std::string("ip-10-0-1-17"), std::string("812")));
    QCOMPARE(hostAndPidFromFileName("trace.json").first, std::string());
    QCOMPARE(hostAndPidFromFileName("worker0.pt.trace.json").first, std::string());
    const TempFolder folder;
    const auto known = open(folder.write("node-a_77.1694128201545.pt.trace.json", kKinetoVector));
    QCOMPARE(known.value()->hosts[0].name, std::string("node-a"));
    // The number is no process of the file, so the name is no host's either.
    const auto other = open(folder.write("worker0_step_12.1694128201545.pt.trace.json", kKinetoVector));
    QCOMPARE(other.value()->hosts[0].name, std::string("host"));
}

void TestImporter::valueLengthRespectsStrings()
{
    const std::string_view nested = "{\"a\": \"}\", \"b\": [1, \"]\"]} tail";
    QCOMPARE(json::valueLength(nested), std::optional<std::size_t>(nested.size() - 5)); // without " tail"
    const std::string_view escaped = "{\"a\": \"\\\"}\"}";
    QCOMPARE(json::valueLength(escaped), std::optional<std::size_t>(escaped.size()));
    QVERIFY(!json::valueLength("{\"a\": \"})"));
    QVERIFY(!json::valueLength("{[}"));
    QCOMPARE(json::lastEventBorder("{\"a\":1},\n{\"b\":2}"), std::optional<std::size_t>(7));
    QVERIFY(!json::lastEventBorder("{\"a\":1}"));
}

void TestImporter::fieldsKeepTheirText()
{
    const std::string_view text = "{\"Comms Id\": 10159970886766084423, \"a\\\"b\":\"x}\" ,\"dims\":[[4, 8], []],"
                                  "\"inf\": -inf,\"ratio\":0.10, \"o\":{\"k\":[1]}}";
    const auto fields = json::fieldsOf(text);
    QCOMPARE(int(fields.size()), 6);
    QCOMPARE(fields[0].key, std::string("Comms Id"));
    QCOMPARE(fields[0].value, std::string_view("10159970886766084423"));
    QCOMPARE(fields[1].key, std::string("a\"b"));
    QCOMPARE(fields[1].value, std::string_view("\"x}\""));
    QCOMPARE(fields[2].value, std::string_view("[[4, 8], []]"));
    QCOMPARE(fields[3].value, std::string_view("-inf"));
    QCOMPARE(fields[4].value, std::string_view("0.10"));
    QCOMPARE(fields[5].value, std::string_view("{\"k\":[1]}"));
    QVERIFY(json::fieldsOf("[1]").empty());
    QCOMPARE(int(json::fieldsOf("{\"a\":1,\"b\":[2").size()), 1);
}

QTEST_GUILESS_MAIN(TestImporter)
#include "tst_importer.moc"
