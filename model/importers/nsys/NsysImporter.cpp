// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/nsys/NsysImporter.h"

#include "core/FileName.h"
#include "importers/nsys/NsysSliceSource.h"
#include "importers/nsys/Readers.h"
#include "io/ByteStream.h"

#include <array>

namespace stepscope
{

namespace
{

using namespace nsys;

constexpr std::string_view kDatabase("SQLite format 3\0", 16);
/// Native reports, which only NVIDIA's own tools read (.nsys-rep, .qdrep before 2021.4).
constexpr std::string_view kReport = "NVIDIA Tegra Profiler Report";

std::string headOf(const std::string& path)
{
    auto opened = ByteStream::open(path);
    if (!opened.ok()) return {};
    std::string head(64, '\0');
    head.resize(opened.take()->read(head));
    return head;
}

Error nativeReport(const std::string& path)
{
    const std::string name = baseName(path);
    std::string stem = name;
    for (const std::string_view ending : {".nsys-rep", ".qdrep"})
        if (stem.ends_with(ending)) stem.resize(stem.size() - ending.size());
    return {ErrorCode::UnknownFormat, path,
            "it is a native report of Nsight Systems, which only NVIDIA's tools can read",
            "Export it with: nsys export --type sqlite --output " + stem + ".sqlite " + name};
}

Result<ImportResult> importExport(const std::string& path, std::unique_ptr<SqliteDatabase> database,
                                  ProfileBuilder& builder, LoadProgress& progress)
{
    Catalogue catalogue(database->tables());
    if (!catalogue.isExport())
        return Error{ErrorCode::UnknownFormat, path, "it is an SQLite database, but of no format that Stepscope knows",
                     "Choose a profile, for example one exported with nsys export --type sqlite."};
    Export report(path, *database, catalogue, builder, progress);
    readNames(report);
    readCalls(report);
    readRuns(report);
    readNvtx(report);
    readCounters(report);
    if (progress.cancelled()) return ImportResult::Cancelled;
    if (report.firstNs == INT64_MAX) {
        builder.dropFile(report.file);
        return Error{ErrorCode::NoEvents, path, "none of its tables holds an event",
                     "Record again with nsys profile --trace=cuda,nvtx,osrt, and export the report anew."};
    }
    FileFacts facts = readFacts(report, path);
    readNotices(report);
    if (database->truncated()) builder.diagnostics().add(DiagnosticCode::TruncatedFile, 1, baseName(path));
    if (catalogue.tables().size() == SqliteDatabase::kMostTables)
        builder.diagnostics().add(DiagnosticCode::LimitReached, 1, baseName(path));
    facts.inflatedBytes = database->inflatedBytes();
    facts.source = nsysSliceSource(std::move(database), catalogue);
    builder.setFileFacts(report.file, std::move(facts));
    return ImportResult::Complete;
}

} // namespace

Confidence NsysImporter::sniff(const FileHead& head) const
{
    if (head.bytes.starts_with(kReport)) return Confidence::Sure;
    if (!head.bytes.starts_with(kDatabase)) return Confidence::None;
    const auto mentions = [&](std::string_view text) { return head.bytes.find(text) != std::string::npos; };
    // Inflating a whole database to see its tables is dear, and the first pages mostly name them.
    if (head.compressed &&
        (mentions("CUPTI_ACTIVITY_KIND_") || (mentions("StringIds") && mentions("META_DATA_EXPORT"))))
        return Confidence::Sure;
    auto opened = SqliteDatabase::open(head.path);
    // A damaged database may be ours; the import says what is wrong with it.
    if (!opened.ok()) return Confidence::Maybe;
    return Catalogue(opened.take()->tables()).isExport() ? Confidence::Sure : Confidence::None;
}

Result<ImportResult> NsysImporter::import(const std::string& path, ProfileBuilder& builder,
                                          LoadProgress& progress) const
{
    if (headOf(path).starts_with(kReport)) return nativeReport(path);
    auto opened = SqliteDatabase::open(path, &progress);
    if (progress.cancelled()) return ImportResult::Cancelled;
    if (!opened.ok()) return opened.error();
    return importExport(path, opened.take(), builder, progress);
}

} // namespace stepscope
