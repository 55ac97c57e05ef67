// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "generator/ProfileGenerator.h"
#include "generator/RankWriter.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace stepscope
{

/// Writes one rank's file as `nsys export --type sqlite` of Nsight Systems 2026 lays it out. The format has no place
/// for operators, Python frames, device annotations and flows: they are left out.
class NsysWriter final : public RankWriter
{
public:
    /// Null when the file cannot be created.
    static std::unique_ptr<NsysWriter> create(const GeneratorOptions& options, RankIdentity identity,
                                              const std::filesystem::path& file);
    ~NsysWriter() override;
    NsysWriter(const NsysWriter&) = delete;
    NsysWriter& operator=(const NsysWriter&) = delete;

    void writeHeader() override;
    void writeStep(const StepTrace& trace) override;
    [[nodiscard]] bool finish(std::int64_t startNs, std::int64_t endNs) override;
    [[nodiscard]] std::uint64_t bytes() const override { return m_bytes; }

private:
    using Null = std::nullopt_t;
    NsysWriter(const GeneratorOptions& options, RankIdentity identity, sqlite3* database);

    void run(const std::string& sql);
    sqlite3_stmt* prepare(std::string_view table, int columns);
    template<class... Values>
    void insert(sqlite3_stmt* statement, const Values&... values);
    static void bind(sqlite3_stmt* statement, int place, std::int64_t value);
    static void bind(sqlite3_stmt* statement, int place, double value);
    static void bind(sqlite3_stmt* statement, int place, std::string_view value);
    static void bind(sqlite3_stmt* statement, int place, Null value);

    void prepareEvents();
    void describeMachine();
    void describeCapture();
    void call(const HostSlice& slice);
    void annotation(const HostSlice& slice);
    void kernel(const DeviceSlice& slice);
    void copy(const DeviceSlice& slice);
    void sync(const DeviceSlice& slice);
    void memoryEvent(const MemoryEvent& event);
    void counter(const CounterSample& sample);
    std::int64_t stringId(std::string_view text);
    std::int64_t metricId(const CounterSample& sample);
    [[nodiscard]] std::int64_t time(std::int64_t unixNs) const { return unixNs - m_sessionNs; }
    [[nodiscard]] std::int64_t globalPid() const;
    [[nodiscard]] std::int64_t globalTid(HostThreadName thread) const;

    const GeneratorOptions& m_options;
    RankIdentity m_identity;
    sqlite3* m_database;
    std::int64_t m_sessionNs;
    std::uint64_t m_bytes = 0;
    bool m_failed = false;
    std::map<std::string, std::int64_t, std::less<>> m_strings;
    std::map<std::string, std::int64_t, std::less<>> m_metrics;
    sqlite3_stmt* m_string = nullptr;
    sqlite3_stmt* m_call = nullptr;
    sqlite3_stmt* m_range = nullptr;
    sqlite3_stmt* m_kernel = nullptr;
    sqlite3_stmt* m_copy = nullptr;
    sqlite3_stmt* m_set = nullptr;
    sqlite3_stmt* m_sync = nullptr;
    sqlite3_stmt* m_memory = nullptr;
    sqlite3_stmt* m_gpuMetric = nullptr;
    sqlite3_stmt* m_cpuMetric = nullptr;
};

} // namespace stepscope
