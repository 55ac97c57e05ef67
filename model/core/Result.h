// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace stepscope
{

enum class ErrorCode : std::uint8_t {
    NoSuchFile,
    Unreadable,
    EmptyFile,
    NoProfileInFolder,
    UnknownFormat,
    OtherContent, ///< whole and well known, but no profile
    NotJson,
    NoEvents,
    BrokenCompression,
    TooLarge,
    OutOfMemory,
};

/// Why a profile cannot be used at all. Single bad records are diagnostics, not errors.
struct Error {
    ErrorCode code = ErrorCode::Unreadable;
    std::string path;                             ///< file or folder, as the user named it
    std::string what;                             ///< "the gzip data ends too early", no capital, no full stop
    std::string advice;                           ///< "Download it again.", a whole sentence
    std::optional<std::uint64_t> byteOffset = {}; ///< place in the (inflated) file, where one is known

    /// One sentence for people: what happened, where, and what to do about it.
    [[nodiscard]] std::string sentence() const;
};

/// A value or an Error. No implicit bool: an error cannot be dropped by accident.
template<class T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::move(value)) {}
    Result(Error error) : m_state(std::move(error)) {}

    [[nodiscard]] bool ok() const { return std::holds_alternative<T>(m_state); }
    [[nodiscard]] const T& value() const
    {
        assert(ok());
        return std::get<T>(m_state);
    }
    [[nodiscard]] T take()
    {
        assert(ok());
        return std::move(std::get<T>(m_state));
    }
    [[nodiscard]] const Error& error() const
    {
        assert(!ok());
        return std::get<Error>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

} // namespace stepscope
