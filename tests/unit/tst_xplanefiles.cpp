// SPDX-License-Identifier: GPL-3.0-or-later
// Every recorded XPlane profile against facts that independent scripts computed from the same files.
#include "analysis/ProfileSummary.h"
#include "analysis/SliceDetails.h"
#include "support/TempFiles.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>
#include <set>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

const QString kFolder = QStringLiteral(STEPSCOPE_SHARED_DIR "/profiles/");
constexpr qint64 kPsPerNs = 1000;

/// "GPU-3" of "/device:GPU:3".
std::string deviceName(const QString& plane)
{
    return plane.mid(QStringLiteral("/device:").size()).replace(':', '-').toStdString();
}

const Device* deviceOf(const Profile& profile, const std::string& name)
{
    for (const Device& device : profile.devices)
        if (device.name == name) return &device;
    return nullptr;
}

/// "143" of "Stream #143(MemcpyH2D)"; other lines keep their name.
std::string streamOf(const QString& line)
{
    static const QRegularExpression number("^Stream #(\\d+)");
    const auto match = number.match(line);
    return (match.hasMatch() ? match.captured(1) : line).toStdString();
}

std::string argument(const std::vector<SourceField>& fields, std::string_view key)
{
    for (const SourceField& field : fields)
        if (field.key == key) return field.value;
    return "(none)";
}

struct NameTotal {
    qint64 ns = 0;
    qint64 count = 0;
};

/// Runs of a device by their full name, which labels may shorten.
QHash<QString, NameTotal> totalsByFullName(const Profile& profile, const Device& device)
{
    QHash<QString, NameTotal> totals;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice) {
        if (!isRun(profile.slices.kind[slice])) continue;
        if (&profile.devices[profile.track(profile.trackOf({slice})).device] != &device) continue;
        const auto fields = sourceFieldsOf(profile, {slice});
        if (!fields) return {};
        std::string name = argument(*fields, "full_name");
        if (name == "(none)") name = argument(*fields, "name");
        NameTotal& total = totals[QString::fromStdString(name)];
        total.ns += profile.slices.durNs[slice];
        ++total.count;
    }
    return totals;
}

struct CheckedSlice {
    const char* file;
    const char* name;
    const char* device; ///< or "" for a thread
    const char* track;
    std::int64_t startNs;
    std::int64_t durNs;
    SliceKind kind;
    std::vector<std::pair<const char*, const char*>> fields;
};

/// Decoded from the files by a script of its own, field by field.
const std::vector<CheckedSlice> kCheckedSlices = {
    {"jax-te-fused-attention.xplane.pb",
     "loop_reduce_fusion.kd",
     "GPU-0",
     "stream 2",
     9'720'367'890,
     44'121,
     SliceKind::Kernel,
     {{"correlation_id", "135"},
      {"kernel_details", " grid:24576,1,1 block:256,1,1 private_mem:0 group_mem:0 occ_pct:0"},
      {"tf_op", "XlaModule:"},
      {"name", "loop_reduce_fusion.kd"},
      {"hlo_op", "loop_reduce_fusion"},
      {"hlo_module", "jit_loss_fn"},
      {"program_id", "17"},
      {"duration_ps", "44121000"}}},
    {"mi300-jax-conv.xplane.pb",
     "Cijk_Ailk_Bljk_BBS_BH_MT256x128x64_MI16x16x16x1",
     "GPU-3",
     "stream 25 (Kernel)",
     44'684'929,
     292'000,
     SliceKind::Kernel,
     {{"correlation_id", "232"},
      {"kernel_details", " grid:219,40,1 block:256,1,1 private_mem:0 group_mem:49280 occ_pct:0"},
      {"hlo_op", "cudnn-conv.1"},
      {"hlo_module", "jit_forward_3d_conv"},
      {"program_id", "15"}}},
    {"tracelens/jax08_attention.xplane.pb",
     "Thunks::Prepare",
     "",
     "python",
     2'313'943,
     510,
     SliceKind::CpuOp,
     {{"offset_ps", "2271543000"}, {"timestamp_ns", "42400"}, {"plane", "/host:CPU"}}},
    {"tracelens/jax08_gemm.xplane.pb",
     "$dtypes.py:894 check_valid_dtype",
     "",
     "python",
     2'484'324,
     70,
     SliceKind::Python,
     {{"offset_ps", "2455764000"}, {"timestamp_ns", "28560"}}},
    {"xprof/GPU-multi-worker.host_6003.xplane.pb",
     "void Eigen::internal::EigenMetaKernel<",
     "GPU-4",
     "stream 134 (Compute)",
     1'927'197'011,
     36'864,
     SliceKind::Kernel,
     {{"correlation_id", "173"},
      {"context_id", "$$5"},
      {"kernel_details", "regs:16 shm:0 grid:160,1,1 block:1024,1,1"},
      {"shape", "(half[4,384,4096];half[])"},
      {"group_id", "0"},
      {"is_eager", "0"},
      {"level 0", "replica_4/bert_span_labeler/bert_encoder_1/transformer/layer_18/dropout_1/dropout/"
                  "GreaterEqual:GreaterEqual"}}},
    {"xprof/tpu_inference_2.older.xplane.pb",
     "broadcast_add_fusion.1",
     "TPU-1",
     "XLA Ops",
     56'103'838'378,
     8'155'318,
     SliceKind::Kernel,
     {{"device_offset_ps", "55966355620000"},
      {"device_duration_ps", "8155318750"},
      {"hlo_category", "loop fusion"},
      {"program_id", "12190760917235803885"},
      {"flops", "1342177280"},
      {"bytes_accessed", "10737418240"},
      {"shape_with_layout", "f32[5,1024,1024,256]{3,2,1,0:T(8,128)}"},
      {"tf_op", "jit(f)/jit(main)/add:"},
      {"memory_access_breakdown", "24 bytes"}}},
};

} // namespace

class TestXPlaneFiles : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void agreesWithFacts_data();
    void agreesWithFacts();
    void oneSliceOfEach_data();
    void oneSliceOfEach();
    void everySliceIsFoundAgain();
    void cutAnywhere();
    void tpuLaunchesLeadToModules();

private:
    static void compareDevices(const Profile& profile, const QJsonObject& facts);
    static void compareThreads(const Profile& profile, const QJsonObject& facts);
};

void TestXPlaneFiles::initTestCase()
{
    if (!QFileInfo::exists(kFolder + "facts.jsonl")) QSKIP("the folder of recorded profiles is not here");
}

void TestXPlaneFiles::agreesWithFacts_data()
{
    QTest::addColumn<QJsonObject>("facts");
    QFile file(kFolder + "facts.jsonl");
    QVERIFY(file.open(QIODevice::ReadOnly));
    while (!file.atEnd()) {
        const QJsonObject facts = QJsonDocument::fromJson(file.readLine()).object();
        if (facts["path"].toString().startsWith("xplane/"))
            QTest::newRow(qPrintable(facts["path"].toString())) << facts;
    }
}

void TestXPlaneFiles::agreesWithFacts()
{
    QFETCH(QJsonObject, facts);
    const auto opened = open((kFolder + facts["path"].toString()).toStdString());
    if (facts.contains("broken")) {
        QVERIFY(!opened.ok());
        QVERIFY(QString::fromStdString(opened.error().sentence()).contains("damaged"));
        return;
    }
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().sentence().c_str());
    const Profile& profile = *opened.value();
    const ProfileSummary summary = summarise(profile);
    QCOMPARE(profile.format, std::string("xplane"));
    QCOMPARE(qint64(profile.slices.size()), facts["events"].toInteger());
    const qint64 firstPs = facts["first_ps"].toInteger();
    QCOMPARE(qint64(profile.span.beginNs), firstPs / kPsPerNs);
    QCOMPARE(qint64(profile.span.endNs), (firstPs + facts["span_ps"].toInteger()) / kPsPerNs);
    QCOMPARE(qint64(profile.links.size()), facts["device_linked"].toInteger());
    QCOMPARE(qint64(summary.launches), facts["host_correlations"].toInteger());
    if (const QJsonArray hosts = facts["hostnames"].toArray(); !hosts.isEmpty())
        QCOMPARE(profile.hosts[0].name, hosts[0].toString().toStdString());
    compareDevices(profile, facts);
    compareThreads(profile, facts);
    for (const Diagnostic& diagnostic : profile.diagnostics)
        QVERIFY2(diagnostic.severity == Severity::Info, diagnostic.message.c_str());
}

void TestXPlaneFiles::compareDevices(const Profile& profile, const QJsonObject& facts)
{
    std::size_t devices = 0;
    qint64 stepSlices = 0;
    for (const QJsonValue value : facts["plane_list"].toArray()) {
        const QJsonObject plane = value.toObject();
        if (plane["name"] == "Task Environment")
            QCOMPARE(qint64(*profile.originUnixNs), plane["plane_stats"].toObject()["profile_start_time"].toInteger());
        if (!plane.contains("op_lines") || plane["op_events"].toInteger() == 0) continue;
        ++devices;
        const Device* device = deviceOf(profile, deviceName(plane["name"].toString()));
        QVERIFY2(device != nullptr, qPrintable(plane["name"].toString()));
        for (const QJsonValue line : plane["op_lines"].toArray())
            QVERIFY(std::find(device->streams.begin(), device->streams.end(), streamOf(line.toString())) !=
                    device->streams.end());
        const qint64 events = plane["op_events"].toInteger();
        QCOMPARE(qint64(device->kernels + device->memcpys + device->memsets), events);
        // Whole ns in the file give the very sum; else each end may lose up to 1 ns.
        const qint64 busyPs = plane["busy_ps"].toInteger();
        const qint64 busyNs = profile.busy[device->busy].totalNs();
        QVERIFY(std::abs(busyNs - busyPs / kPsPerNs) <= (plane["name"].toString().contains("TPU") ? events : 0));
        const auto totals = totalsByFullName(profile, *device);
        QCOMPARE(qint64(totals.size()), plane["op_names"].toInteger());
        for (const QJsonValue top : plane["top5_ops"].toArray()) {
            // The facts hold the first 100 characters of a name, which several may share.
            bool found = false;
            for (auto total = totals.begin(); total != totals.end(); ++total)
                found = found || (total.key().startsWith(top[0].toString()) && total->count == top[2].toInteger() &&
                                  std::abs(total->ns - top[1].toInteger() / kPsPerNs) <= total->count);
            QVERIFY2(found, qPrintable(top[0].toString()));
        }
    }
    QCOMPARE(profile.devices.size(), devices); // planes without events are hidden
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice)
        if (profile.slices.kind[slice] == SliceKind::DeviceAnnotation &&
            profile.track(profile.trackOf({slice})).name == "Steps")
            ++stepSlices;
    QCOMPARE(stepSlices, facts["device_steps"].toInteger());
    // Steps of one number on several devices of one process are one step.
    std::set<QString> numbers;
    for (const QJsonValue step : facts["device_step_list"].toArray()) numbers.insert(step[1].toString());
    QCOMPARE(profile.steps.size(), numbers.size());
}

void TestXPlaneFiles::compareThreads(const Profile& profile, const QJsonObject& facts)
{
    for (const QJsonValue value : facts["plane_list"].toArray()) {
        const QJsonObject plane = value.toObject();
        if (plane["name"] != "/host:CPU") continue;
        QHash<QString, qint64> events; // by line
        for (std::uint32_t row = 0; row < profile.ownRowCount; ++row) {
            const Track& track = profile.track(profile.rowTrack[row]);
            if (track.kind == TrackKind::Thread)
                events[QString::fromStdString(track.name)] += qint64(profile.row(row).size());
        }
        QHash<QString, qint64> expected;
        for (const QJsonValue line : plane["line_list"].toArray())
            if (line.isArray()) expected[line[1].toString()] += line[2].toInteger();
        for (auto line = expected.begin(); line != expected.end(); ++line)
            if (!line.key().startsWith("main/")) QCOMPARE(events.value(line.key()), line.value());
        qint64 all = 0;
        for (const qint64 count : events) all += count;
        QCOMPARE(all, plane["events"].toInteger());
    }
}

void TestXPlaneFiles::oneSliceOfEach_data()
{
    QTest::addColumn<int>("index");
    for (int index = 0; index < int(kCheckedSlices.size()); ++index) QTest::newRow(kCheckedSlices[index].file) << index;
}

void TestXPlaneFiles::oneSliceOfEach()
{
    QFETCH(int, index);
    const CheckedSlice& expected = kCheckedSlices[std::size_t(index)];
    const auto opened = open((kFolder + "xplane/").toStdString() + expected.file);
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    SliceId found;
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice) {
        if (profile.slices.startNs[slice] != expected.startNs || !profile.sliceName({slice}).starts_with(expected.name))
            continue;
        const Track& track = profile.track(profile.trackOf({slice}));
        if (track.name == expected.track &&
            (*expected.device == '\0' || profile.devices[track.device].name == expected.device))
            found = {slice};
    }
    QVERIFY(found.valid());
    QCOMPARE(profile.slices.durNs[found.value], expected.durNs);
    QCOMPARE(profile.slices.kind[found.value], expected.kind);
    const auto fields = sourceFieldsOf(profile, found);
    QVERIFY(fields.has_value());
    for (const auto& [key, value] : expected.fields) QCOMPARE(argument(*fields, key), std::string(value));
}

void TestXPlaneFiles::everySliceIsFoundAgain()
{
    const auto opened = open((kFolder + "xplane/tracelens/jax08_gemm.xplane.pb").toStdString());
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    for (std::uint32_t slice = 0; slice < profile.slices.size(); ++slice) {
        const auto fields = sourceFieldsOf(profile, {slice});
        QVERIFY(fields.has_value());
        QCOMPARE(argument(*fields, "name"), std::string(profile.sliceName({slice})));
    }
}

void TestXPlaneFiles::cutAnywhere()
{
    QFile file(kFolder + "xplane/tracelens/jax08_gemm.xplane.pb");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    const TempFolder folder;
    std::size_t most = 0;
    for (qsizetype length = 1; length < whole.size(); length += 977) {
        const auto opened = open(folder.write("cut.pb", whole.left(length)));
        if (!opened.ok()) continue;
        QVERIFY(diagnosticCount(*opened.value(), DiagnosticCode::TruncatedFile) > 0);
        QVERIFY(opened.value()->slices.size() >= most);
        most = opened.value()->slices.size();
    }
    QVERIFY(most > 3000);
}

void TestXPlaneFiles::tpuLaunchesLeadToModules()
{
    const auto opened = open((kFolder + "xplane/xprof/tpu_inference_2.older.xplane.pb").toStdString());
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    qint64 modules = 0;
    for (const Flow& flow : profile.flows)
        if (profile.track(profile.trackOf(flow.to)).name == "XLA Modules") {
            QVERIFY(profile.slices.startNs[flow.from.value] <= profile.slices.startNs[flow.to.value]);
            QCOMPARE(profile.strings.view(flow.category), std::string_view("TPU launch"));
            ++modules;
        }
    QCOMPARE(modules, qint64(414)); // 105 + 3 x 103 modules, each with the id of a call on the host
}

QTEST_GUILESS_MAIN(TestXPlaneFiles)
#include "tst_xplanefiles.moc"
