// SPDX-License-Identifier: GPL-3.0-or-later
// Traces without categories, whose processes are named after what they stand for: those of TensorFlow and JAX, and
// those of PyTorch before 1.8. Written by hand after formats/kineto.md, sections 12 and 15.
#include "support/TraceTexts.h"

#include <QtTest>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

const QByteArray kHostPid = "\"CPU functions\"";
const QByteArray kDevicePid = "\"CUDA functions\"";

QByteArray meta(const QByteArray& what, const QByteArray& pid, const QByteArray& tid, const QByteArray& name)
{
    return R"({"ph":"M","pid":)" + pid + (tid.isEmpty() ? QByteArray() : R"(,"tid":)" + tid) + R"(,"name":")" + what +
           R"(","args":{"name":")" + name + R"("}})";
}

QByteArray slice(const QByteArray& pid, const QByteArray& tid, const QByteArray& name, const QByteArray& ts,
                 const QByteArray& dur, const QByteArray& args = {})
{
    return R"({"ph":"X","pid":)" + pid + R"(,"tid":)" + tid + R"(,"ts":)" + ts + R"(,"dur":)" + dur + R"(,"name":")" +
           name + R"(")" + (args.isEmpty() ? QByteArray() : R"(,"args":{)" + args + '}') + '}';
}

QByteArray tensorFlow(const QByteArrayList& events)
{
    return R"({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[)" + events.join(",\n") +
           ",{\n  }]}";
}

QByteArray jaxOnGpu()
{
    return tensorFlow(
        {meta("process_name", "1", {}, "/device:GPU:0"), meta("process_name", "701", {}, "/host:CPU"),
         meta("thread_name", "1", "14", "Stream #14(Kernel)"), meta("thread_name", "1", "15", "Stream #15(MemcpyD2D)"),
         meta("thread_name", "1", "3735928559", "Steps"), meta("thread_name", "1", "3735928563", "XLA Modules"),
         meta("thread_name", "701", "42", "python3"),
         slice("701", "42", "train", "10", "100", R"("step_num":"7","group_id":"0")"),
         slice("701", "42", "$main.py:12 step", "11", "90"),
         slice("701", "42", "cuLaunchKernel", "20.5", "2.25", R"("correlation_id":"33")"),
         slice("701", "42", "cuMemcpyDtoDAsync_v2", "30", "1", R"("correlation_id":"34")"),
         slice("1", "14", "fusion_3", "40.000001", "8.5", R"("correlation_id":"33","hlo_op":"fusion.3")"),
         slice("1", "14", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "50", "10"),
         slice("1", "15", "MemcpyD2D", "60", "4", R"("correlation_id":"34")"),
         slice("1", "3735928559", "7", "40", "24", R"("group_id":"0")"),
         slice("1", "3735928563", "jit_step(123)", "40", "24", R"("group_id":"0")")});
}

std::uint64_t countOf(const Profile& profile, SliceKind kind)
{
    return static_cast<std::uint64_t>(std::count(profile.slices.kind.begin(), profile.slices.kind.end(), kind));
}

} // namespace

class TestNamedTraces : public QObject
{
    Q_OBJECT

private slots:
    void jaxDevicesAreDevices();
    void jaxLaunchesAreLinked();
    void jaxStepsAreSteps();
    void tpuOperationsAreWork();
    void namesAfterTheEventsChangeNothing();
    void groupsAreStepsWhereNothingElseIs();
    void theFileNamesTheHost();
    void sagemakerTellsTheSession();
    void pytorchBefore18();
};

void TestNamedTraces::jaxDevicesAreDevices()
{
    const auto profile = opened(jaxOnGpu());
    QVERIFY(profile);
    QCOMPARE(profile->devices.size(), 1u);
    QCOMPARE(profile->devices[0].name, std::string("GPU-0"));
    QCOMPARE(countOf(*profile, SliceKind::Kernel), 1u);
    QCOMPARE(countOf(*profile, SliceKind::CommunicationKernel), 1u);
    QCOMPARE(countOf(*profile, SliceKind::Memcpy), 1u);
    QCOMPARE(countOf(*profile, SliceKind::DeviceAnnotation), 2u);
    QCOMPARE(countOf(*profile, SliceKind::Python), 1u);
    // 8.5 + 10 + 4 us; the lines of steps and modules tell the same work again.
    QCOMPARE(profile->busy[profile->devices[0].busy].totalNs(), 22'500);
    QCOMPARE(profile->processes.size(), 1u);
}

void TestNamedTraces::jaxLaunchesAreLinked()
{
    const auto profile = opened(jaxOnGpu());
    QVERIFY(profile);
    QCOMPARE(profile->links.size(), 2u);
    QCOMPARE(countOf(*profile, SliceKind::Launch), 2u);
    QCOMPARE(profile->sliceName(profile->links.launch[0]), std::string_view("cuLaunchKernel"));
    QCOMPARE(profile->sliceName(profile->links.run[0]), std::string_view("fusion_3"));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::BareTextId), 0u);
}

void TestNamedTraces::jaxStepsAreSteps()
{
    const auto profile = opened(jaxOnGpu());
    QVERIFY(profile);
    QCOMPARE(profile->steps.size(), 1u);
    QCOMPARE(profile->steps[0].number, 7);
    QCOMPARE(profile->steps[0].host, (TimeSpan{10'000, 110'000}));
    QVERIFY(profile->steps[0].device.has_value());
    QCOMPARE(*profile->steps[0].device, (TimeSpan{40'000, 64'000}));
}

void TestNamedTraces::tpuOperationsAreWork()
{
    const auto profile = opened(tensorFlow(
        {meta("process_name", "2", {}, "/device:TPU:1"), meta("thread_name", "2", "1", "Steps"),
         meta("thread_name", "2", "2", "XLA Modules"), meta("thread_name", "2", "3", "XLA Ops"),
         slice("2", "1", "12", "0", "10"), slice("2", "1", "13", "10", "10"), slice("2", "2", "jit_f", "0", "10"),
         slice("2", "3", "fusion.1", "1", "2"), slice("2", "3", "all-reduce.7", "5", "3")}));
    QVERIFY(profile);
    QCOMPARE(profile->devices.size(), 1u);
    QCOMPARE(profile->devices[0].name, std::string("TPU-1"));
    QCOMPARE(profile->busy[profile->devices[0].busy].totalNs(), 5'000);
    QCOMPARE(countOf(*profile, SliceKind::CommunicationKernel), 1u);
    QCOMPARE(profile->steps.size(), 2u);
    QCOMPARE(profile->steps[1].number, 13);
}

void TestNamedTraces::namesAfterTheEventsChangeNothing()
{
    const auto profile =
        opened(tensorFlow({slice("1", "5", "work", "0", "10"), meta("process_name", "1", {}, "my process"),
                           slice("1", "5", "more", "20", "10", R"("correlation_id":"3","group_id":"1")")}));
    QVERIFY(profile);
    QCOMPARE(profile->devices.size(), 0u);
    QCOMPARE(countOf(*profile, SliceKind::Other), 2u);
    QCOMPARE(profile->steps.size(), 0u);
}

void TestNamedTraces::groupsAreStepsWhereNothingElseIs()
{
    const auto profile =
        opened(tensorFlow({meta("process_name", "701", {}, "/host:CPU"), meta("thread_name", "701", "1", "python"),
                           slice("701", "1", "outer", "0", "100", R"("group_id":"4")"),
                           slice("701", "1", "inner", "10", "20", R"("group_id":"4")"),
                           slice("701", "1", "outer", "100", "90", R"("group_id":"5")")}));
    QVERIFY(profile);
    QCOMPARE(profile->steps.size(), 2u);
    QCOMPARE(profile->steps[0].number, 4);
    QCOMPARE(profile->steps[0].host, (TimeSpan{0, 100'000}));
    QCOMPARE(profile->steps[1].number, 5);
}

void TestNamedTraces::theFileNamesTheHost()
{
    const TempFolder folder;
    folder.write("node-17.trace.json.gz", gzipped(jaxOnGpu()));
    auto result = open(folder.path("node-17.trace.json.gz"));
    QVERIFY(result.ok());
    const auto profile = result.take();
    QCOMPARE(profile->hosts.size(), 1u);
    QCOMPARE(profile->hosts[0].name, std::string("node-17"));
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::NotAnEvent), 0u); // the empty object at the end is no event
}

void TestNamedTraces::sagemakerTellsTheSession()
{
    const TempFolder folder;
    const std::string step = "framework/tensorflow/detailed_profiling/2020080513/000000000/";
    folder.write(step + "algo-1_1596634652000000_1596634655000000.metadata", {});
    folder.write(step + "plugins/profile/2020_08_05_13_37_44/algo-1.trace.json.gz", gzipped(jaxOnGpu()));
    auto result = open(folder.path());
    QVERIFY(result.ok());
    const auto profile = result.take();
    QCOMPARE(profile->originUnixNs, std::optional<std::int64_t>(1'596'634'652'000'000'000));
    QCOMPARE(profile->span.beginNs, 10'000);
}

void TestNamedTraces::pytorchBefore18()
{
    const QByteArray arrow = R"({"name":"k","ts":5,"id":1,"cat":"cpu_to_cuda","args":{})";
    const auto profile = opened("[" +
                                QByteArrayList{
                                    slice(kHostPid, "1", "conv2d", "0", "50"),
                                    slice(kHostPid, "1", "mul", "60", "20"),
                                    slice(kDevicePid, "0", "sgemm", "70", "30"),
                                    slice(kDevicePid, "1", "Memcpy HtoD", "70", "5"),
                                    arrow + R"(,"ph":"s","tid":1,"pid":"CPU functions"})",
                                    R"({"name":"k","ts":70,"id":1,"cat":"cpu_to_cuda","args":{},"ph":"f",)"
                                    R"("tid":0,"pid":"CUDA functions"})",
                                }
                                    .join(",") +
                                "]");
    QVERIFY(profile);
    QCOMPARE(profile->devices.size(), 2u);
    QCOMPARE(countOf(*profile, SliceKind::CpuOp), 2u);
    QCOMPARE(countOf(*profile, SliceKind::Kernel), 1u);
    QCOMPARE(countOf(*profile, SliceKind::Memcpy), 1u);
    QCOMPARE(profile->links.size(), 1u);
    QCOMPARE(profile->sliceName(profile->links.launch[0]), std::string_view("conv2d"));
    QCOMPARE(profile->sliceName(profile->links.run[0]), std::string_view("sgemm"));
}

QTEST_GUILESS_MAIN(TestNamedTraces)
#include "tst_namedtraces.moc"
