// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stepscope
{

/// Path of a generated rank file of about this many bytes, as eager training with shapes, memory marks and Python
/// frames writes it. Made on first use in the folder for temporary files and kept there.
[[nodiscard]] std::string generatedFile(std::uint64_t bytes);

/// Path of a generated Nsight Systems export with more than 5 million slices, or as many MB as STEPSCOPE_BENCH_NSYS_MB
/// asks for. Made and kept like the others.
[[nodiscard]] std::string generatedNsysFile();
/// The same job as an XSpace, with at least five million slices.
[[nodiscard]] std::string generatedXPlaneFile();

/// The size that STEPSCOPE_BENCH_MB asks for, 250 MB otherwise.
[[nodiscard]] std::uint64_t benchBytes();

/// Most anonymous memory (RssAnon) in use while a fresh process opens the profile, in bytes; 0 where the system does
/// not tell. `program` is this program.
[[nodiscard]] std::uint64_t peakAnonymousBytes(const std::string& program, const std::string& path);

/// Slices of a profile; opens it.
[[nodiscard]] std::uint64_t sliceCount(const std::string& path);

/// What that fresh process does: opens the profile and prints the peak.
int printPeakOfOpening(const std::string& path);

/// While it lives, the process runs on one core only, where the system can do that.
class OneCore
{
public:
    OneCore();
    ~OneCore();
    OneCore(const OneCore&) = delete;
    OneCore& operator=(const OneCore&) = delete;

private:
    std::vector<char> m_before; ///< the cores allowed before; empty where the system does not tell
};

} // namespace stepscope
