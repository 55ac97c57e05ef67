// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/OpenProfile.h"

#include "core/NaturalOrder.h"
#include "importers/BuiltinImporters.h"
#include "importers/Lookalikes.h"
#include "io/Archive.h"
#include "io/ByteStream.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>

namespace stepscope
{

namespace
{

namespace fs = std::filesystem;
constexpr std::size_t kHeadBytes = 64 * 1024;
constexpr int kFolderDepth = 4;

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

Error unknownFormat(const std::string& path, const std::string& head, std::string_view damage)
{
    if (!damage.empty() && head.empty())
        return {ErrorCode::BrokenCompression, path, std::string(damage), "Copy or download the file again."};
    if (head.starts_with("SQLite format 3"))
        return {ErrorCode::UnknownFormat, path, "it is an SQLite database, which this version does not read",
                "Open the JSON profile of the same run."};
    if (auto lookalike = recogniseLookalike(path, head)) return *lookalike;
    if (looksLikeText(head))
        return {ErrorCode::NotJson, path, "it is a text, but not JSON",
                "Choose the profile that the training job wrote, for example *.pt.trace.json."};
    return {ErrorCode::UnknownFormat, path, "its content is of no format that Stepscope knows",
            "Choose the profile that the training job wrote, for example *.pt.trace.json or *.json.gz."};
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
        if (confidence > best.confidence) best = {importer.get(), confidence, stream->fileBytes()};
    }
    if (best.importer == nullptr) return unknownFormat(path, head.bytes, stream->damage());
    return best;
}

std::vector<std::string> filesBelow(const std::string& folder)
{
    std::vector<std::string> files;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
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
    constexpr std::array<std::string_view, 9> kEndings = {".json", ".gz",      ".zst", ".xplane.pb",     ".sqlite",
                                                          ".db",   ".pftrace", ".rpd", ".perfetto-trace"};
    const bool namedLikeOne =
        std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
    // A text of another sort (a configuration, a log) is whole, and simply no profile.
    const bool whole = error.code == ErrorCode::NoEvents || error.code == ErrorCode::OtherContent ||
                       (error.code == ErrorCode::NotJson && !path.ends_with(".json"));
    if (namedLikeOne && !whole) noteSkipped(diagnostics, path, error);
    else diagnostics.add(DiagnosticCode::FileIgnored, 1, fs::path(path).filename().string());
}

/// Opens the files of a folder or an archive as one profile.
Result<std::shared_ptr<const Profile>> openFiles(const std::string& folder, std::vector<std::string> files,
                                                 LoadProgress& progress)
{
    struct Candidate {
        std::string path;
        Choice choice;
    };
    std::vector<Candidate> candidates;
    std::uint64_t bytes = 0;
    ProfileBuilder builder;
    for (std::string& path : files) {
        if (progress.cancelled()) return std::shared_ptr<const Profile>();
        auto choice = chooseImporter(path);
        if (!choice.ok()) {
            noteLeftOut(builder.diagnostics(), path, choice.error());
            continue;
        }
        bytes += choice.value().bytes;
        candidates.push_back({std::move(path), choice.value()});
    }
    progress.setTotalBytes(bytes);
    std::optional<Error> firstError;
    for (auto candidate = candidates.begin(); candidate != candidates.end(); ++candidate) {
        const Importer& importer = *candidate->choice.importer;
        std::vector<std::string> paths = {candidate->path};
        if (importer.joinsFiles()) {
            const auto same = std::stable_partition(candidate + 1, candidates.end(), [&](const Candidate& other) {
                return other.choice.importer == &importer;
            });
            for (auto other = candidate + 1; other != same; ++other) paths.push_back(other->path);
        }
        auto imported = paths.size() == 1 ? importer.import(paths.front(), builder, progress)
                                          : importer.importAll(paths, builder, progress);
        const bool sure = candidate->choice.confidence == Confidence::Sure;
        candidate += static_cast<std::ptrdiff_t>(paths.size() - 1);
        if (imported.ok()) {
            if (imported.value() == ImportResult::Cancelled) return std::shared_ptr<const Profile>();
            continue;
        }
        if (!sure) {
            noteLeftOut(builder.diagnostics(), paths.front(), imported.error());
            continue;
        }
        if (!firstError) firstError = imported.error();
        noteSkipped(builder.diagnostics(), paths.front(), imported.error());
    }
    if (builder.fileCount() == 0) {
        if (firstError) return *firstError;
        return Error{ErrorCode::NoProfileInFolder, folder, "the folder holds no profile",
                     "Choose the folder that holds the rank files, for example *.pt.trace.json."};
    }
    if (files.size() > 1) builder.markAsFolder();
    return builder.finish(folder, progress);
}

} // namespace

Result<std::shared_ptr<const Profile>> openProfile(const std::string& path, LoadProgress& progress)
{
    try {
        std::error_code error;
        if (fs::is_directory(path, error)) return openFiles(path, filesBelow(path), progress);
        if (!isArchive(path)) return openFile(path, progress);
        auto files = filesInArchive(path);
        if (!files.ok()) return files.error();
        return openFiles(path, files.take(), progress);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, path, "there is not enough memory for it",
                     "Close other programs, or record fewer steps."};
    } catch (const std::exception& failure) {
        return Error{ErrorCode::Unreadable, path, std::string("it cannot be read (") + failure.what() + ")",
                     "Please report this with the file."};
    }
}

} // namespace stepscope
