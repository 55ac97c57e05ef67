// SPDX-License-Identifier: GPL-3.0-or-later
// The project's benchmarks. Loading is told as a share of a bare simdjson pass in the same run, since machines differ.
#include "bench/BenchFiles.h"

#include <benchmark/benchmark.h>
#ifdef STEPSCOPE_BENCH_FRAMES
#include <QGuiApplication>
#endif
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace
{

/// Prints as usual, and remembers the time of each benchmark.
class RememberingReporter final : public benchmark::ConsoleReporter
{
public:
    void ReportRuns(const std::vector<Run>& runs) override
    {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs) {
            m_realTime[run.benchmark_name()] = run.GetAdjustedRealTime();
            m_cpuTime[run.benchmark_name()] = run.GetAdjustedCPUTime();
        }
    }
    [[nodiscard]] double realTime(const std::string& prefix) const { return find(m_realTime, prefix); }
    [[nodiscard]] double cpuTime(const std::string& prefix) const { return find(m_cpuTime, prefix); }

private:
    static double find(const std::map<std::string, double>& times, const std::string& prefix)
    {
        for (const auto& [name, time] : times)
            if (name.starts_with(prefix)) return time;
        return 0;
    }
    std::map<std::string, double> m_realTime;
    std::map<std::string, double> m_cpuTime;
};

void printNsysRatios(const RememberingReporter& reporter, const char* program)
{
    const double bare = reporter.cpuTime("bareNsys");
    const double open = reporter.cpuTime("openNsys");
    if (bare <= 0 || open <= 0) return;
    const std::string path = stepscope::generatedNsysFile();
    const auto peak = static_cast<double>(stepscope::peakAnonymousBytes(program, path));
    std::printf(
        "\nopening an Nsight Systems export: %.0f %% of the speed of a bare pass, by CPU time; peak of anonymous "
        "memory %.0f MB\n",
        100 * bare / open, peak / 1e6);
}

void printRatios(const RememberingReporter& reporter, const char* program)
{
    const double bare = reporter.realTime("bareParse");
    const double open = reporter.realTime("openKineto");
    if (bare <= 0 || open <= 0) return;
    std::printf("\nopening: %.0f %% of the speed of a bare simdjson pass on one core (%.0f %% by CPU time)\n",
                100 * bare / open, 100 * bare / reporter.cpuTime("openKineto"));
    const std::string path = stepscope::generatedFile(stepscope::benchBytes());
    const auto peak = static_cast<double>(stepscope::peakAnonymousBytes(program, path));
    const auto size = static_cast<double>(std::filesystem::file_size(path));
    std::printf("peak of anonymous memory: %.0f MB = %.2f x the JSON of %.0f MB\n", peak / 1e6, peak / size,
                size / 1e6);
}

void printXPlaneRatios(const RememberingReporter& reporter, const char* program)
{
    const double bare = reporter.realTime("bareXSpaceParse");
    const double open = reporter.realTime("openXPlane");
    if (bare <= 0 || open <= 0) return;
    const std::string path = stepscope::generatedXPlaneFile();
    const auto count = static_cast<double>(stepscope::sliceCount(path));
    const auto peak = static_cast<double>(stepscope::peakAnonymousBytes(program, path));
    std::printf("\nopening XPlane: %.2f million slices/s on one core, %.0f %% of the speed of a bare protobuf parse; "
                "peak of anonymous memory %.1f bytes a slice\n",
                count / open / 1e3, 100 * bare / open, peak / count);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 3 && std::string(argv[1]) == "--peak") return stepscope::printPeakOfOpening(argv[2]);
#ifdef STEPSCOPE_BENCH_FRAMES
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv); // fonts
#endif
    benchmark::Initialize(&argc, argv);
    RememberingReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    printRatios(reporter, argv[0]);
    printNsysRatios(reporter, argv[0]);
    printXPlaneRatios(reporter, argv[0]);
    return 0;
}
