// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/kineto/EventParser.h"
#include "importers/sagemaker/FileName.h"
#include "profile/ProfileBuilder.h"

#include <map>
#include <string>
#include <string_view>

namespace stepscope::sagemaker
{

/// Framework timelines: trace-event lists in which a "process" is a phase of the training script. The phases of all
/// files of one real process become its threads.
class Timelines
{
public:
    explicit Timelines(ProfileBuilder& builder) : m_builder(builder) {}

    /// Adds one file's list. `offset` is where its text stands in the node's joined source. False if cancelled.
    [[nodiscard]] bool add(std::string_view text, std::uint64_t offset, const std::string& path, std::uint32_t file,
                           LoadProgress& progress);
    /// To be called after the last file: names the phases.
    void finish();

private:
    struct Phase {
        std::uint32_t file = 0;
        std::string pid;
        std::string key; ///< of the thread that stands for it
        std::string label;
    };
    class File;

    ProfileBuilder& m_builder;
    kineto::EventParser m_parser;
    std::map<std::string, std::string> m_phaseNames; ///< by file, pid and phase
    std::map<std::string, Phase> m_phases;
};

/// Wall clock of a timeline's zero, in ns: `start_time_since_epoch_in_micros` of its first event.
[[nodiscard]] std::optional<std::int64_t> timelineEpochNs(std::string_view text);

} // namespace stepscope::sagemaker
