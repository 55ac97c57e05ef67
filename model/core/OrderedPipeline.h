// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace stepscope
{

/// Runs produce -> transform -> consume with the transforms in parallel and the consumption in order.
/// `produce` runs on one thread of its own and returns an empty optional at the end; `makeTransform` is called once a
/// worker and returns the function that it applies; `consume` runs on the calling thread and returns false to stop
/// early. At most `workers` * 2 + 2 items are under way. What one of the functions throws stops all of them and is
/// thrown again by run().
template<class In, class Out>
class OrderedPipeline
{
public:
    using Produce = std::function<std::optional<In>()>;
    using Transform = std::function<Out(In&)>;
    using Consume = std::function<bool(In&, Out&)>;

    void run(unsigned workers, const Produce& produce, const std::function<Transform()>& makeTransform,
             const Consume& consume)
    {
        const std::size_t limit = workers * 2 + 2;
        {
            std::jthread producer([&] { guarded([&] { produceAll(produce, limit); }); });
            std::vector<std::jthread> pool;
            for (unsigned worker = 0; worker < workers; ++worker)
                pool.emplace_back([&] { guarded([&] { transformAll(makeTransform()); }); });
            guarded([&] { consumeAll(consume); });
        }
        if (m_failure) std::rethrow_exception(m_failure);
    }

private:
    template<class Work>
    void guarded(const Work& work)
    {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(m_mutex);
            if (!m_failure) m_failure = std::current_exception();
            m_stopped = true;
            m_changed.notify_all();
        }
    }

    struct Item {
        In in;
        std::optional<Out> out;
        bool taken = false;
    };

    void produceAll(const Produce& produce, std::size_t limit)
    {
        while (true) {
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, [&] { return m_items.size() < limit || m_stopped; });
                if (m_stopped) break;
            }
            auto in = produce();
            const std::lock_guard lock(m_mutex);
            if (in) m_items.push_back(std::make_shared<Item>(Item{std::move(*in), {}, false}));
            else m_ended = true;
            m_changed.notify_all();
            if (m_ended) break;
        }
    }

    void transformAll(const Transform& transform)
    {
        while (true) {
            std::shared_ptr<Item> item;
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, [&] { return m_stopped || m_ended || nextToTake() != nullptr; });
                item = nextToTake();
                if (m_stopped || (item == nullptr && m_ended)) return;
                item->taken = true;
            }
            Out out = transform(item->in);
            const std::lock_guard lock(m_mutex);
            item->out = std::move(out);
            m_changed.notify_all();
        }
    }

    void consumeAll(const Consume& consume)
    {
        while (true) {
            std::shared_ptr<Item> item;
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, [&] {
                    return m_stopped || (m_items.empty() && m_ended) || (!m_items.empty() && m_items.front()->out);
                });
                if (m_stopped || m_items.empty()) return;
                item = std::move(m_items.front());
                m_items.pop_front();
                m_changed.notify_all();
            }
            if (consume(item->in, *item->out)) continue;
            const std::lock_guard lock(m_mutex);
            m_stopped = true;
            m_changed.notify_all();
            return;
        }
    }

    [[nodiscard]] std::shared_ptr<Item> nextToTake() const
    {
        for (const auto& item : m_items)
            if (!item->taken) return item;
        return nullptr;
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::shared_ptr<Item>> m_items;
    bool m_ended = false;
    bool m_stopped = false;
    std::exception_ptr m_failure;
};

} // namespace stepscope
