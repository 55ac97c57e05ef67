// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/ProfileBuilder.h"

#include <memory>
#include <string_view>

namespace stepscope::test
{

/// Builds small profiles by hand, one file and one process unless said otherwise.
class ProfileFixture
{
public:
    ProfileFixture();

    ProfileBuilder& builder() { return m_builder; }
    /// A slice on a thread of the process.
    ProfileFixture& host(std::string_view thread, std::string_view name, std::int64_t startNs, std::int64_t durNs,
                         SliceKind kind = SliceKind::CpuOp, std::optional<std::uint64_t> correlation = {});
    /// A slice on a stream of a device.
    ProfileFixture& device(std::int64_t device, std::string_view stream, std::string_view name, std::int64_t startNs,
                           std::int64_t durNs, SliceKind kind = SliceKind::Kernel,
                           std::optional<std::uint64_t> correlation = {});
    [[nodiscard]] std::shared_ptr<const Profile> finish();

private:
    RawSlice slice(std::string_view name, std::int64_t startNs, std::int64_t durNs, SliceKind kind,
                   std::optional<std::uint64_t> correlation);

    ProfileBuilder m_builder;
    std::uint32_t m_file;
    std::uint32_t m_process;
};

} // namespace stepscope::test
