// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/OpenProfile.h"

#include "core/NaturalOrder.h"
#include "importers/BuiltinImporters.h"
#include "importers/Lookalikes.h"
#include "importers/Twins.h"
#include "io/Archive.h"
#include "io/ByteStream.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <set>

namespace stepscope
{

namespace
{

namespace fs = std::filesystem;
constexpr std::size_t kHeadBytes = 64 * 1024;
constexpr int kFolderDepth = 16; ///< TensorFlow's traces lie nine folders deep in what SageMaker writes

struct Choice {
    const Importer* importer = nullptr;
    Confidence confidence = Confidence::None;
    std::uint64_t bytes = 0; ///< of the file
};

bool looksLikeText(std::string_view head)
{
    const auto odd = std::count_if(head.begin(), head.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
    });
    return static_cast<std::size_t>(odd) * 50 < head.size();
}

std::string whatToChoose() { return "Choose a profile that it reads: " + readableFormats() + "."; }

Error unknownFormat(const std::string& path, const std::string& head, std::string_view damage)
{
    if (!damage.empty() && head.empty())
        return {ErrorCode::BrokenCompression, path, std::string(damage), "Copy or download the file again."};
    if (head.starts_with("SQLite format 3"))
        return {ErrorCode::UnknownFormat, path, "it is an SQLite database, but of no profiler that Stepscope knows",
                whatToChoose()};
    if (auto lookalike = recogniseLookalike(path, head)) return *lookalike;
    if (looksLikeText(head)) return {ErrorCode::NotJson, path, "it is a text, but not JSON", whatToChoose()};
    return {ErrorCode::UnknownFormat, path, "its content is of no format that Stepscope knows", whatToChoose()};
}

Result<Choice> chooseImporter(const std::string& path)
{
    auto opened = ByteStream::open(path);
    if (!opened.ok()) return opened.error();
    auto stream = opened.take();
    FileHead head{path, std::string(kHeadBytes, '\0'), stream->compression() != Compression::None};
    head.bytes.resize(stream->read(head.bytes));
    Choice best;
    for (const auto& importer : builtinImporters()) {
        const Confidence confidence = importer->sniff(head);
        if (confidence != Confidence::None && confidence >= best.confidence)
            best = {importer.get(), confidence, stream->fileBytes()};
    }
    if (best.importer == nullptr) return unknownFormat(path, head.bytes, stream->damage());
    return best;
}

std::vector<std::string> filesBelow(const std::string& folder, const LoadProgress& progress)
{
    std::vector<std::string> files;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && !progress.cancelled() && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        const bool hidden = entry->path().filename().string().starts_with('.');
        if (hidden || entry.depth() >= kFolderDepth) entry.disable_recursion_pending();
        if (hidden) continue;
        if (entry->is_regular_file(ignored)) files.push_back(entry->path().string());
    }
    std::sort(files.begin(), files.end(), naturalLess);
    return files;
}

Result<std::shared_ptr<const Profile>> openFile(const std::string& path, LoadProgress& progress)
{
    auto choice = chooseImporter(path);
    if (!choice.ok()) return choice.error();
    progress.setTotalBytes(choice.value().bytes);
    ProfileBuilder builder;
    auto imported = choice.value().importer->import(path, builder, progress);
    if (!imported.ok()) return imported.error();
    if (imported.value() == ImportResult::Cancelled) return std::shared_ptr<const Profile>();
    return builder.finish(path, progress);
}

void noteSkipped(DiagnosticLog& diagnostics, const std::string& path, const Error& error)
{
    const std::string name = fs::path(path).filename().string();
    diagnostics.addFor(DiagnosticCode::FileSkipped, name + " (" + error.what + ")", 1, name);
}

/// Files named like profiles that cannot be opened are missed; others are only mentioned.
void noteLeftOut(DiagnosticLog& diagnostics, const std::string& path, const Error& error)
{
    std::string_view name = path;
    for (const std::string_view packed : {".gz", ".zst"})
        if (name.ends_with(packed)) name.remove_suffix(packed.size());
    bool namedLikeOne = name.size() < path.size();
    for (const auto& importer : builtinImporters())
        for (const std::string_view ending : importer->label().endings)
            namedLikeOne = namedLikeOne || name.ends_with(ending);
    // A text of another sort (a configuration, a log) is whole, and simply no profile.
    const bool whole = error.code == ErrorCode::NoEvents || error.code == ErrorCode::OtherContent ||
                       (error.code == ErrorCode::NotJson && !path.ends_with(".json"));
    if (namedLikeOne && !whole) noteSkipped(diagnostics, path, error);
    else diagnostics.add(DiagnosticCode::FileIgnored, 1, fs::path(path).filename().string());
}

/// Opens the files of a folder or an archive as one profile.
class FilesOpener
{
public:
    FilesOpener(std::string folder, LoadProgress& progress) : m_folder(std::move(folder)), m_progress(progress) {}

    Result<std::shared_ptr<const Profile>> open(std::vector<std::string> files)
    {
        const std::size_t count = files.size();
        choose(std::move(files));
        for (std::size_t first = 0; first < m_candidates.size() && !m_progress.cancelled(); ++first)
            if (!m_candidates[first].done) importFrom(first);
        if (m_progress.cancelled()) return std::shared_ptr<const Profile>();
        if (m_builder.fileCount() == 0) {
            if (m_firstError) return *m_firstError;
            return Error{ErrorCode::NoProfileInFolder, m_folder, "the folder holds no profile",
                         "Choose the folder that holds the files of the ranks."};
        }
        if (count > 1) m_builder.markAsFolder();
        return m_builder.finish(m_folder, m_progress);
    }

private:
    struct Candidate {
        std::string path;
        Choice choice;
        std::string twin; ///< the same recording in a fuller form, or ""
        bool done = false;
    };

    /// Finds out which files are profiles. Those with a fuller twin come last: they are only read if that one fails.
    void choose(std::vector<std::string> files)
    {
        const auto twins = fullerTwins(files);
        std::uint64_t bytes = 0;
        for (std::size_t index = 0; index < files.size() && !m_progress.cancelled(); ++index) {
            auto choice = chooseImporter(files[index]);
            if (!choice.ok()) {
                noteLeftOut(m_builder.diagnostics(), files[index], choice.error());
                continue;
            }
            const std::string twin = twins[index] ? files[*twins[index]] : std::string();
            if (twin.empty()) bytes += choice.value().bytes;
            m_candidates.push_back({files[index], choice.value(), twin, false});
        }
        std::stable_partition(m_candidates.begin(), m_candidates.end(),
                              [](const Candidate& candidate) { return candidate.twin.empty(); });
        m_progress.setTotalBytes(bytes);
    }

    /// Imports a candidate, and with it the others that its importer wants to see at once.
    void importFrom(std::size_t first)
    {
        Candidate& candidate = m_candidates[first];
        candidate.done = true;
        if (m_opened.contains(candidate.twin)) {
            m_builder.diagnostics().add(DiagnosticCode::TwinFile, 1, fs::path(candidate.path).filename().string());
            return;
        }
        const Importer& importer = *candidate.choice.importer;
        std::vector<std::string> paths = {candidate.path};
        for (Candidate& other : m_candidates) {
            if (!importer.joinsFiles() || other.done || other.choice.importer != &importer) continue;
            other.done = true;
            paths.push_back(other.path);
        }
        auto imported = paths.size() == 1 ? importer.import(paths.front(), m_builder, m_progress)
                                          : importer.importAll(paths, m_builder, m_progress);
        if (imported.ok()) {
            m_opened.insert(paths.begin(), paths.end());
        } else if (candidate.choice.confidence != Confidence::Sure) {
            noteLeftOut(m_builder.diagnostics(), paths.front(), imported.error());
        } else {
            if (!m_firstError) m_firstError = imported.error();
            noteSkipped(m_builder.diagnostics(), paths.front(), imported.error());
        }
    }

    std::string m_folder;
    LoadProgress& m_progress;
    ProfileBuilder m_builder;
    std::vector<Candidate> m_candidates;
    std::set<std::string> m_opened;
    std::optional<Error> m_firstError;
};

} // namespace

Result<std::shared_ptr<const Profile>> openProfile(const std::string& path, LoadProgress& progress)
{
    try {
        std::error_code error;
        if (fs::is_directory(path, error)) return FilesOpener(path, progress).open(filesBelow(path, progress));
        if (!isArchive(path)) return openFile(path, progress);
        auto files = filesInArchive(path);
        if (!files.ok()) return files.error();
        return FilesOpener(path, progress).open(files.take());
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, path, "there is not enough memory for it",
                     "Close other programs, or record fewer steps."};
    } catch (const std::exception& failure) {
        return Error{ErrorCode::Unreadable, path, std::string("it cannot be read (") + failure.what() + ")",
                     "Please report this with the file."};
    }
}

} // namespace stepscope
