// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stepscope
{

/// Where a file speaks of a slice, in whatever way the file's SliceSource understands: for texts and protobufs 40 bits
/// of byte offset in the inflated source and 24 bits of length; for databases a table and a row. 0 means nowhere.
struct SourceRef {
    std::uint64_t packed = 0;
    static constexpr std::uint64_t kLongest = (1u << 24) - 1;

    [[nodiscard]] static constexpr SourceRef of(std::uint64_t offset, std::uint64_t length)
    {
        return {offset << 24 | (length < kLongest ? length : kLongest)};
    }
    [[nodiscard]] constexpr std::uint64_t offset() const { return packed >> 24; }
    [[nodiscard]] constexpr std::uint64_t length() const { return packed & kLongest; }
    [[nodiscard]] constexpr bool known() const { return packed != 0; }
    friend constexpr auto operator<=>(const SourceRef&, const SourceRef&) = default;
};

/// One thing that the file says about a slice: a key of its record, or of the record's arguments.
struct SourceField {
    std::string key;
    std::string value; ///< as in the file; texts without quotes and escapes, ids resolved to what they stand for
    bool argument = false;
};

/// Tells again, long after loading, what a file said about a slice: nothing of it is kept in the profile. Safe for
/// reading from several threads. Each format has its own.
class SliceSource
{
public:
    virtual ~SliceSource() = default;
    /// All fields of a slice, its arguments last; none if they cannot be had any more (the file has changed).
    [[nodiscard]] virtual std::optional<std::vector<SourceField>> fieldsOf(SourceRef ref) const = 0;
    [[nodiscard]] virtual std::size_t memoryBytes() const = 0;
};

} // namespace stepscope
