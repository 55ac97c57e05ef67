// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xplane/XPlaneImporter.h"

#include "core/FileName.h"
#include "importers/kineto/TraceMetadata.h"
#include "importers/xplane/FileDetails.h"
#include "importers/xplane/PlaneReader.h"
#include "importers/xplane/Sniff.h"
#include "importers/xplane/TextDamage.h"
#include "importers/xplane/XPlaneSliceSource.h"
#include "io/ByteStream.h"

#include <algorithm>
#include <iterator>

namespace stepscope
{

namespace
{

using namespace xplane;

/// A writer cannot make more than 2 GB of one XSpace; several put together are taken up to here.
constexpr std::uint64_t kMostInflatedBytes = 16ull << 30;
constexpr std::size_t kChunkBytes = 1u << 20;
constexpr std::size_t kHeadBytes = 64 * 1024;

bool isNumber(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Reads one file: first where everything stands, then plane by plane.
class Import
{
public:
    Import(const std::string& path, std::unique_ptr<ByteStream> stream, ProfileBuilder& builder, LoadProgress& progress)
        : m_path(path), m_stream(std::move(stream)), m_builder(builder), m_progress(progress),
          m_file(builder.addFile(path, "xplane", m_stream->fileBytes()))
    {
    }

    Result<ImportResult> run()
    {
        const bool packed = m_stream->compression() != Compression::None;
        if (packed) inflate();
        if (m_progress.cancelled()) return fail({});
        if (!packed) {
            auto text = sourceTextOfFile(m_path);
            if (!text.ok()) return fail(text.error());
            m_text = text.take();
            m_size = m_stream->fileBytes();
        }
        WireFile file(*m_text, m_size);
        const std::string head(file.window(0, kHeadBytes, kHeadBytes));
        if (wasDamagedAsText(head)) return fail(damagedAsText());
        if (sniffSpace(head) == Confidence::None) return fail(notASpace());
        return read(file, packed);
    }

private:
    /// A packed file is read twice, so it is packed again in a way that can be read from any place.
    void inflate()
    {
        std::vector<TextBlock> blocks;
        std::string chunk(kChunkBytes, '\0');
        while (!m_progress.cancelled() && m_size < kMostInflatedBytes) {
            const std::size_t read = m_stream->read(chunk);
            auto packed = packText(std::string_view(chunk).substr(0, read), m_size);
            std::move(packed.begin(), packed.end(), std::back_inserter(blocks));
            m_size += read;
            m_progress.addBytes(m_stream->fileBytesRead() - m_reportedBytes);
            m_reportedBytes = m_stream->fileBytesRead();
            if (read < chunk.size()) break;
        }
        if (m_size >= kMostInflatedBytes)
            m_builder.diagnostics().add(DiagnosticCode::LimitReached, 1, baseName(m_path),
                                        "It inflates to more than 16 GiB.");
        m_text = sourceTextOfBlocks(std::move(blocks));
    }

    Result<ImportResult> read(WireFile& file, bool packed)
    {
        SpaceIndex index = indexSpace(file, m_progress);
        FileDetails details = readDetails(file, index, m_progress);
        ImportState state{m_builder, m_progress, file, m_file, baseName(m_path), !packed, 0, 0, {}, {}, {}, 0};
        const bool sinceEpoch = timesSince1970(index, details, state);
        readPlanes(index, state);
        if (m_progress.cancelled()) return fail({});
        if (state.events == 0) return fail(noEvents(index));
        state.steps.mark(m_builder);
        noteDamage(index, details, state);
        if (!packed) m_progress.addBytes(m_size - std::min(m_size, state.reportedBytes));
        setFacts(std::move(index), std::move(details), sinceEpoch);
        return ImportResult::Complete;
    }

    /// Lines count from 1970 or from the beginning of the recording. Where a file has both, all are brought to the
    /// latter, if the file tells when that was.
    static bool timesSince1970(const SpaceIndex& index, const FileDetails& details, ImportState& state)
    {
        bool epoch = false;
        bool relative = false;
        for (const PlaneIndex& plane : index.planes)
            for (const LineIndex& line : plane.lines)
                if (line.hasEvents) (line.timestampNs > kEarliestEpochNs ? epoch : relative) = true;
        if (epoch && relative && details.startUnixNs) {
            state.epochShiftNs = *details.startUnixNs;
            return false;
        }
        return epoch;
    }

    /// The planes of a host stand for one process; the number of that is at most told by the name of its main thread.
    static std::string pidOfHost(const PlaneIndex& plane)
    {
        for (const LineIndex& line : plane.lines)
            if (line.name == "main/" + std::to_string(line.id) && isNumber(std::to_string(line.id)))
                return std::to_string(line.id);
        return "host";
    }

    static bool hasEvents(const PlaneIndex& plane)
    {
        return std::any_of(plane.lines.begin(), plane.lines.end(),
                           [](const LineIndex& line) { return line.hasEvents; });
    }

    void readPlanes(const SpaceIndex& index, ImportState& state)
    {
        std::vector<std::string> pids;
        std::set<std::string> taken;
        for (const PlaneIndex& plane : index.planes) {
            const PlaneRole role = placeOfPlane(plane.name).role;
            std::string pid;
            if (hasEvents(plane) && role == PlaneRole::Host)
                pid = plane.name == "/host:CPU" ? pidOfHost(plane) : plane.name;
            else if (hasEvents(plane) && role == PlaneRole::Generic) pid = plane.name.empty() ? "plane" : plane.name;
            for (int copy = 2; !pid.empty() && !taken.insert(pid).second; ++copy) {
                if (copy > 2) pid.resize(pid.rfind(' '));
                pid += ' ' + std::to_string(copy);
            }
            if (role == PlaneRole::Host && !pid.empty() && (!state.hostPid || (plane.name == "/host:CPU" && !m_sawCpu)))
                state.hostPid = pid;
            m_sawCpu = m_sawCpu || (plane.name == "/host:CPU" && !pid.empty());
            pids.push_back(std::move(pid));
        }
        for (std::size_t place = 0; place < index.planes.size(); ++place) {
            if (m_progress.cancelled()) return;
            if (hasEvents(index.planes[place])) PlaneReader(state, index.planes[place], pids[place]).run();
        }
    }

    void noteDamage(const SpaceIndex& index, const FileDetails& details, ImportState& state)
    {
        const std::string_view damage = m_stream->damage();
        if (index.truncated || !damage.empty())
            m_builder.diagnostics().add(DiagnosticCode::TruncatedFile, 1,
                                        state.fileName + ", byte " +
                                            std::to_string(index.truncated ? index.truncatedAt : m_size),
                                        damage.empty() ? "" : "Reason: " + std::string(damage) + ".");
        state.note(DiagnosticCode::BrokenRecord, index.brokenAt, index.brokenRecords);
        m_builder.diagnostics().add(DiagnosticCode::LostData, details.droppedTraces, state.fileName);
        for (const auto* reports : {&index.errors, &index.warnings})
            for (const std::string& report : *reports)
                m_builder.diagnostics().addFor(DiagnosticCode::ProfilerMessage, report, 1, state.fileName);
    }

    void setFacts(SpaceIndex index, FileDetails details, bool sinceEpoch)
    {
        FileFacts facts;
        facts.format = "xplane";
        facts.host = index.hostNames.empty() || index.hostNames.front().empty() ? hostFromFileName(m_path)
                                                                                : index.hostNames.front();
        facts.rank = kineto::rankFromFileName(m_path);
        if (facts.rank) m_builder.diagnostics().add(DiagnosticCode::RankFromFileName, 1, baseName(m_path));
        if (sinceEpoch) facts.epochNs = 0;
        else facts.epochNs = details.startUnixNs;
        facts.metadata = std::move(details.metadata);
        facts.inflatedBytes = m_size;
        facts.source = xplaneSliceSource(m_text, m_size, std::move(index));
        m_builder.setFileFacts(m_file, std::move(facts));
    }

    [[nodiscard]] Error damagedAsText() const
    {
        return {
            ErrorCode::Unreadable, m_path,
            "it is an XPlane profile that was damaged on its way: a program took it for text and replaced its bytes",
            "Copy or download it again, as a binary file.", 0};
    }
    [[nodiscard]] Error notASpace() const
    {
        const std::string_view summary = summaryName(baseName(m_path));
        if (!summary.empty())
            return {ErrorCode::OtherContent, m_path,
                    "it is a summary (" + std::string(summary) +
                        ") that TensorFlow's profiler made of a profile, and holds no events",
                    "Open the *.xplane.pb or *.trace.json.gz beside it."};
        return {ErrorCode::UnknownFormat, m_path, "it does not begin like an XPlane profile",
                "Choose the *.xplane.pb that the profiler wrote.", 0};
    }
    [[nodiscard]] Error noEvents(const SpaceIndex& index) const
    {
        if (index.truncated)
            return {ErrorCode::NoEvents, m_path, "it ends before the first event is whole",
                    "Copy or download the file again.", index.truncatedAt};
        return {ErrorCode::NoEvents, m_path,
                "none of its " + std::to_string(index.planes.size()) + " planes holds an event with a time",
                "Record again while the job is working."};
    }

    Result<ImportResult> fail(Error error)
    {
        m_builder.dropFile(m_file);
        if (m_progress.cancelled()) return ImportResult::Cancelled;
        return error;
    }

    const std::string& m_path;
    std::unique_ptr<ByteStream> m_stream;
    ProfileBuilder& m_builder;
    LoadProgress& m_progress;
    std::uint32_t m_file;
    std::shared_ptr<const SourceText> m_text;
    std::uint64_t m_size = 0; ///< inflated
    std::uint64_t m_reportedBytes = 0;
    bool m_sawCpu = false;
};

} // namespace

Confidence XPlaneImporter::sniff(const FileHead& file) const
{
    const Confidence content = sniffSpace(file.bytes);
    // Summaries are refused by a sentence of their own when they are opened, and passed over in folders.
    const bool summary = content == Confidence::None && !summaryName(baseName(file.path)).empty();
    return summary && !file.bytes.empty() ? Confidence::Maybe : content;
}

Result<ImportResult> XPlaneImporter::import(const std::string& path, ProfileBuilder& builder,
                                            LoadProgress& progress) const
{
    auto stream = ByteStream::open(path);
    if (!stream.ok()) return stream.error();
    return Import(path, stream.take(), builder, progress).run();
}

} // namespace stepscope
