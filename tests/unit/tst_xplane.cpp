// SPDX-License-Identifier: GPL-3.0-or-later
// XPlane files made by hand: what they mean, and what becomes of broken ones.
#include "analysis/SliceDetails.h"
#include "generator/XPlaneBytes.h"
#include "importers/OpenProfile.h"
#include "io/SourceText.h"
#include "support/TempFiles.h"

#include <QFile>
#include <QtTest>
#include <thread>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

using Message = XPlaneBytes;

/// The first of the project's hand-made vectors: a host thread, a stream, the wall clock, maps behind the lines.
const QByteArray kVector = QByteArray::fromHex(
    "0a9e0112092f686f73743a4350551a3308b4241206707974686f6e18e8072213080218c0a8a504220408052007220408062001220e08011"
    "0f40318e80722040801182a2217080112130801120f6869704c61756e63684b65726e656c220d0802120908021205747261696e2a160801"
    "12120801120e636f7272656c6174696f6e5f69642a100805120c08051208737465705f6e756d2a0a08061206080612025f720abd0108011"
    "20d2f6465766963653a4750553a301a2f0811121253747265616d20233137284b65726e656c2918e8072214080110c41318d83622040801"
    "182a2204080238032214080112100801120c6d795f6b65726e656c2e6b642a16080112120801120e636f7272656c6174696f6e5f69642a1"
    "6080212120802120e6b65726e656c5f64657461696c732a330803122f0803122b726567733a333220677269643a342c312c3120626c6f63"
    "6b3a3132382c312c31206f63635f7063743a35300a3c12105461736b20456e7669726f6e6d656e742a1a080112160801121270726f66696"
    "c655f73746172745f74696d65320c0801188080a8b1e39fe7cb1722066e6f64652d61");

QByteArray bytesOf(const Message& message)
{
    return QByteArray(message.text().data(), static_cast<qsizetype>(message.size()));
}

Message xevent(std::int64_t id, std::int64_t offsetPs, std::int64_t durationPs)
{
    return Message().number(1, id).number(2, offsetPs).number(3, durationPs);
}
Message stat(std::int64_t id, std::int64_t value) { return Message().number(1, id).number(4, value); }
Message textStat(std::int64_t id, std::string_view value) { return Message().number(1, id).bytes(5, value); }
Message named(std::int64_t id, std::string_view name)
{
    return Message().number(1, id).bytes(2, Message().number(1, id).bytes(2, name));
}
Message line(std::int64_t id, std::string_view name, std::int64_t timestampNs)
{
    return Message().number(1, id).bytes(2, name).number(3, timestampNs);
}
Message plane(std::string_view name) { return Message().bytes(2, name); }
/// A space of one host plane with one line of these events, and names for the ids 1 and 2.
QByteArray hostSpace(const std::vector<Message>& events, std::int64_t timestampNs = 1000)
{
    Message thread = line(7, "python", timestampNs);
    for (const Message& one : events) thread.bytes(4, one);
    Message host = plane("/host:CPU").bytes(3, thread).bytes(4, named(1, "outer")).bytes(4, named(2, "inner"));
    return bytesOf(Message().bytes(1, host));
}

Result<std::shared_ptr<const Profile>> openBytes(const QByteArray& bytes, const std::string& name = "host-a.xplane.pb")
{
    const TempFolder folder;
    return open(folder.write(name, bytes));
}

std::string valueOf(const std::vector<SourceField>& fields, std::string_view key)
{
    for (const SourceField& field : fields)
        if (field.key == key) return field.value;
    return "(none)";
}

} // namespace

class TestXPlane : public QObject
{
    Q_OBJECT

private slots:
    void vectorOpens();
    void packedFilesOpen();
    void fieldsAreFoundUntilTheFileChanges();
    void everyTruncationIsToldOrRefused();
    void everyFlippedByteIsSurvived();
    void wrongFilesAreRefused_data();
    void wrongFilesAreRefused();
    void strangeTimes();
    void picosecondsAreFlooredAtBothEnds();
    void clocks();
    void danglingIdsAndBrokenTexts();
    void brokenRecordsCostOnlyThemselves();
    void absurdLengthsAndDepths();
    void devicesAndTheirLines();
    void kindsOfHostSlices();
    void stepsByTheirSources();
    void arrowsAndCounters();
    void reportsAndAggregates();
    void cancelStops();
    void folderWithSummaries();
};

void TestXPlane::vectorOpens()
{
    const auto opened = openBytes(kVector);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().sentence().c_str());
    const Profile& profile = *opened.value();
    QCOMPARE(profile.format, std::string("xplane"));
    QCOMPARE(profile.hosts[0].name, std::string("node-a"));
    QCOMPARE(*profile.originUnixNs, std::int64_t(1700000000000000000));
    QCOMPARE(profile.slices.size(), std::size_t(3));
    const SliceId kernel = sliceNamed(profile, "my_kernel.kd");
    QCOMPARE(profile.slices.startNs[kernel.value], std::int64_t(1002)); // 1002.5
    QCOMPARE(profile.slices.durNs[kernel.value], std::int64_t(7));      // to 1009.5
    QCOMPARE(profile.slices.kind[kernel.value], SliceKind::Kernel);
    const SliceId launch = sliceNamed(profile, "hipLaunchKernel");
    QCOMPARE(profile.slices.kind[launch.value], SliceKind::Launch);
    QCOMPARE(profile.links.size(), std::size_t(1));
    QCOMPARE(profile.links.launch[0], launch);
    QCOMPARE(profile.links.run[0], kernel);
    QCOMPARE(profile.steps.size(), std::size_t(1));
    QCOMPARE(profile.steps[0].number, std::int64_t(7));
    QCOMPARE(profile.steps[0].host, (TimeSpan{1000, 10'000}));
    QCOMPARE(profile.devices.size(), std::size_t(1));
    QCOMPARE(profile.devices[0].name, std::string("GPU-0"));
    QCOMPARE(profile.devices[0].streams, std::vector<std::string>{"17"});
    QCOMPARE(profile.track(profile.trackOf(kernel)).name, std::string("stream 17 (Kernel)"));
    QCOMPARE(profile.track(profile.trackOf(launch)).name, std::string("python"));
    const auto fields = sourceFieldsOf(profile, kernel);
    QVERIFY(fields.has_value());
    QCOMPARE(valueOf(*fields, "name"), std::string("my_kernel.kd"));
    QCOMPARE(valueOf(*fields, "kernel_details"), std::string("regs:32 grid:4,1,1 block:128,1,1 occ_pct:50"));
    QCOMPARE(valueOf(*fields, "correlation_id"), std::string("42"));
    QCOMPARE(valueOf(*fields, "offset_ps"), std::string("2500"));
}

void TestXPlane::packedFilesOpen()
{
    const std::vector<char> frame =
        packText(std::string_view(kVector.data(), std::size_t(kVector.size())), 0)[0].packed;
    const QByteArray zst(frame.data(), static_cast<qsizetype>(frame.size()));
    const TempFolder folder;
    for (const std::string& path :
         {folder.write("a.xplane.pb.gz", gzipped(kVector)), folder.write("a.xplane.pb.zst", zst)}) {
        const auto opened = open(path);
        QVERIFY2(opened.ok(), path.c_str());
        QCOMPARE(opened.value()->links.size(), std::size_t(1));
        const auto fields = sourceFieldsOf(*opened.value(), sliceNamed(*opened.value(), "my_kernel.kd"));
        QVERIFY(fields.has_value());
        QCOMPARE(valueOf(*fields, "correlation_id"), std::string("42"));
    }
    const auto cut = open(folder.write("cut.gz", gzipped(kVector + kVector).left(200)));
    QVERIFY(!cut.ok() || diagnosticCount(*cut.value(), DiagnosticCode::TruncatedFile) > 0);
}

void TestXPlane::fieldsAreFoundUntilTheFileChanges()
{
    const TempFolder folder;
    const std::string path = folder.write("a.pb", kVector);
    const auto opened = open(path);
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    std::vector<std::jthread> readers;
    std::atomic<int> good = 0;
    for (int reader = 0; reader < 4; ++reader)
        readers.emplace_back([&] {
            for (std::uint32_t round = 0; round < 300; ++round)
                if (const auto fields = sourceFieldsOf(profile, {round % 3}); fields && fields->size() >= 6) ++good;
        });
    readers.clear();
    QCOMPARE(good.load(), 1200);
    folder.write("a.pb", kVector + '\0');
    QVERIFY(!sourceFieldsOf(profile, {0}).has_value());
}

void TestXPlane::everyTruncationIsToldOrRefused()
{
    std::size_t shown = 0;
    for (qsizetype length = 1; length < kVector.size(); ++length) {
        const auto opened = openBytes(kVector.left(length));
        if (!opened.ok()) {
            QVERIFY(opened.error().sentence().size() > 20);
            continue;
        }
        ++shown;
        // Where a plane ends, nothing tells that there was more.
        if (length == 161 || length == 353 || length == 415) continue;
        QVERIFY2(diagnosticCount(*opened.value(), DiagnosticCode::TruncatedFile) > 0, std::to_string(length).c_str());
    }
    QVERIFY(shown > 350);
    // The kernel is whole before the names of its plane are.
    const auto half = openBytes(kVector.left(250));
    QVERIFY(half.ok());
    QCOMPARE(half.value()->slices.size(), std::size_t(3));
    QVERIFY(sliceNamed(*half.value(), "event 1").valid());
    QCOMPARE(diagnosticCount(*half.value(), DiagnosticCode::DanglingReference), std::uint64_t(1));
}

void TestXPlane::everyFlippedByteIsSurvived()
{
    const TempFolder folder;
    for (qsizetype at = 0; at < kVector.size(); ++at)
        for (const char value : {'\x00', '\x7f', '\xff'}) {
            QByteArray bytes = kVector;
            bytes[at] = value;
            const auto opened = open(folder.write("flipped.pb", bytes));
            if (!opened.ok()) continue;
            for (std::uint32_t slice = 0; slice < opened.value()->slices.size(); ++slice)
                static_cast<void>(sourceFieldsOf(*opened.value(), {slice}));
        }
}

void TestXPlane::wrongFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("part");
    QTest::newRow("empty") << QByteArray() << "a.xplane.pb"
                           << "empty";
    QTest::newRow("no magic") << QByteArray("\x0b\x01\x02", 3) << "a.xplane.pb"
                              << "no format";
    QTest::newRow("no planes") << bytesOf(Message().bytes(4, "node-a")) << "a.xplane.pb"
                               << "no format";
    QTest::newRow("no events") << bytesOf(Message().bytes(1, plane("/host:CPU").bytes(3, line(1, "t", 5)))) << "a.pb"
                               << "none of its 1 planes";
    QTest::newRow("only aggregates") << hostSpace({Message().number(1, 1).number(5, 3)}) << "a.pb"
                                     << "none of its";
    QTest::newRow("ends in the first line") << kVector.left(30) << "a.pb"
                                            << "before the first event";
    QTest::newRow("summary") << bytesOf(Message().bytes(2, Message().real(1, 2).real(3, 4))) << "h.overview_page.pb"
                             << "summary (overview_page)";
    QByteArray damaged("\n\xef\xbf\xbd\xef\xbf\xbd\x06\x12\x0d/device:GPU:0");
    for (int count = 0; count < 8; ++count) damaged += "\x1a\x05\xef\xbf\xbd";
    QTest::newRow("copied as text") << damaged << "a.xplane.pb"
                                    << "damaged";
}

void TestXPlane::wrongFilesAreRefused()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, name);
    QFETCH(QString, part);
    const auto opened = openBytes(bytes, name.toStdString());
    QVERIFY(!opened.ok());
    const QString sentence = QString::fromStdString(opened.error().sentence());
    QVERIFY2(sentence.contains(part), qPrintable(sentence));
}

void TestXPlane::strangeTimes()
{
    const auto opened = openBytes(hostSpace({
        xevent(1, 9'000'000, 2'000'000), // out of order
        xevent(1, 1'000'000, -5),        // negative duration
        xevent(2, INT64_MAX - 1, 2),     // overflow
        xevent(2, INT64_MAX, INT64_MAX), // overflow
        Message().number(1, 2),          // no time and no duration
        xevent(1, -1'500, 1'000),        // before its line
    }));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(profile.slices.size(), std::size_t(4));
    QCOMPARE(profile.slices.startNs, (std::vector<std::int64_t>{998, 1000, 2000, 10'000}));
    QCOMPARE(profile.slices.durNs, (std::vector<std::int64_t>{1, 0, 0, 2000}));
    QCOMPARE(diagnosticCount(profile, DiagnosticCode::NegativeDuration), std::uint64_t(1));
    QCOMPARE(diagnosticCount(profile, DiagnosticCode::TimeOutOfRange), std::uint64_t(2));
    const auto huge = openBytes(hostSpace({xevent(1, 0, 1)}, INT64_MAX));
    QVERIFY(!huge.ok());
    const auto least = openBytes(hostSpace({xevent(1, 0, 1)}, INT64_MIN));
    QVERIFY(!least.ok());
}

void TestXPlane::picosecondsAreFlooredAtBothEnds()
{
    // 1.5 to 3.0 and 3.0 to 4.5 touch; 1.5 to 3.0 encloses 2.2 to 2.9.
    const auto opened =
        openBytes(hostSpace({xevent(1, 1500, 1500), xevent(2, 2200, 700), xevent(1, 3000, 1500)}, 1000));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(diagnosticCount(profile, DiagnosticCode::Overlap), std::uint64_t(0));
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;
    for (std::uint32_t slice = 0; slice < 3; ++slice)
        spans.emplace_back(profile.slices.startNs[slice], profile.slices.durNs[slice]);
    std::sort(spans.begin(), spans.end());
    QCOMPARE(spans, (std::vector<std::pair<std::int64_t, std::int64_t>>{{1001, 2}, {1002, 0}, {1003, 1}}));
}

void TestXPlane::clocks()
{
    constexpr std::int64_t kWallNs = 1'700'000'000'000'000'000;
    const auto epoch = openBytes(hostSpace({xevent(1, 5000, 1000)}, kWallNs));
    QVERIFY(epoch.ok());
    QCOMPARE(*epoch.value()->originUnixNs, std::int64_t(0));
    QCOMPARE(epoch.value()->span.beginNs, kWallNs + 5);
    const auto none = openBytes(hostSpace({xevent(1, 5000, 1000)}, 12));
    QVERIFY(none.ok() && !none.value()->originUnixNs.has_value());
    QCOMPARE(none.value()->hosts[0].name, std::string("host-a"));
    // Both sorts of time in one file: one clock.
    const Message environment = plane("Task Environment")
                                    .bytes(5, named(1, "profile_start_time"))
                                    .bytes(6, Message().number(1, 1).number(3, kWallNs));
    const auto mixed = openBytes(hostSpace({xevent(1, 0, 1000)}, kWallNs + 50) + hostSpace({xevent(2, 0, 1000)}, 20) +
                                 bytesOf(Message().bytes(1, environment)));
    QVERIFY(mixed.ok());
    QCOMPARE(*mixed.value()->originUnixNs, kWallNs);
    QCOMPARE(mixed.value()->span, (TimeSpan{20, 51}));
    QCOMPARE(mixed.value()->processes.size(), std::size_t(2)); // two planes of one name stay apart
}

void TestXPlane::danglingIdsAndBrokenTexts()
{
    Message thread = line(7, "python\xff", 1000);
    // Unknown kind, unknown stat, a reference to nothing, one to itself.
    thread.bytes(4, xevent(99, 0, 1000)
                        .bytes(4, stat(77, 5))
                        .bytes(4, Message().number(1, 1).number(7, 88))
                        .bytes(4, Message().number(1, 2).number(7, 2)));
    thread.bytes(4, xevent(3, 5000, 1000)).bytes(4, xevent(-4, 9000, 1000));
    Message host = plane("/host:CPU").bytes(3, thread).bytes(4, named(3, "caf\xe9")).bytes(4, named(-4, "negative"));
    host.bytes(5, named(1, "first")).bytes(5, named(2, "self")).bytes(4, named(3, "caf\xc3\xa9 \xff"));
    const auto opened = openBytes(bytesOf(Message().bytes(1, host)));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(diagnosticCount(profile, DiagnosticCode::DanglingReference), std::uint64_t(1));
    QVERIFY(diagnosticCount(profile, DiagnosticCode::RepairedEvent) > 0);
    QVERIFY(sliceNamed(profile, "event 99").valid());
    QVERIFY(sliceNamed(profile, "negative").valid());
    // Of two entries with one id the last one counts, as in any protobuf map.
    QVERIFY(sliceNamed(profile, "caf\xc3\xa9 \xef\xbf\xbd").valid());
    const auto fields = sourceFieldsOf(profile, sliceNamed(profile, "event 99"));
    QVERIFY(fields.has_value());
    QCOMPARE(valueOf(*fields, "stat 77"), std::string("5"));
    QCOMPARE(valueOf(*fields, "first"), std::string());
    QCOMPARE(valueOf(*fields, "self"), std::string("self"));
}

void TestXPlane::brokenRecordsCostOnlyThemselves()
{
    Message thread = line(7, "python", 1000);
    thread.bytes(4, xevent(1, 0, 1000)).bytes(4, "\x08\x80").bytes(4, xevent(2, 5000, 1000));        // a cut number
    thread.bytes(4, xevent(1, 7000, 1000).bytes(4, "\x0a\xff\x01")).bytes(4, xevent(2, 9000, 1000)); // a cut stat
    thread.number(77, 5).real(78, 1.5).bytes(79, "what a later version may add").bytes(4, xevent(1, 11'000, 1000));
    Message host = plane("/host:CPU").bytes(3, thread).bytes(4, named(1, "outer")).bytes(4, named(2, "inner"));
    const auto opened = openBytes(bytesOf(Message().bytes(1, host)));
    QVERIFY(opened.ok());
    QCOMPARE(opened.value()->slices.size(), std::size_t(4));
    QCOMPARE(diagnosticCount(*opened.value(), DiagnosticCode::BrokenRecord), std::uint64_t(2));
    for (const Diagnostic& diagnostic : opened.value()->diagnostics)
        if (diagnostic.code == DiagnosticCode::BrokenRecord)
            QVERIFY2(diagnostic.firstPlace.starts_with("host-a.xplane.pb, byte "), diagnostic.firstPlace.c_str());
    // A line that breaks in the middle costs its rest, not the lines behind it.
    const Message broken = line(1, "one", 1000).bytes(4, xevent(1, 0, 1000)).append(Message().number(0, 1));
    const Message sound = line(2, "two", 1000).bytes(4, xevent(1, 0, 1000));
    const auto other = openBytes(bytesOf(Message().bytes(1, plane("/host:CPU").bytes(3, broken).bytes(3, sound))));
    QVERIFY(other.ok());
    QCOMPARE(other.value()->slices.size(), std::size_t(2));
    QVERIFY(diagnosticCount(*other.value(), DiagnosticCode::BrokenRecord) > 0);
}

void TestXPlane::absurdLengthsAndDepths()
{
    // An event, a line and a plane that claim to be as long as can be said.
    Message thread = line(7, "python", 1000).bytes(4, xevent(1, 0, 1000));
    thread.lengthOf(4, UINT64_MAX);
    Message host = plane("/host:CPU").bytes(3, thread).bytes(4, named(1, "outer"));
    host.lengthOf(3, std::uint64_t(1) << 62);
    Message space = Message().bytes(1, host);
    space.lengthOf(1, UINT64_MAX - 5);
    const auto opened = openBytes(bytesOf(space));
    QVERIFY(opened.ok());
    QCOMPARE(opened.value()->slices.size(), std::size_t(1));
    QVERIFY(diagnosticCount(*opened.value(), DiagnosticCode::TruncatedFile) > 0);
    QVERIFY(diagnosticCount(*opened.value(), DiagnosticCode::BrokenRecord) > 0);
    // Messages in messages, as deep as a recursive reader would not survive.
    std::string deep;
    for (int depth = 0; depth < 20'000; ++depth) {
        std::string outer = Message().bytes(4, deep).text();
        deep = std::move(outer);
    }
    const auto nested = openBytes(hostSpace({xevent(1, 0, 1000).bytes(9, deep).bytes(4, deep)}));
    QVERIFY(nested.ok());
    QCOMPARE(nested.value()->slices.size(), std::size_t(1));
    QVERIFY(sourceFieldsOf(*nested.value(), {0}).has_value());
    // One event of several windows.
    const std::string large(5'000'000, 'x');
    const auto wide = openBytes(hostSpace({xevent(1, 0, 1000).bytes(4, textStat(1, large)), xevent(2, 5000, 1000)}));
    QVERIFY(wide.ok());
    QCOMPARE(wide.value()->slices.size(), std::size_t(2));
}

void TestXPlane::devicesAndTheirLines()
{
    const auto filled = [](std::int64_t id, std::string_view name) {
        return line(id, name, 1000).bytes(4, xevent(1, 0, 2'000'000)).bytes(4, xevent(2, 1'000'000, 2'000'000));
    };
    const auto names = [](Message lines) {
        return lines.bytes(4, named(1, "fusion.1")).bytes(4, named(2, "all-reduce.2"));
    };
    Message space;
    space.bytes(1, names(plane("/device:GPU:3")
                             .bytes(3, filled(1, "Stream #1(MemcpyD2H,MemcpyH2D)"))
                             .bytes(3, filled(2, "XLA Ops"))
                             .bytes(3, filled(-559038737, "Steps"))));
    space.bytes(1, names(plane("/device:TPU:3")
                             .bytes(3, filled(3, "XLA Ops"))
                             .bytes(3, filled(4, "Async XLA Ops"))
                             .bytes(3, filled(2, "XLA Modules"))));
    space.bytes(1, names(plane("/device:TPU:3 SparseCore 0").bytes(3, filled(3, "Sparse Core Ops"))));
    space.bytes(1, plane("/device:GPU:4"));
    space.bytes(1, names(plane("/device:CUSTOM:Mosaic").bytes(3, filled(1, "work"))));
    space.bytes(1, names(plane("something new").bytes(3, filled(1, "row"))));
    const auto opened = openBytes(bytesOf(space));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> found; // kernels and copies
    for (const Device& device : profile.devices) {
        found[device.name] = {device.kernels, device.memcpys};
        if (device.kernels + device.memcpys > 0) QCOMPARE(profile.busy[device.busy].totalNs(), std::int64_t(3000));
    }
    const std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> expected = {
        {"GPU-3", {1, 1}}, {"TPU-3", {2, 0}}, {"TPU-3 SparseCore 0", {2, 0}}, {"CUSTOM Mosaic", {0, 0}}};
    QCOMPARE(found, expected);
    std::map<SliceKind, int> kinds;
    for (const SliceKind kind : profile.slices.kind) ++kinds[kind];
    const std::map<SliceKind, int> expectedKinds = {
        {SliceKind::Memcpy, 1}, {SliceKind::DeviceAnnotation, 6},    {SliceKind::Kernel, 2},
        {SliceKind::Other, 2},  {SliceKind::CommunicationKernel, 3}, {SliceKind::DeviceOther, 4}};
    QCOMPARE(kinds, expectedKinds);
}

void TestXPlane::kindsOfHostSlices()
{
    struct Row {
        const char* name;
        SliceKind kind;
    };
    const std::vector<Row> rows = {
        {"$train.py:12 step", SliceKind::Python},
        {"cudaStreamSynchronize", SliceKind::Sync},
        {"cuLaunchKernel", SliceKind::Launch},
        {"hipMemcpyAsync", SliceKind::Launch},
        {"hipEventRecord", SliceKind::Runtime},
        {"aten::mm", SliceKind::CpuOp},
        {"model/dense/MatMul:MatMul", SliceKind::CpuOp},
        {"PjitFunction(f)", SliceKind::CpuOp},
        {"my range", SliceKind::Annotation},
        {"load: batch 3", SliceKind::Annotation},
        {"customer", SliceKind::Annotation},
        {"with arguments#step=1#", SliceKind::Annotation},
    };
    Message thread = line(7, "python", 1000);
    Message host = plane("/host:CPU");
    for (std::size_t row = 0; row < rows.size(); ++row) {
        thread.bytes(4, xevent(std::int64_t(row), std::int64_t(row) * 5000, 1000));
        host.bytes(4, named(std::int64_t(row), rows[row].name));
    }
    const auto opened = openBytes(bytesOf(Message().bytes(1, host.bytes(3, thread))));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(profile.slices.size(), rows.size());
    for (const Row& row : rows) {
        const std::string_view label = std::string_view(row.name).ends_with('#') ? "with arguments" : row.name;
        const SliceId slice = sliceNamed(profile, label);
        QVERIFY2(slice.valid(), row.name);
        QVERIFY2(profile.slices.kind[slice.value] == row.kind, row.name);
    }
}

void TestXPlane::stepsByTheirSources()
{
    const auto space = [](const Message& first, const Message& second) {
        Message thread = line(7, "python", 1000).bytes(4, first).bytes(4, second);
        Message host = plane("/host:CPU").bytes(3, thread).bytes(4, named(1, "train")).bytes(4, named(2, "work"));
        host.bytes(5, named(1, "_r"))
            .bytes(5, named(2, "step_num"))
            .bytes(5, named(3, "group_id"))
            .bytes(5, named(4, "iter_num"));
        return bytesOf(Message().bytes(1, host));
    };
    const auto numbers = [](const QByteArray& bytes) {
        std::vector<std::int64_t> found;
        const auto opened = openBytes(bytes);
        if (opened.ok())
            for (const Step& step : opened.value()->steps) found.push_back(step.number);
        return found;
    };
    const Message root = xevent(1, 0, 9000).bytes(4, stat(1, 1)).bytes(4, textStat(2, "40")).bytes(4, stat(3, 1));
    const Message loop = xevent(1, 9000, 9000).bytes(4, stat(1, 1)).bytes(4, stat(2, 3)).bytes(4, stat(4, 41));
    const Message grouped = xevent(2, 0, 9000).bytes(4, stat(3, 6));
    const Message inGroup = xevent(2, 1000, 1000).bytes(4, stat(3, 6));
    QCOMPARE(numbers(space(root, loop)), (std::vector<std::int64_t>{40, 41}));
    QCOMPARE(numbers(space(grouped, inGroup)), (std::vector<std::int64_t>{6}));
    const Message steps = line(1, "Steps", 1000).bytes(4, xevent(1, 0, 5000)).bytes(4, xevent(2, 5000, 5000));
    const Message device = plane("/device:TPU:0").bytes(3, steps).bytes(4, named(1, "12")).bytes(4, named(2, "13"));
    QCOMPARE(numbers(space(grouped, inGroup) + bytesOf(Message().bytes(1, device))),
             (std::vector<std::int64_t>{12, 13}));
}

void TestXPlane::arrowsAndCounters()
{
    Message first = line(7, "python", 1000);
    first.bytes(4, xevent(1, 0, 1000).bytes(4, stat(1, 5)).bytes(4, stat(2, 99)));
    Message second = line(8, "pool", 1000);
    second.bytes(4, xevent(2, 5000, 1000).bytes(4, stat(3, 5)).bytes(4, stat(4, 99)));
    second.bytes(4, xevent(2, 9000, 1000).bytes(4, stat(3, 6)).bytes(4, stat(4, 99))); // another sort of id
    for (const std::int64_t bytes : {100, 300, 50})
        second.bytes(4,
                     xevent(3, 20'000 + bytes * 1000, 0).bytes(4, textStat(5, "GPU_0_bfc")).bytes(4, stat(6, bytes)));
    Message host = plane("/host:CPU").bytes(3, first).bytes(3, second);
    host.bytes(4, named(1, "give")).bytes(4, named(2, "take")).bytes(4, named(3, "MemoryAllocation"));
    host.bytes(5, named(1, "_pt")).bytes(5, named(2, "_p")).bytes(5, named(3, "_ct")).bytes(5, named(4, "_c"));
    host.bytes(5, named(5, "allocator_name")).bytes(5, named(6, "bytes_allocated"));
    Message samples = line(1, "_counters_", 1000);
    samples.bytes(4, xevent(1, 0, 0).bytes(4, Message().number(1, 1).real(2, 1.25)));
    samples.bytes(4, xevent(1, 5000, 0).bytes(4, Message().number(1, 1).real(2, 2.5)));
    samples.bytes(4, xevent(1, 6000, 0).bytes(4, Message().number(1, 1).real(2, std::nan(""))));
    const Message device =
        plane("/device:TPU:0").bytes(3, samples).bytes(4, named(1, "power")).bytes(5, named(1, "counter_value"));
    const auto opened = openBytes(bytesOf(Message().bytes(1, host).bytes(1, device)));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(profile.flows.size(), std::size_t(1));
    QCOMPARE(profile.sliceName(profile.flows[0].from), std::string_view("give"));
    QCOMPARE(profile.strings.view(profile.flows[0].category), std::string_view("PjRt"));
    QCOMPARE(profile.counters.size(), std::size_t(2));
    for (const CounterSeries& counter : profile.counters) {
        const bool memory = counter.name.ends_with("memory allocated");
        QCOMPARE(counter.unit, std::string(memory ? "bytes" : ""));
        QCOMPARE(counter.value, memory ? (std::vector<double>{50, 100, 300}) : (std::vector<double>{1.25, 2.5}));
    }
}

void TestXPlane::reportsAndAggregates()
{
    Message space;
    space.bytes(2, "buffers were lost").bytes(3, "no device").bytes(4, "node-b");
    const QByteArray events = hostSpace({xevent(1, 0, 1000), Message().number(1, 1).number(5, 17).number(3, 99)});
    const Message device = plane("/device:GPU:0").bytes(5, named(1, "dropped_traces")).bytes(6, stat(1, 12));
    const Message secrets =
        plane("Task Environment").bytes(5, named(1, "profile_options")).bytes(6, textStat(1, "TOKEN=abc"));
    const auto opened = openBytes(bytesOf(space) + events + bytesOf(Message().bytes(1, device).bytes(1, secrets)));
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(profile.hosts[0].name, std::string("node-b"));
    QCOMPARE(profile.slices.size(), std::size_t(1));
    QCOMPARE(diagnosticCount(profile, DiagnosticCode::AggregatedEvent), std::uint64_t(1));
    QCOMPARE(diagnosticCount(profile, DiagnosticCode::LostData), std::uint64_t(12));
    QCOMPARE(std::count_if(profile.diagnostics.begin(), profile.diagnostics.end(),
                           [](const Diagnostic& d) { return d.code == DiagnosticCode::ProfilerMessage; }),
             2);
    for (const auto& [key, value] : profile.files[0].metadata) QVERIFY(value.find("TOKEN") == std::string::npos);
}

void TestXPlane::cancelStops()
{
    std::vector<Message> events;
    for (std::int64_t index = 0; index < 200'000; ++index) events.push_back(xevent(1, index * 2000, 1000));
    const TempFolder folder;
    const std::string path = folder.write("many.pb", hostSpace(events));
    LoadProgress progress;
    std::jthread canceller([&] {
        while (progress.slices() == 0) std::this_thread::yield();
        progress.cancel();
    });
    const auto opened = openProfile(path, progress);
    QVERIFY(opened.ok() && opened.value() == nullptr);
    LoadProgress whole;
    QVERIFY(openProfile(path, whole).ok());
    QCOMPARE(whole.slices(), std::uint64_t(200'000));
    QCOMPARE(whole.doneBytes(), whole.totalBytes());
}

void TestXPlane::folderWithSummaries()
{
    const TempFolder folder;
    folder.write("run/host-a.xplane.pb", kVector);
    folder.write("run/host-a.overview_page.pb", bytesOf(Message().bytes(2, Message().real(1, 2).real(3, 4))));
    folder.write("run/host-a.kernel_stats.pb", QByteArray());
    const auto opened = open(folder.path("run"));
    QVERIFY(opened.ok());
    QCOMPARE(opened.value()->files.size(), std::size_t(1));
    QCOMPARE(diagnosticCount(*opened.value(), DiagnosticCode::FileSkipped), std::uint64_t(0));
}

QTEST_GUILESS_MAIN(TestXPlane)
#include "tst_xplane.moc"
