// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace stepscope
{

/// Threads worth starting for heavy work: the machine's, at least one, at most eight.
[[nodiscard]] inline unsigned workerCount() { return std::clamp(std::thread::hardware_concurrency(), 1u, 8u); }

/// Calls work(0) .. work(count - 1), each once, on several threads in no fixed order; returns when all are done.
/// What `work` throws first is thrown again when all threads have stopped.
template<class Work>
void parallelFor(std::size_t count, Work&& work)
{
    const auto threads = static_cast<unsigned>(std::min<std::size_t>(workerCount(), count));
    std::atomic<std::size_t> next = 0;
    std::exception_ptr failure;
    std::mutex mutex;
    const auto loop = [&] {
        try {
            for (std::size_t index = next++; index < count; index = next++) work(index);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            next = count;
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (unsigned helper = 1; helper < threads; ++helper) helpers.emplace_back(loop);
        loop();
    }
    if (failure) std::rethrow_exception(failure);
}

} // namespace stepscope
