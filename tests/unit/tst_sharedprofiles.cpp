// SPDX-License-Identifier: GPL-3.0-or-later
// Every recorded Kineto profile against facts that independent scripts computed from the same files.
#include "analysis/SliceDetails.h"
#include "cli/InfoCommand.h"
#include "support/TempFiles.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

const QString kFolder = QStringLiteral(STEPSCOPE_SHARED_DIR "/profiles/");

QString kindOfCategory(const QString& category)
{
    static const QHash<QString, QString> kinds = {
        {"cpu_op", "cpu_op"},
        {"operator", "cpu_op"},
        {"user_annotation", "annotation"},
        {"gpu_user_annotation", "gpu_annotation"},
        {"kernel", "kernel"},
        {"gpu_memcpy", "memcpy"},
        {"memcpy", "memcpy"},
        {"gpu_memset", "memset"},
        {"memset", "memset"},
        {"python_function", "python"},
        {"overhead", "overhead"},
        {"cuda_sync", "device_sync"},
    };
    const QString lower = category.toLower();
    if (kinds.contains(lower)) return kinds[lower];
    return lower.contains("runtime") || lower.contains("driver") ? "calls" : "other";
}

qint64 integer(const QJsonValue& value) { return value.toInteger(); }

} // namespace

class TestSharedProfiles : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void agreesWithFacts_data();
    void agreesWithFacts();
    void twoRanksBecomeOneProfile();
    void eightRanksBecomeOneProfile();
    void argumentsAreFoundAgain();

private:
    static void compareKinds(const QJsonObject& info, const QJsonObject& facts);
    static void compareLinks(const QJsonObject& info, const QJsonObject& facts);
    static void compareDevices(const QJsonObject& info, const QJsonObject& facts);
    static void compareKernels(const QJsonObject& info, const QJsonObject& facts);
    static void compareSteps(const QJsonObject& info, const QJsonObject& facts);
};

void TestSharedProfiles::initTestCase()
{
    if (!QFileInfo::exists(kFolder + "facts.jsonl")) QSKIP("the folder of recorded profiles is not here");
}

void TestSharedProfiles::agreesWithFacts_data()
{
    QTest::addColumn<QJsonObject>("facts");
    QFile file(kFolder + "facts.jsonl");
    QVERIFY(file.open(QIODevice::ReadOnly));
    while (!file.atEnd()) {
        const QJsonObject facts = QJsonDocument::fromJson(file.readLine()).object();
        const QString path = facts["path"].toString();
        if (path.startsWith("kineto/")) QTest::newRow(qPrintable(path)) << facts;
    }
}

void TestSharedProfiles::agreesWithFacts()
{
    QFETCH(QJsonObject, facts);
    const auto opened = open((kFolder + facts["path"].toString()).toStdString());
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().sentence().c_str());
    const QJsonObject info = QJsonDocument::fromJson(QByteArray::fromStdString(infoJson(*opened.value()))).object();
    QCOMPARE(info["format"].toString(), QString("kineto"));
    QCOMPARE(integer(info["first_ns"]), integer(facts["first_ns"]));
    QCOMPARE(integer(info["span_ns"]), integer(facts["span_ns"]));
    if (facts.contains("baseTimeNanoseconds"))
        QCOMPARE(QString::number(integer(info["origin_unix_ns"])), facts["baseTimeNanoseconds"].toString());
    compareKinds(info, facts);
    if (facts.contains("device_linked")) compareLinks(info, facts);
    if (facts.contains("busy_ns")) compareDevices(info, facts);
    if (facts.contains("top5_kernels")) compareKernels(info, facts);
    if (facts.contains("profiler_step_list")) compareSteps(info, facts);
    if (facts.contains("counters")) {
        QCOMPARE(integer(info["counters"].toObject()["series"]), integer(facts["counter_names"]));
        QCOMPARE(integer(info["counters"].toObject()["samples"]), integer(facts["phases"].toObject()["C"]));
    }
}

void TestSharedProfiles::compareKinds(const QJsonObject& info, const QJsonObject& facts)
{
    QMap<QString, qint64> expected;
    const QJsonObject categories = facts["x_by_cat"].toObject();
    for (auto category = categories.begin(); category != categories.end(); ++category)
        expected[kindOfCategory(category.key())] += integer(category.value());
    QMap<QString, qint64> found;
    const QJsonObject kinds = info["slices"].toObject()["by_kind"].toObject();
    for (auto kind = kinds.begin(); kind != kinds.end(); ++kind) {
        const bool call = kind.key() == "launch" || kind.key() == "sync" || kind.key() == "runtime";
        if (integer(kind.value()) > 0) found[call ? QString("calls") : kind.key()] += integer(kind.value());
    }
    QCOMPARE(found, expected);
    QCOMPARE(integer(info["slices"].toObject()["total"]), integer(facts["phases"].toObject()["X"]));
    if (!facts.contains("annotation_events")) return;
    qint64 annotations = 0;
    for (const QJsonValue count : info["annotations"].toObject()) annotations += integer(count);
    QCOMPARE(annotations, integer(facts["annotation_events"]));
}

void TestSharedProfiles::compareLinks(const QJsonObject& info, const QJsonObject& facts)
{
    const QJsonObject links = info["links"].toObject();
    QCOMPARE(integer(links["linked_runs"]), integer(facts["device_linked"]));
    QCOMPARE(integer(links["unlinked_runs"]), integer(facts["device_unlinked"]));
    QCOMPARE(integer(links["launches"]), integer(facts["launches_linked"]));
    if (!facts.contains("launch_to_run_ns")) return;
    const QJsonObject latency = links["latency_ns"].toObject();
    const QJsonObject expected = facts["launch_to_run_ns"].toObject();
    QCOMPARE(integer(latency["min"]), integer(expected["min"]));
    QCOMPARE(integer(latency["median"]), integer(expected["median_high"]));
    QCOMPARE(integer(latency["max"]), integer(expected["max"]));
    QCOMPARE(integer(latency["negative"]), integer(expected["negative"]));
}

void TestSharedProfiles::compareDevices(const QJsonObject& info, const QJsonObject& facts)
{
    QMap<QString, qint64> busy;
    QSet<QString> streams;
    for (const QJsonValue value : info["devices"].toArray()) {
        const QJsonObject device = value.toObject();
        const QString number = device["name"].toString().section('-', 1);
        if (integer(device["busy_ns"]) > 0) busy[number] = integer(device["busy_ns"]);
        for (const QJsonValue stream : device["streams"].toArray()) streams += number + "/" + stream.toString();
    }
    QMap<QString, qint64> expectedBusy;
    const QJsonObject busyFacts = facts["busy_ns"].toObject();
    for (auto device = busyFacts.begin(); device != busyFacts.end(); ++device)
        expectedBusy[device.key()] = integer(device.value());
    QCOMPARE(busy, expectedBusy);
    QSet<QString> expectedStreams;
    for (const QJsonValue stream : facts["device_streams"].toArray()) expectedStreams += stream.toString();
    QCOMPARE(streams, expectedStreams);
}

void TestSharedProfiles::compareKernels(const QJsonObject& info, const QJsonObject& facts)
{
    const QJsonObject kernels = info["kernels"].toObject();
    QCOMPARE(integer(kernels["names"]), integer(facts["kernel_names"]));
    QCOMPARE(integer(kernels["total_ns"]), integer(facts["kernel_total_ns"]));
    const QJsonArray top = kernels["top"].toArray();
    const QJsonArray expected = facts["top5_kernels"].toArray();
    QCOMPARE(top.size(), expected.size());
    for (qsizetype place = 0; place < top.size(); ++place) {
        const QJsonArray fact = expected[place].toArray();
        QVERIFY(top[place].toObject()["name"].toString().startsWith(fact[0].toString())); // facts cut long names
        QCOMPARE(integer(top[place].toObject()["total_ns"]), integer(fact[1]));
        QCOMPARE(integer(top[place].toObject()["count"]), integer(fact[2]));
    }
}

void TestSharedProfiles::compareSteps(const QJsonObject& info, const QJsonObject& facts)
{
    QMap<qint64, qint64> expected; // marks on the host, else those on the device
    for (const bool onDevice : {false, true}) {
        if (!expected.isEmpty()) break;
        for (const QJsonValue value : facts["profiler_step_list"].toArray()) {
            const QJsonArray step = value.toArray();
            if ((step[1].toString() == "gpu_user_annotation") == onDevice)
                expected[step[0].toString().section('#', 1).toLongLong()] = integer(step[2]);
        }
    }
    const QJsonObject steps = info["steps"].toObject();
    QList<qint64> found;
    for (const QJsonValue duration : steps["host_ns"].toArray()) found += integer(duration);
    QCOMPARE(found, expected.values());
    QCOMPARE(integer(steps["first"]), expected.firstKey());
    QCOMPARE(integer(steps["last"]), expected.lastKey());
}

void TestSharedProfiles::twoRanksBecomeOneProfile()
{
    const auto opened = open((kFolder + "kineto/two-ranks").toStdString());
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(profile.format, std::string("folder"));
    // Sums and extremes of the facts of the two files.
    QCOMPARE(int(profile.slices.size()), 4811 + 4676);
    QCOMPARE(int(profile.links.size()), 1204 + 1154);
    QCOMPARE(int(profile.devices.size()), 2);
    QCOMPARE(profile.busy[profile.devices[0].busy].totalNs(), std::int64_t(547656000));
    QCOMPARE(profile.busy[profile.devices[1].busy].totalNs(), std::int64_t(580050000));
    QCOMPARE(int(profile.processes.size()) >= 2, true);
}

void TestSharedProfiles::eightRanksBecomeOneProfile()
{
    const auto opened = open((kFolder + "kineto/param/dlrm_8ranks").toStdString());
    QVERIFY(opened.ok());
    const Profile& profile = *opened.value();
    QCOMPARE(int(profile.files.size()), 8);
    QCOMPARE(int(profile.devices.size()), 8);
    QSet<qint64> ranks;
    for (const Process& process : profile.processes)
        if (process.rank) ranks += *process.rank;
    QCOMPARE(ranks, (QSet<qint64>{0, 1, 2, 3, 4, 5, 6, 7}));
}

void TestSharedProfiles::argumentsAreFoundAgain()
{
    for (const char* path : {"kineto/h100-qwen-0.5b.json.gz", "kineto/pytorch-benchmark/trace.json"}) {
        const auto opened = open((kFolder + path).toStdString());
        QVERIFY(opened.ok());
        const Profile& profile = *opened.value();
        for (std::uint32_t slice = 0; slice < profile.slices.size(); slice += 97) {
            const auto fields = sourceFieldsOf(profile, {slice});
            QVERIFY(fields.has_value());
            std::map<std::string, std::string> values;
            for (const SourceField& field : *fields) values[field.key] = field.value;
            QCOMPARE(values["name"], std::string(profile.sliceName({slice})));
            QVERIFY(values.contains("ts"));
        }
    }
}

QTEST_GUILESS_MAIN(TestSharedProfiles)
#include "tst_sharedprofiles.moc"
