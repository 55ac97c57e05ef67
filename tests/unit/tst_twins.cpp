// SPDX-License-Identifier: GPL-3.0-or-later
// One recording in several forms beside each other is read once.
#include "importers/Twins.h"
#include "support/TraceTexts.h"

#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

class TestTwins : public QObject
{
    Q_OBJECT

private slots:
    void namesTellTwins_data();
    void namesTellTwins();
    void theFullerOneIsRead();
    void theOtherIsReadWhereTheFullerOneIsBroken();
};

void TestTwins::namesTellTwins_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("other");
    QTest::addColumn<bool>("twin");
    QTest::newRow("TensorFlow's JSON") << "a/host.trace.json.gz"
                                       << "a/host.xplane.pb" << true;
    QTest::newRow("another host") << "a/host2.trace.json.gz"
                                  << "a/host.xplane.pb" << false;
    QTest::newRow("another folder") << "b/host.trace.json.gz"
                                    << "a/host.xplane.pb" << false;
    QTest::newRow("JAX's copy") << "a/perfetto_trace.json.gz"
                                << "a/host.xplane.pb" << true;
    QTest::newRow("JAX's copy of a JSON") << "a/perfetto_trace.json.gz"
                                          << "a/host.trace.json.gz" << true;
    QTest::newRow("JAX's copy elsewhere") << "b/perfetto_trace.json.gz"
                                          << "a/host.xplane.pb" << false;
    QTest::newRow("PyTorch's JSON is its own") << "a/host.pt.trace.json"
                                               << "a/host.pt.xplane.pb" << false;
    QTest::newRow("rocprofv3's JSON") << "a/12_results.json"
                                      << "a/12_results.db" << true;
    QTest::newRow("rocprofv3's trace") << "a/12_results.pftrace"
                                       << "a/12_results.json" << true;
    QTest::newRow("another process") << "a/13_results.json"
                                     << "a/12_results.db" << false;
    QTest::newRow("a report and its export") << "a/r.nsys-rep"
                                             << "a/r.sqlite" << true;
    QTest::newRow("compressed") << "a/rank0.json.gz"
                                << "a/rank0.json" << true;
    QTest::newRow("compressed twice") << "a/rank0.json.zst"
                                      << "a/rank0.json.gz" << true;
    QTest::newRow("trace and counters of a rank") << "a/rank0.sqlite"
                                                  << "a/rank0.json" << false;
}

void TestTwins::namesTellTwins()
{
    QFETCH(QString, path);
    QFETCH(QString, other);
    QFETCH(bool, twin);
    const std::vector<std::string> paths = {path.toStdString(), other.toStdString()};
    const auto twins = fullerTwins(paths);
    QCOMPARE(twins.size(), 2u);
    QCOMPARE(twins[0], twin ? std::optional<std::size_t>(1) : std::nullopt);
    QVERIFY(!twins[1]);
}

void TestTwins::theFullerOneIsRead()
{
    const TempFolder folder;
    folder.write("rank0.json", list({kernel("k", "10", "5")}));
    folder.write("rank0.json.gz", gzipped(list({kernel("k", "10", "5")})));
    auto result = open(folder.path());
    QVERIFY(result.ok());
    const auto profile = result.take();
    QCOMPARE(profile->slices.size(), 1u);
    QCOMPARE(profile->files.size(), 1u);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::TwinFile), 1u);
}

void TestTwins::theOtherIsReadWhereTheFullerOneIsBroken()
{
    const TempFolder folder;
    folder.write("rank0.json", "{\"traceEvents\": [{\"ph\":\"X\",\"cat\":\"ker");
    folder.write("rank0.json.gz", gzipped(list({kernel("k", "10", "5")})));
    auto result = open(folder.path());
    QVERIFY(result.ok());
    const auto profile = result.take();
    QCOMPARE(profile->slices.size(), 1u);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::TwinFile), 0u);
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::FileSkipped), 1u);
}

QTEST_GUILESS_MAIN(TestTwins)
#include "tst_twins.moc"
