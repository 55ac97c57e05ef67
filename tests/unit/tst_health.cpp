// SPDX-License-Identifier: GPL-3.0-or-later
// What the health page counts of a profile as a whole, and step times against a search through everything.
#include "support/ProfileFixture.h"
#include "support/TempFiles.h"

#include <QtTest>
#include <random>

using namespace stepscope;
using namespace stepscope::test;

namespace
{

QString firstPlace(const Profile& profile, DiagnosticCode code)
{
    for (const Diagnostic& diagnostic : profile.diagnostics)
        if (diagnostic.code == code) return QString::fromStdString(diagnostic.firstPlace);
    return QStringLiteral("none");
}

} // namespace

class TestHealth : public QObject
{
    Q_OBJECT

private slots:
    void c25StepsWithoutDeviceWork();
    void launchesWithoutRunsAndRunsWithoutLaunches();
    void hostProfilesMissNothing();
    void runsWithoutDuration();
    void theFirstOverlapIsNamed();
    void c29StepsFindTheirRuns();
};

void TestHealth::c25StepsWithoutDeviceWork()
{
    constexpr std::int64_t kStepNs = 10'000'000;
    ProfileFixture fixture;
    for (int step = 0; step < 32; ++step) {
        fixture.host("100", "ProfilerStep#" + std::to_string(step), step * kStepNs, kStepNs, SliceKind::Annotation);
        if (step != 0 && step != 31) continue;
        fixture.host("100", "cudaLaunchKernel", step * kStepNs + 1000, 500, SliceKind::Runtime, std::uint64_t(step + 1))
            .device(0, "7", "k", step * kStepNs + 2000, 5000, SliceKind::Kernel, std::uint64_t(step + 1));
    }
    const auto profile = fixture.finish();
    QCOMPARE(profile->steps.size(), std::size_t{32});
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::StepWithoutDeviceWork), std::uint64_t{30});
}

void TestHealth::launchesWithoutRunsAndRunsWithoutLaunches()
{
    ProfileFixture fixture;
    for (std::uint64_t id = 1; id <= 5; ++id)
        fixture.host("100", "cudaLaunchKernel", std::int64_t(id) * 10, 5, SliceKind::Runtime, id);
    for (std::uint64_t id = 4; id <= 9; ++id) // 4 and 5 are linked
        fixture.device(0, "7", "k", std::int64_t(id) * 100, 50, SliceKind::Kernel, id);
    const auto profile = fixture.finish();
    QCOMPARE(profile->links.size(), std::size_t{2});
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::LaunchWithoutRun), std::uint64_t{3});
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::UnlinkedRun), std::uint64_t{4});
    // The first launch is at 10 ns, where the profile begins; the first run without one at 600 ns.
    const QString launch = firstPlace(*profile, DiagnosticCode::LaunchWithoutRun);
    QVERIFY2(launch.startsWith("\"cudaLaunchKernel\" at 0 ns of "), qPrintable(launch));
    const QString run = firstPlace(*profile, DiagnosticCode::UnlinkedRun);
    QVERIFY2(run.startsWith("\"k\" at 590 ns of "), qPrintable(run));
}

void TestHealth::hostProfilesMissNothing()
{
    ProfileFixture fixture;
    fixture.host("100", "ProfilerStep#1", 0, 100, SliceKind::Annotation)
        .host("100", "cudaLaunchKernel", 10, 5, SliceKind::Runtime, 1);
    const auto profile = fixture.finish();
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::NoDeviceWork), std::uint64_t{1});
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::LaunchWithoutRun), std::uint64_t{0});
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::StepWithoutDeviceWork), std::uint64_t{0});
}

void TestHealth::runsWithoutDuration()
{
    ProfileFixture fixture;
    fixture.device(0, "7", "a", 0, 0).device(0, "7", "b", 10, 5).device(0, "7", "c", 20, 0);
    const auto profile = fixture.finish();
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::ZeroDurationRun), std::uint64_t{2});
}

void TestHealth::theFirstOverlapIsNamed()
{
    ProfileFixture fixture;
    fixture.device(1, "9", "late", 900, 50)
        .device(1, "9", "later", 910, 50)
        .device(0, "7", "A", 100, 50)
        .device(0, "7", "B", 120, 50)
        .device(0, "7", "C", 130, 50);
    const auto profile = fixture.finish();
    QCOMPARE(diagnosticCount(*profile, DiagnosticCode::Overlap), std::uint64_t{3});
    const QString place = firstPlace(*profile, DiagnosticCode::Overlap);
    QVERIFY2(place.startsWith("\"B\" at 20 ns of "), qPrintable(place));
}

/// A thousand launches and runs under ranges of any length and depth: the answers for steps must be those of a search
/// through all links.
void TestHealth::c29StepsFindTheirRuns()
{
    struct Pair {
        std::int64_t launchNs, runNs, durNs;
    };
    std::mt19937 random(29);
    const auto upTo = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
    ProfileFixture fixture;
    std::vector<Pair> pairs;
    for (std::uint64_t id = 0; id < 1000; ++id) {
        const Pair pair{upTo(1'000'000), upTo(2'000'000), 1 + upTo(5000)};
        pairs.push_back(pair);
        fixture.host("200", "cudaLaunchKernel", pair.launchNs, 1, SliceKind::Runtime, id + 1)
            .device(0, std::to_string(id % 5), "k", pair.runNs, pair.durNs, SliceKind::Kernel, id + 1);
    }
    for (int step = 0; step < 300; ++step)
        fixture.host("100", "step_" + std::to_string(step), upTo(1'000'000), upTo(step % 3 == 0 ? 400'000 : 3000),
                     SliceKind::Annotation);
    const auto profile = fixture.finish();
    QCOMPARE(profile->steps.size(), std::size_t{300});
    for (const Step& step : profile->steps) {
        std::optional<TimeSpan> expected;
        for (const Pair& pair : pairs) {
            if (pair.launchNs < step.host.beginNs || pair.launchNs >= step.host.endNs) continue;
            const TimeSpan run{pair.runNs, pair.runNs + pair.durNs};
            if (!expected) expected = run;
            expected->beginNs = std::min(expected->beginNs, run.beginNs);
            expected->endNs = std::max(expected->endNs, run.endNs);
        }
        QCOMPARE(step.device, expected);
    }
}

QTEST_GUILESS_MAIN(TestHealth)
#include "tst_health.moc"
