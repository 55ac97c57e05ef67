// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "generator/StepTrace.h"

#include <cstdint>
#include <string>

namespace stepscope
{

/// Who writes the file.
struct RankIdentity {
    std::string host;
    int rank = 0;
    int device = 0;
    int worldSize = 1;
    std::int64_t pid = 0;
    std::int64_t autogradTid = 0;
};

/// Writes one rank's file in one format, step by step.
class RankWriter
{
public:
    virtual ~RankWriter() = default;
    virtual void writeHeader() = 0;
    virtual void writeStep(const StepTrace& trace) = 0;
    /// The recording was on in [startNs, endNs). False when any byte of the file could not be written.
    [[nodiscard]] virtual bool finish(std::int64_t startNs, std::int64_t endNs) = 0;
    /// Written so far, uncompressed.
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

} // namespace stepscope
