// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace stepscope
{

enum class LoadStage : std::uint8_t { Reading, Sorting, Linking, Done };

/// Written by the loader, sampled by whoever shows it; neither ever waits for the other.
/// Also carries the wish to stop: the loader polls it at least every few milliseconds.
class LoadProgress
{
public:
    void setTotalBytes(std::uint64_t bytes) { m_totalBytes.store(bytes, std::memory_order_relaxed); }
    void addBytes(std::uint64_t bytes) { m_doneBytes.fetch_add(bytes, std::memory_order_relaxed); }
    void addSlices(std::uint64_t count) { m_slices.fetch_add(count, std::memory_order_relaxed); }
    void setStage(LoadStage stage) { m_stage.store(stage, std::memory_order_relaxed); }
    void cancel() { m_cancelled.store(true, std::memory_order_relaxed); }

    /// Bytes of the files on disk (compressed where they are), done and in all.
    [[nodiscard]] std::uint64_t doneBytes() const { return m_doneBytes.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t totalBytes() const { return m_totalBytes.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t slices() const { return m_slices.load(std::memory_order_relaxed); }
    [[nodiscard]] LoadStage stage() const { return m_stage.load(std::memory_order_relaxed); }
    [[nodiscard]] bool cancelled() const { return m_cancelled.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> m_doneBytes = 0;
    std::atomic<std::uint64_t> m_totalBytes = 0;
    std::atomic<std::uint64_t> m_slices = 0;
    std::atomic<LoadStage> m_stage = LoadStage::Reading;
    std::atomic<bool> m_cancelled = false;
};

} // namespace stepscope
