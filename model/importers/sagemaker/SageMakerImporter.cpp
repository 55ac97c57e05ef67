// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/sagemaker/SageMakerImporter.h"

#include "core/FileName.h"
#include "importers/kineto/JsonSliceSource.h"
#include "importers/sagemaker/SystemMetrics.h"
#include "importers/sagemaker/Timeline.h"
#include "io/ByteStream.h"
#include "io/JsonText.h"

#include <algorithm>

namespace stepscope
{

namespace
{

using namespace sagemaker;

/// Debugger starts a new file every minute or every 10 MB; one of this size is something else.
constexpr std::size_t kLargestFile = 1u << 30;

bool isMetrics(std::string_view head)
{
    const std::string_view line = json::trimmed(head.substr(0, head.find('\n')));
    return line.starts_with('{') && line.find("\"Dimension\"") != std::string_view::npos &&
           line.find("\"Timestamp\"") != std::string_view::npos && line.find("\"NodeId\"") != std::string_view::npos;
}

bool isTimeline(std::string_view head)
{
    return json::trimmed(head.substr(0, 16)).starts_with('[') &&
           head.find("\"start_time_since_epoch_in_micros\"") != std::string_view::npos;
}

class Recording
{
public:
    Recording(ProfileBuilder& builder, LoadProgress& progress)
        : m_builder(builder), m_progress(progress), m_metrics(builder), m_timelines(builder)
    {
    }

    Result<ImportResult> run(const std::vector<std::string>& paths)
    {
        std::optional<Error> firstError;
        for (const std::string& path : paths) {
            auto text = readWhole(path);
            if (m_progress.cancelled()) return ImportResult::Cancelled;
            if (!text.ok()) {
                if (!firstError) firstError = text.error();
                if (paths.size() > 1) m_builder.diagnostics().addFor(DiagnosticCode::FileSkipped, baseName(path));
                continue;
            }
            if (!take(path, text.value())) return ImportResult::Cancelled;
        }
        if (m_nodes.empty() && firstError) return *firstError;
        if (m_nodes.empty())
            return Error{ErrorCode::NoEvents, paths.front(), "no line of it is a whole sample",
                         "Copy or download the file again."};
        m_timelines.finish();
        setFacts();
        return ImportResult::Complete;
    }

private:
    struct Node {
        std::vector<std::string> paths;
        std::vector<TextBlock> blocks;
        std::uint64_t textBytes = 0;
        std::uint64_t inflatedBytes = 0;
    };

    Result<std::string> readWhole(const std::string& path)
    {
        auto opened = ByteStream::open(path);
        if (!opened.ok()) return opened.error();
        const auto stream = opened.take();
        std::string text;
        std::size_t got = 1;
        while (got > 0 && !m_progress.cancelled()) {
            const std::size_t before = text.size();
            text.resize(before + (1u << 20));
            got = stream->read(std::span(text).subspan(before));
            text.resize(before + got);
            if (text.size() > kLargestFile)
                return Error{ErrorCode::TooLarge, path, "it is larger than any file of SageMaker Debugger (1 GB)",
                             "Choose the folder profiler-output of the job."};
        }
        m_progress.addBytes(stream->fileBytes());
        if (!stream->damage().empty()) m_builder.diagnostics().add(DiagnosticCode::TruncatedFile, 1, baseName(path));
        return text;
    }

    bool take(const std::string& path, const std::string& text)
    {
        if (isTimeline(text)) {
            const std::string node = timelineName(path).node;
            Node& known = nodeOf(node, path);
            const std::uint64_t offset = known.textBytes;
            auto blocks = packText(text, offset);
            std::move(blocks.begin(), blocks.end(), std::back_inserter(known.blocks));
            known.textBytes += text.size();
            return m_timelines.add(text, offset, path, m_files.at(node), m_progress);
        }
        const auto fileOf = [&](const std::string& node) {
            static_cast<void>(nodeOf(node, path));
            return m_files.at(node);
        };
        return m_metrics.add(text, baseName(path), fileOf, m_progress);
    }

    Node& nodeOf(const std::string& node, const std::string& path)
    {
        if (!m_files.contains(node)) m_files.emplace(node, m_builder.addFile(path, "sagemaker-debugger", 0));
        Node& known = m_nodes[node];
        if (known.paths.empty() || known.paths.back() != path) known.paths.push_back(path);
        return known;
    }

    void setFacts()
    {
        for (auto& [name, node] : m_nodes) {
            FileFacts facts;
            facts.host = name;
            facts.parts = std::move(node.paths);
            facts.epochNs = 0;
            facts.inflatedBytes = node.textBytes;
            facts.source = kineto::jsonSliceSource(sourceTextOfBlocks(std::move(node.blocks)));
            m_builder.setFileFacts(m_files.at(name), std::move(facts));
        }
    }

    ProfileBuilder& m_builder;
    LoadProgress& m_progress;
    SystemMetrics m_metrics;
    Timelines m_timelines;
    std::map<std::string, std::uint32_t> m_files; ///< the builder's, by node
    std::map<std::string, Node> m_nodes;
};

} // namespace

Confidence SageMakerImporter::sniff(const FileHead& head) const
{
    return isMetrics(head.bytes) || isTimeline(head.bytes) ? Confidence::Sure : Confidence::None;
}

Result<ImportResult> SageMakerImporter::import(const std::string& path, ProfileBuilder& builder,
                                               LoadProgress& progress) const
{
    return importAll({path}, builder, progress);
}

Result<ImportResult> SageMakerImporter::importAll(const std::vector<std::string>& paths, ProfileBuilder& builder,
                                                  LoadProgress& progress) const
{
    return Recording(builder, progress).run(paths);
}

} // namespace stepscope
