// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/Format.h"

#include "core/FileName.h"
#include "profile/Freeze.h"

#include <algorithm>
#include <map>

namespace stepscope::draft
{

namespace
{

constexpr std::size_t kFewestMatches = 3;

/// The communication kernels of a file, by name, in time order.
using Collectives = std::map<StringId, std::vector<Interval>>;

std::vector<Collectives> collectivesOfFiles(const Draft& draft)
{
    std::vector<Collectives> files(draft.files.size());
    for (const Lane& lane : draft.lanes)
        for (std::size_t slice = 0; slice < lane.contents.size(); ++slice)
            if (lane.contents[slice].kind == SliceKind::CommunicationKernel)
                files[lane.file][lane.contents[slice].name].push_back(lane.intervals[slice]);
    for (Collectives& file : files)
        for (auto& [name, kernels] : file)
            std::sort(kernels.begin(), kernels.end(),
                      [](const Interval& a, const Interval& b) { return a.startNs < b.startNs; });
    return files;
}

/// How two files' collectives lie to each other. A collective ends on all its ranks at about the same time, once the
/// last one has come; so the distance of its ends is the distance of the clocks.
struct Comparison {
    std::size_t matches = 0;
    std::int64_t medianNs = 0;   ///< end in the second file minus end in the first, each in its own time
    std::int64_t scatterNs = 0;  ///< median distance from that median
    std::int64_t shortestNs = 0; ///< of the matched collectives
};

std::int64_t medianOf(std::vector<std::int64_t> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The n-th kernel of a name here is the n-th of that name there, provided that both have as many.
Comparison compare(const Collectives& first, const Collectives& second)
{
    Comparison result;
    std::vector<std::int64_t> distances;
    result.shortestNs = INT64_MAX;
    for (const auto& [name, kernels] : first) {
        const auto other = second.find(name);
        if (other == second.end() || other->second.size() != kernels.size()) continue;
        for (std::size_t index = 0; index < kernels.size(); ++index) {
            distances.push_back(other->second[index].endNs() - kernels[index].endNs());
            result.shortestNs = std::min({result.shortestNs, kernels[index].durNs, other->second[index].durNs});
        }
    }
    result.matches = distances.size();
    if (distances.size() < kFewestMatches) return result;
    result.medianNs = medianOf(distances);
    for (std::int64_t& distance : distances) distance = std::abs(distance - result.medianNs);
    result.scatterNs = medianOf(std::move(distances));
    return result;
}

/// Places the files one after the other, each by the wall clock, by the collectives it shares with one placed before,
/// or at the beginning.
class Alignment
{
public:
    explicit Alignment(Draft& draft) : m_draft(draft), m_collectives(collectivesOfFiles(draft)) {}

    std::optional<std::int64_t> run()
    {
        const auto origin = earliestEpoch();
        for (std::uint32_t file = 0; file < m_draft.files.size(); ++file)
            if (m_draft.files[file].epochNs) placeByClock(file, *origin);
        for (std::uint32_t file = 0; file < m_draft.files.size(); ++file)
            if (!m_draft.files[file].epochNs) placeWithoutClock(file);
        if (m_placed.size() > 1 && m_byClock > 1) {
            m_draft.diagnostics.add(DiagnosticCode::ClocksAligned, m_byClock, {},
                                    m_largestErrorNs < 0 ? ""
                                                         : "Matching collectives end within " +
                                                               formatDuration(m_largestErrorNs, 3) + " of each other.");
        }
        return origin;
    }

private:
    [[nodiscard]] std::optional<std::int64_t> earliestEpoch() const
    {
        std::optional<std::int64_t> origin;
        for (const FileDraft& file : m_draft.files)
            if (file.epochNs) origin = origin ? std::min(*origin, *file.epochNs) : *file.epochNs;
        return origin;
    }

    void placeByClock(std::uint32_t index, std::int64_t origin)
    {
        FileDraft& file = m_draft.files[index];
        const std::int64_t shiftNs = *file.epochNs - origin;
        if (file.firstNs <= file.lastNs && !isTimePossible(file.lastNs + shiftNs)) {
            file.epochNs.reset(); // lies centuries behind the others
            return;
        }
        file.file.shiftNs = shiftNs;
        ++m_byClock;
        if (const auto [reference, known] = referenceFor(index); known.matches >= kFewestMatches) {
            const std::int64_t errorNs = known.medianNs + shiftNs - m_draft.files[reference].file.shiftNs;
            if (std::abs(errorNs) > known.shortestNs && isConsistent(known)) realign(index, errorNs, known);
            else m_largestErrorNs = std::max(m_largestErrorNs, std::abs(errorNs) + known.scatterNs);
        }
        m_placed.push_back(index);
    }

    void placeWithoutClock(std::uint32_t index)
    {
        FileDraft& file = m_draft.files[index];
        if (m_draft.files.size() == 1 || file.firstNs > file.lastNs) return;
        const auto [reference, known] = referenceFor(index);
        if (known.matches >= kFewestMatches && isConsistent(known)) {
            realign(index, known.medianNs - m_draft.files[reference].file.shiftNs, known);
        } else {
            file.file.shiftNs = firstPlacedNs(file.firstNs) - file.firstNs;
            m_draft.diagnostics.add(DiagnosticCode::ClockUnaligned, 1, baseName(file.file.path));
        }
        m_placed.push_back(index);
    }

    /// The collectives tell the same distance again and again; otherwise they are not the same ones.
    [[nodiscard]] static bool isConsistent(const Comparison& known) { return known.scatterNs <= known.shortestNs; }

    void realign(std::uint32_t index, std::int64_t errorNs, const Comparison& known)
    {
        FileDraft& file = m_draft.files[index];
        file.file.shiftNs -= errorNs;
        m_draft.diagnostics.add(DiagnosticCode::ClocksRealigned, 1, baseName(file.file.path),
                                "The first one by " + formatDuration(-errorNs, 4) + ", from " +
                                    formatCount(known.matches) + " collectives that agree within " +
                                    formatDuration(known.scatterNs, 3) + ".");
    }

    /// The file placed before that shares the most collectives with this one.
    [[nodiscard]] std::pair<std::uint32_t, Comparison> referenceFor(std::uint32_t index) const
    {
        constexpr std::size_t kEnough = 100;
        std::pair<std::uint32_t, Comparison> best{0, {}};
        for (const std::uint32_t other : m_placed) {
            const Comparison known = compare(m_collectives[other], m_collectives[index]);
            if (known.matches > best.second.matches) best = {other, known};
            if (best.second.matches >= kEnough) break;
        }
        return best;
    }

    [[nodiscard]] std::int64_t firstPlacedNs(std::int64_t otherwise) const
    {
        std::optional<std::int64_t> first;
        for (const std::uint32_t index : m_placed) {
            const FileDraft& file = m_draft.files[index];
            if (file.firstNs > file.lastNs) continue;
            const std::int64_t ns = file.firstNs + file.file.shiftNs;
            first = first ? std::min(*first, ns) : ns;
        }
        return first.value_or(otherwise);
    }

    Draft& m_draft;
    std::vector<Collectives> m_collectives;
    std::vector<std::uint32_t> m_placed;
    std::uint64_t m_byClock = 0;
    std::int64_t m_largestErrorNs = -1;
};

} // namespace

void alignClocks(Draft& draft, Profile& profile) { profile.originUnixNs = Alignment(draft).run(); }

} // namespace stepscope::draft
