// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/KinetoImporter.h"

#include "core/FileName.h"
#include "core/OrderedPipeline.h"
#include "core/ParallelFor.h"
#include "importers/kineto/EventParser.h"
#include "importers/kineto/EventReader.h"
#include "importers/kineto/JsonSliceSource.h"
#include "importers/kineto/TensorFlowNames.h"
#include "importers/kineto/TraceMerger.h"
#include "io/ByteStream.h"
#include "io/JsonText.h"

#include <algorithm>
#include <utility>

namespace stepscope
{

namespace
{

using namespace kineto;

/// Keys beside the events are small; what is beyond this is no metadata.
constexpr std::size_t kLargestTrailer = 64u << 20;
/// A file with one event that never ends is given up after this much text.
constexpr std::size_t kLargestCarry = 32u << 20;

/// A window of text that is at hand.
Window windowOf(std::string_view text, std::uint64_t offset)
{
    Window window;
    window.offset = offset;
    window.cut = text.ends_with(',');
    window.size = text.size() - (window.cut ? 1 : 0);
    window.text = PaddedText(text.size());
    char* end = std::copy_n(text.data(), window.size, window.text.data() + 1);
    std::fill(end, window.text.data() + window.text.capacity(), ' ');
    if (window.cut) *end = ']';
    return window;
}

/// Reads one file: windows in parallel, then in order into the merger.
class Import
{
public:
    Import(const std::string& path, std::unique_ptr<ByteStream> stream, ProfileBuilder& builder, LoadProgress& progress)
        : m_path(path), m_stream(std::move(stream)), m_reader(*m_stream), m_builder(builder), m_progress(progress),
          m_file(builder.addFile(path, "chrome", m_stream->fileBytes())), m_merger(builder, m_file, baseName(path))
    {
    }

    Result<ImportResult> run()
    {
        if (!m_reader.findEvents()) return fail(noList());
        const bool keepText = m_stream->compression() != Compression::None;
        OrderedPipeline<Window, EventBatch> pipeline;
        pipeline.run(
            workerCount(), [this] { return produce(); },
            [keepText] {
                auto parser = std::make_shared<EventParser>();
                return [parser, keepText](Window& window) { return parser->parse(window, keepText); };
            },
            [this](Window& window, EventBatch& batch) { return consume(window, batch); });
        if (m_progress.cancelled()) return ImportResult::Cancelled;
        return finish();
    }

private:
    std::optional<Window> produce()
    {
        if (m_progress.cancelled()) return std::nullopt;
        auto window = m_reader.next();
        reportProgress();
        return window;
    }

    void reportProgress()
    {
        const std::uint64_t read = m_stream->fileBytesRead();
        m_progress.addBytes(read - m_reportedBytes);
        m_reportedBytes = read;
    }

    bool consume(Window& window, EventBatch& batch)
    {
        if (m_progress.cancelled()) return false;
        std::move(batch.blocks.begin(), batch.blocks.end(), std::back_inserter(m_blocks));
        if (m_listEnded) {
            appendTrailer(window.events(), window.cut);
        } else if (m_carry.empty()) {
            take(window, batch);
        } else {
            takeWithCarry(window);
        }
        return true;
    }

    void take(const Window& window, const EventBatch& batch)
    {
        m_merger.add(batch);
        m_progress.addSlices(batch.slices.size());
        const std::string_view rest = window.events().substr(batch.consumed);
        if (batch.end == EventBatch::End::ListEnd) {
            m_listEnded = true;
            appendTrailer(rest.substr(1), window.cut);
        } else if (batch.end == EventBatch::End::Incomplete) {
            // The border was none: the event goes on in the next window.
            m_carry = rest;
            m_carryOffset = window.offset + batch.consumed;
            m_carryTried = m_carry.size();
            if (window.cut) m_carry.push_back(',');
        }
    }

    /// Joins what is left of the last window with this one. An event longer than a window is looked at again each time
    /// that its text has doubled.
    void takeWithCarry(const Window& window)
    {
        m_carry.append(window.events());
        if (window.cut) m_carry.push_back(',');
        if (m_carry.size() < m_carryTried * 2 && !window.last) return;
        const Window joined = windowOf(m_carry, m_carryOffset);
        m_carry.clear();
        take(joined, m_joinParser.parse(joined, false));
        m_carryTried = m_carry.size();
        if (m_carry.size() > kLargestCarry) settleCarry();
    }

    void appendTrailer(std::string_view text, bool comma)
    {
        if (m_trailer.size() + text.size() > kLargestTrailer) return;
        m_trailer.append(text);
        if (comma) m_trailer.push_back(',');
    }

    /// For text whose first event does not end: broken off, or swallowed by a stray quote. Takes the events behind it
    /// that are whole by themselves; the last piece stays, as it may go on.
    void settleCarry()
    {
        const std::string text = std::exchange(m_carry, {});
        const std::uint64_t offset = m_carryOffset;
        std::size_t at = 0;
        for (auto next = json::nextEventStart(text, 1); next && !m_progress.cancelled() && !m_listEnded;
             next = json::nextEventStart(text, at + 1)) {
            takePiece(std::string_view(text).substr(at, *next - at), offset + at);
            at = *next;
        }
        if (m_listEnded) return appendTrailer(std::string_view(text).substr(at), false);
        if (at > 0 && json::valueLength(std::string_view(text).substr(at)))
            return takePiece(std::string_view(text).substr(at), offset + at);
        m_carry = text.substr(at);
        m_carryOffset = offset + at;
        if (m_carry.size() > kLargestCarry) {
            noteBroken(m_carryOffset);
            m_carry.clear();
        }
        m_carryTried = m_carry.size();
    }

    void takePiece(std::string_view piece, std::uint64_t offset)
    {
        if (!json::valueLength(piece)) return noteBroken(offset);
        const Window window = windowOf(piece, offset);
        take(window, m_joinParser.parse(window, false));
    }

    void noteBroken(std::uint64_t offset)
    {
        m_builder.diagnostics().add(DiagnosticCode::BrokenEvent, 1,
                                    baseName(m_path) + ", byte " + std::to_string(offset));
        if (m_brokenEvents++ == 0) m_firstBroken = offset;
    }

    Result<ImportResult> finish()
    {
        settleCarry();
        if (m_progress.cancelled()) return ImportResult::Cancelled;
        const std::string_view damage = m_stream->damage();
        const TraceMetadata metadata = readMetadata(metadataDocument());
        StackFrames frames(valueOf(metadata, "stackFrames"));
        addSamples(metadata, frames);
        if (m_merger.timedEvents() == 0) return fail(noEvents(damage));
        const bool objectLeftOpen = !m_reader.bareList() && (!m_listEnded || !json::valueLength(wholeDocument()));
        const std::string place = baseName(m_path) + ", byte " + std::to_string(m_reader.inflatedBytes());
        const bool damaged = damage.find("damaged") != std::string_view::npos;
        if (damaged) m_builder.diagnostics().add(DiagnosticCode::DamagedData, 1, place);
        else if (!m_carry.empty() || objectLeftOpen || !damage.empty())
            m_builder.diagnostics().add(DiagnosticCode::TruncatedFile, 1, place,
                                        damage.empty() ? "" : "Reason: " + std::string(damage) + ".");
        m_builder.diagnostics().add(DiagnosticCode::SecondEventList, metadata.otherEvents, baseName(m_path));
        m_merger.finish();
        return setFacts(metadata, std::move(frames));
    }

    [[nodiscard]] static std::string_view valueOf(const TraceMetadata& metadata, std::string_view key)
    {
        const auto found = std::find_if(metadata.values.begin(), metadata.values.end(),
                                        [&](const auto& entry) { return entry.first == key; });
        return found == metadata.values.end() ? std::string_view() : std::string_view(found->second);
    }

    void addSamples(const TraceMetadata& metadata, const StackFrames& frames)
    {
        std::uint64_t broken = 0;
        for (const StackSample& sample : readSamples(valueOf(metadata, "samples"), broken)) {
            const auto stack = frames.chain(sample.frame);
            const std::string_view name = stack.empty() ? std::string_view(sample.name) : stack.front();
            m_merger.addSample(sample, name.empty() ? "sample" : name);
        }
        m_builder.diagnostics().add(DiagnosticCode::MissingTime, broken, baseName(m_path));
    }

    Result<ImportResult> setFacts(const TraceMetadata& metadata, StackFrames frames)
    {
        if (metadata.broken) m_builder.diagnostics().add(DiagnosticCode::BrokenMetadata, 1, baseName(m_path));
        FileFacts facts;
        facts.format = metadata.fromKineto || m_merger.sawProfilerCategories() ? "kineto" : "chrome";
        facts.host = metadata.hostName;
        const auto [host, pid] = hostAndPidFromFileName(m_path);
        if (facts.host.empty() && m_merger.hasPid(pid)) facts.host = host;
        if (facts.host.empty() && m_merger.isTensorFlow()) facts.host = hostFromTensorFlowName(m_path);
        facts.rank = metadata.rank;
        if (!facts.rank) {
            facts.rank = rankFromFileName(m_path);
            if (facts.rank) m_builder.diagnostics().add(DiagnosticCode::RankFromFileName, 1, baseName(m_path));
        }
        facts.worldSize = metadata.worldSize;
        facts.epochNs = epochOf(metadata);
        if (!facts.epochNs && m_merger.isTensorFlow() && m_path.find("/detailed_profiling/") != std::string::npos)
            facts.epochNs = sessionStartNs(m_path);
        facts.deviceModels = metadata.deviceModels;
        // What is shown elsewhere, and may be large, is not kept twice.
        for (const auto& entry : metadata.values)
            if (entry.first != "stackFrames" && entry.first != "samples") facts.metadata.push_back(entry);
        facts.inflatedBytes = m_reader.inflatedBytes();
        if (m_stream->compression() != Compression::None) {
            facts.source = jsonSliceSource(sourceTextOfBlocks(std::move(m_blocks)), std::move(frames));
        } else if (auto text = sourceTextOfFile(m_path); text.ok()) {
            facts.source = jsonSliceSource(text.take(), std::move(frames));
        }
        m_builder.setFileFacts(m_file, std::move(facts));
        return ImportResult::Complete;
    }

    /// Times are relative to baseTimeNanoseconds where the file has it; older files count from 1970 themselves.
    [[nodiscard]] std::optional<std::int64_t> epochOf(const TraceMetadata& metadata) const
    {
        constexpr std::int64_t kYear2001 = 1'000'000'000'000'000'000;
        constexpr std::int64_t kYear2096 = 4'000'000'000'000'000'000;
        if (metadata.baseTimeNs) return metadata.baseTimeNs;
        if (m_merger.firstNs() > kYear2001 && m_merger.firstNs() < kYear2096) return 0;
        return std::nullopt;
    }

    /// The outermost object without its events, as far as the file goes.
    [[nodiscard]] std::string wholeDocument() const { return m_reader.header() + "\"traceEvents\": []" + m_trailer; }

    [[nodiscard]] std::string metadataDocument() const
    {
        if (m_reader.bareList()) return "{}";
        std::string document = wholeDocument();
        if (json::valueLength(document)) return document;
        // A file that is cut off still has the keys that came before the cut.
        std::string whole = "{";
        for (const json::Field& field : json::fieldsOf(document))
            whole.append(whole.size() > 1 ? ", \"" : "\"").append(field.rawKey).append("\": ").append(field.value);
        return whole + "}";
    }

    [[nodiscard]] Error noList() const
    {
        if (!m_stream->damage().empty() && m_reader.inflatedBytes() == 0) return noEvents(m_stream->damage());
        if (!m_reader.sawJson())
            return {ErrorCode::NotJson, m_path, "it does not begin like JSON",
                    "Choose the profile that the training job wrote, for example *.pt.trace.json.", 0};
        if (!m_stream->damage().empty()) return noEvents(m_stream->damage());
        return {ErrorCode::NoEvents, m_path, "it is JSON, but has no \"traceEvents\" list",
                "Choose a profile written by torch.profiler or another trace in the Chrome trace-event format."};
    }

    [[nodiscard]] Error noEvents(std::string_view damage) const
    {
        if (!damage.empty())
            return {ErrorCode::BrokenCompression, m_path, std::string(damage) + ", and no event is whole",
                    "Copy or download the file again.", m_reader.inflatedBytes()};
        if (const std::uint64_t broken = m_brokenEvents + m_merger.brokenEvents(); broken > 0)
            return {ErrorCode::NoEvents, m_path, "none of its events can be read: they are no valid JSON",
                    "Write the profile again; another program may have damaged its texts.",
                    m_brokenEvents > 0 ? m_firstBroken : m_merger.firstBroken()};
        if (!m_carry.empty())
            return {ErrorCode::NoEvents, m_path, "it ends before the first event is whole",
                    "Copy or download the file again.", m_carryOffset};
        return {ErrorCode::NoEvents, m_path, "its list of events holds no event with a time",
                "Record again with at least one active step of the profiler's schedule."};
    }

    Result<ImportResult> fail(Error error)
    {
        m_builder.dropFile(m_file);
        if (m_progress.cancelled()) return ImportResult::Cancelled;
        return error;
    }

    const std::string& m_path;
    std::unique_ptr<ByteStream> m_stream;
    EventReader m_reader;
    ProfileBuilder& m_builder;
    LoadProgress& m_progress;
    std::uint32_t m_file;
    TraceMerger m_merger;
    EventParser m_joinParser;
    std::uint64_t m_reportedBytes = 0;
    std::vector<TextBlock> m_blocks;
    std::string m_carry;
    std::uint64_t m_carryOffset = 0;
    std::size_t m_carryTried = 0; ///< its size when it was last parsed
    std::uint64_t m_brokenEvents = 0;
    std::uint64_t m_firstBroken = 0;
    std::string m_trailer;
    bool m_listEnded = false;
};

} // namespace

Confidence KinetoImporter::sniff(const FileHead& file) const
{
    std::string_view head = file.bytes;
    if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
    while (!head.empty() && json::isSpace(head.front())) head.remove_prefix(1);
    if (head.empty()) return Confidence::None;
    const std::string_view rest = json::trimmed(head.substr(1));
    if (head.front() == '{') {
        const bool known = head.find("\"traceEvents\"") != std::string_view::npos ||
                           head.find("\"schemaVersion\"") != std::string_view::npos;
        if (known) return Confidence::Sure;
        return rest.empty() || rest.front() == '"' || rest.front() == '}' ? Confidence::Maybe : Confidence::None;
    }
    if (head.front() == '[') {
        if (head.find("\"ph\"") != std::string_view::npos) return Confidence::Sure;
        return rest.empty() || rest.front() == '{' || rest.front() == ']' ? Confidence::Maybe : Confidence::None;
    }
    return Confidence::None;
}

Result<ImportResult> KinetoImporter::import(const std::string& path, ProfileBuilder& builder,
                                            LoadProgress& progress) const
{
    auto stream = ByteStream::open(path);
    if (!stream.ok()) return stream.error();
    return Import(path, stream.take(), builder, progress).run();
}

} // namespace stepscope
