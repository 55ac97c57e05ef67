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

} // namespace

std::string generatedFile(std::uint64_t bytes)
{
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("stepscope-bench-" + std::to_string(bytes));
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".json") return entry.path().string();
    GeneratorOptions options;
    options.targetBytes = bytes;
    options.pythonStacks = true;
    options.memoryEvents = true;
    options.gpuCounters = true;
    const GeneratorFacts facts = generateProfile(options, folder);
    return facts.ok() ? (folder / facts.ranks.front().file).string() : std::string();
}

std::string generatedNsysFile()
{
    namespace fs = std::filesystem;
    const char* megabytes = std::getenv("STEPSCOPE_BENCH_NSYS_MB");
    GeneratorOptions options;
    options.format = GeneratorFormat::Nsys;
    options.annotationDepth = 6;
    options.targetBytes = (megabytes != nullptr ? std::strtoull(megabytes, nullptr, 10) : 300) * 1'000'000;
    const fs::path folder =
        fs::temp_directory_path() / ("stepscope-bench-nsys-" + std::to_string(options.targetBytes));
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
