// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/ProfileGenerator.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace stepscope
{
namespace
{

constexpr std::string_view kUsage =
    R"(Usage: stepscope_generate --out FOLDER [options]

Writes a synthetic profile of a training job: one file per rank, as the real profiler would write it.
The same options give the same bytes.

  --sample               the bundled sample: 2 hosts x 8 GPUs, 50 steps, step 41 waits for rank 11; options that
                         follow change it
  --hosts N              machines (1)
  --gpus N               GPUs, and so ranks, per machine (1)
  --steps N              training steps (10)
  --first-step N         number of the first step (0)
  --events N             compute kernels per step and rank, approximately (200)
  --step-ms N            aimed-at length of a step (110)
  --seed N               of all small variations (1)
  --size BYTES           go on until the first rank's file has about this size: 250MB, 4GB, 1000000 (MB = 10^6 bytes)
  --slow-step N          the step that waits for a straggler (none)
  --straggler RANK       whose data loading is late in that step (0)
  --slow-ms N            by how much (132)
  --collectives N        all-reduces per step (4)
  --annotations DEPTH    0: ProfilerStep only, 1: phases, 2: parts of forward, more: nested further (2)
  --python-stacks        python_function frames
  --memory               [memory] instants
  --cuda-graphs          the vision encoder as one cudaGraphLaunch per step
  --perf-cpus N          CPUs with perf counters, in the first file of each host (0)
  --gpu-counters         power and memory of each GPU
  --counter-ms N         time between two samples of a counter (10)
  --base-last            baseTimeNanoseconds after the events, as up to PyTorch 2.6
  --format NAME          kineto, nsys or xplane (kineto)
  --gzip                 compress the files; kineto only
  --facts FILE           write what is true of the files, as JSON
  --help                 this text
)";

struct CommandLine {
    GeneratorOptions options;
    std::string folder;
    std::string factsFile;
    bool help = false;
    std::string error;
};

template<class Number>
std::optional<Number> parseNumber(std::string_view text)
{
    Number number{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// 250MB is 250 000 000.
std::optional<std::uint64_t> parseSize(std::string_view text)
{
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view unit = text.substr(digits);
    const std::map<std::string_view, std::uint64_t> factors{
        {"", 1}, {"B", 1}, {"KB", 1'000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}};
    const auto factor = factors.find(unit);
    const auto number = parseNumber<std::uint64_t>(text.substr(0, digits));
    if (factor == factors.end() || !number) return std::nullopt;
    return *number * factor->second;
}

const std::map<std::string_view, GeneratorFormat> kFormats = {
    {"kineto", GeneratorFormat::Kineto}, {"nsys", GeneratorFormat::Nsys}, {"xplane", GeneratorFormat::XPlane}};

using Setter = std::function<bool(std::string_view)>;

template<class Number>
Setter into(Number& target, Number factor = 1)
{
    return [&target, factor](std::string_view text) {
        const auto number = parseNumber<Number>(text);
        if (number) target = static_cast<Number>(*number * factor);
        return number.has_value();
    };
}

Setter into(std::string& target)
{
    return [&target](std::string_view text) {
        target = text;
        return true;
    };
}

std::map<std::string_view, Setter> valueOptions(CommandLine& line)
{
    GeneratorOptions& options = line.options;
    constexpr std::int64_t kMs = 1'000'000;
    return {{"--out", into(line.folder)},
            {"--facts", into(line.factsFile)},
            {"--hosts", into(options.hosts)},
            {"--gpus", into(options.gpusPerHost)},
            {"--steps", into(options.steps)},
            {"--first-step", into(options.firstStep)},
            {"--events", into(options.eventsPerStep)},
            {"--step-ms", into(options.stepNs, kMs)},
            {"--seed", into(options.seed)},
            {"--slow-step", into(options.slowStep)},
            {"--straggler", into(options.stragglerRank)},
            {"--slow-ms", into(options.slowExtraNs, kMs)},
            {"--collectives", into(options.collectives)},
            {"--annotations", into(options.annotationDepth)},
            {"--perf-cpus", into(options.perfCpus)},
            {"--counter-ms", into(options.counterIntervalNs, kMs)},
            {"--format",
             [&options](std::string_view text) {
                 const auto format = kFormats.find(text);
                 if (format != kFormats.end()) options.format = format->second;
                 return format != kFormats.end();
             }},
            {"--size", [&options](std::string_view text) {
                 const auto bytes = parseSize(text);
                 if (bytes) options.targetBytes = *bytes;
                 return bytes.has_value();
             }}};
}

std::map<std::string_view, bool*> switches(CommandLine& line)
{
    GeneratorOptions& options = line.options;
    return {{"--python-stacks", &options.pythonStacks},
            {"--memory", &options.memoryEvents},
            {"--cuda-graphs", &options.cudaGraphs},
            {"--gpu-counters", &options.gpuCounters},
            {"--base-last", &options.baseTimeLast},
            {"--gzip", &options.gzip},
            {"--help", &line.help}};
}

void parse(int count, char** arguments, CommandLine& line)
{
    const auto withValue = valueOptions(line);
    const auto flags = switches(line);
    for (int position = 1; position < count && line.error.empty(); ++position) {
        const std::string_view name = arguments[position];
        if (name == "--sample") {
            line.options = sampleOptions();
        } else if (const auto flag = flags.find(name); flag != flags.end()) {
            *flag->second = true;
        } else if (const auto option = withValue.find(name); option == withValue.end()) {
            line.error = "unknown option " + std::string(name);
        } else if (++position == count) {
            line.error = std::string(name) + " needs a value";
        } else if (!option->second(arguments[position])) {
            line.error = std::string(name) + " does not accept " + arguments[position];
        }
    }
    if (line.error.empty() && !line.help && line.folder.empty()) line.error = "--out is missing";
}

int generate(const CommandLine& line)
{
    const auto began = std::chrono::steady_clock::now();
    const GeneratorFacts facts = generateProfile(line.options, line.folder);
    if (!facts.ok()) {
        std::fprintf(stderr, "stepscope_generate: %s\n", facts.error.c_str());
        return 1;
    }
    if (!line.factsFile.empty()) {
        std::ofstream file(line.factsFile, std::ios::binary);
        file << factsToJson(facts);
        if (!file.flush()) {
            std::fprintf(stderr, "stepscope_generate: cannot write %s\n", line.factsFile.c_str());
            return 1;
        }
    }
    std::uint64_t bytes = 0;
    std::uint64_t slices = 0;
    for (const RankFacts& rank : facts.ranks) {
        bytes += rank.bytes;
        slices += rank.slices;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::printf("%zu files, %.1f MB, %llu slices, %.0f MB/s\n", facts.ranks.size(), double(bytes) / 1e6,
                static_cast<unsigned long long>(slices), double(bytes) / 1e6 / took.count());
    return 0;
}

} // namespace
} // namespace stepscope

int main(int count, char** arguments)
{
    stepscope::CommandLine line;
    stepscope::parse(count, arguments, line);
    if (line.help) {
        std::fwrite(stepscope::kUsage.data(), 1, stepscope::kUsage.size(), stdout);
        return 0;
    }
    if (!line.error.empty()) {
        std::fprintf(stderr, "stepscope_generate: %s; --help lists the options\n", line.error.c_str());
        return 2;
    }
    return stepscope::generate(line);
}
