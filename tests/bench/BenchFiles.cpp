// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/BenchFiles.h"

#include "generator/ProfileGenerator.h"
#include "importers/OpenProfile.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#ifdef __linux__
#include <sched.h>
#endif

namespace stepscope
{

namespace
{

std::uint64_t anonymousBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssAnon:")) return std::strtoull(line.c_str() + 8, nullptr, 10) * 1024;
    return 0;
}

/// The file of this ending in a folder for it, made where it is missing.
std::string generated(std::uint64_t bytes, GeneratorFormat format, const char* ending)
{
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("stepscope-bench-" + std::to_string(bytes) + ending);
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ending) return entry.path().string();
    GeneratorOptions options;
    options.targetBytes = bytes;
    options.format = format;
    options.pythonStacks = true;
    options.memoryEvents = true;
    options.gpuCounters = true;
    const GeneratorFacts facts = generateProfile(options, folder);
    return facts.ok() ? (folder / facts.ranks.front().file).string() : std::string();
}

} // namespace

std::string generatedFile(std::uint64_t bytes) { return generated(bytes, GeneratorFormat::Kineto, ".json"); }

std::string generatedXPlaneFile()
{
    constexpr std::uint64_t kBytes = 180'000'000; // of some 31 a slice
    return generated(kBytes, GeneratorFormat::XPlane, ".pb");
}

#ifdef __linux__
OneCore::OneCore() : m_before(sizeof(cpu_set_t))
{
    auto* before = reinterpret_cast<cpu_set_t*>(m_before.data());
    if (::sched_getaffinity(0, sizeof *before, before) != 0) {
        m_before.clear();
        return;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
        if (CPU_ISSET(core, before)) CPU_SET(core, &one);
    ::sched_setaffinity(0, sizeof one, &one);
}
OneCore::~OneCore()
{
    if (!m_before.empty())
        ::sched_setaffinity(0, sizeof(cpu_set_t), reinterpret_cast<const cpu_set_t*>(m_before.data()));
}
#else
OneCore::OneCore() = default;
OneCore::~OneCore() = default;
#endif

std::string generatedNsysFile()
{
    namespace fs = std::filesystem;
    const char* megabytes = std::getenv("STEPSCOPE_BENCH_NSYS_MB");
    GeneratorOptions options;
    options.format = GeneratorFormat::Nsys;
    options.annotationDepth = 6;
    options.targetBytes = (megabytes != nullptr ? std::strtoull(megabytes, nullptr, 10) : 300) * 1'000'000;
    const fs::path folder = fs::temp_directory_path() / ("stepscope-bench-nsys-" + std::to_string(options.targetBytes));
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".sqlite") return entry.path().string();
    const GeneratorFacts facts = generateProfile(options, folder);
    return facts.ok() ? facts.ranks.front().file.string() : std::string();
}

std::uint64_t benchBytes()
{
    const char* megabytes = std::getenv("STEPSCOPE_BENCH_MB");
    return (megabytes != nullptr ? std::strtoull(megabytes, nullptr, 10) : 250) * 1'000'000;
}

std::uint64_t peakAnonymousBytes(const std::string& program, const std::string& path)
{
    const std::string command = "'" + program + "' --peak '" + path + "'";
    FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return 0;
    std::array<char, 64> text{};
    const bool read = std::fgets(text.data(), text.size(), pipe) != nullptr;
    ::pclose(pipe);
    return read ? std::strtoull(text.data(), nullptr, 10) : 0;
}

std::uint64_t sliceCount(const std::string& path)
{
    LoadProgress progress;
    const auto opened = openProfile(path, progress);
    return opened.ok() ? opened.value()->slices.size() : 0;
}

int printPeakOfOpening(const std::string& path)
{
    std::atomic<bool> done = false;
    std::uint64_t peak = 0;
    const std::uint64_t before = anonymousBytes();
    std::jthread sampler([&] {
        while (!done) {
            peak = std::max(peak, anonymousBytes());
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    LoadProgress progress;
    const auto opened = openProfile(path, progress);
    peak = std::max(peak, anonymousBytes());
    done = true;
    sampler.join();
    std::printf("%llu\n", static_cast<unsigned long long>(peak - std::min(peak, before)));
    return opened.ok() ? 0 : 1;
}

} // namespace stepscope
