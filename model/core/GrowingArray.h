// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace stepscope
{

/// A vector of plain values that is filled at the end only, up to many millions. It grows by realloc(), which moves the
/// pages of large arrays instead of copying what is on them, and needs no second copy while it does.
template<class T>
class GrowingArray
{
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    void push_back(const T& value)
    {
        if (m_size == m_capacity) setCapacity(std::max<std::size_t>(16, m_capacity * 2));
        std::construct_at(m_data.get() + m_size++, value);
    }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] T* data() { return m_data.get(); }
    [[nodiscard]] const T* data() const { return m_data.get(); }
    [[nodiscard]] T* begin() { return data(); }
    [[nodiscard]] T* end() { return data() + m_size; }
    [[nodiscard]] const T* begin() const { return data(); }
    [[nodiscard]] const T* end() const { return data() + m_size; }
    T& operator[](std::size_t index) { return m_data.get()[index]; }
    const T& operator[](std::size_t index) const { return m_data.get()[index]; }
    void reserve(std::size_t capacity)
    {
        if (capacity > m_capacity) setCapacity(capacity);
    }
    void swap(GrowingArray& other) noexcept
    {
        m_data.swap(other.m_data);
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
    }
    /// Gives the memory back.
    void clear()
    {
        m_data.reset();
        m_size = m_capacity = 0;
    }

    GrowingArray() = default;
    GrowingArray(GrowingArray&& other) noexcept { swap(other); }
    GrowingArray& operator=(GrowingArray&& other) noexcept
    {
        swap(other);
        return *this;
    }

private:
    struct Free {
        void operator()(T* memory) const { std::free(memory); }
    };
    void setCapacity(std::size_t capacity)
    {
        void* memory = std::realloc(static_cast<void*>(m_data.get()), capacity * sizeof(T));
        if (memory == nullptr) throw std::bad_alloc();
        static_cast<void>(m_data.release());
        m_data.reset(static_cast<T*>(memory));
        m_capacity = capacity;
    }

    std::unique_ptr<T, Free> m_data;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

} // namespace stepscope
