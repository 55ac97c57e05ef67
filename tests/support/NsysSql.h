// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/SliceDetails.h"
#include "support/SqliteFixture.h"

#include <QString>
#include <map>
#include <memory>
#include <string>

/// Pieces of which tests put small exports of Nsight Systems together.
namespace stepscope::test
{

/// pid 300 and its thread 301; pid 400. Packed by hand: 300 << 24 = 5033164800, 400 << 24 = 6710886400.
inline const QByteArray kPid300 = "5033164800";
inline const QByteArray kTid301 = "5033165101";
inline const QByteArray kPid400 = "6710886400";
inline const QByteArray kTid400 = "6710886800";

inline const QByteArray kStrings = R"(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'void gemm<float>(float*)'), (3, 'ncclDevKernel_SendRecv'),
  (4, 'cudaMemcpyAsync_v3020'), (5, 'forward'), (6, 'cuMemcpyHtoDAsync_v2'), (7, 'pt_main'), (8, 'read'),
  (9, 'AWS_SECRET_ACCESS_KEY=hunter2');
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0');)";

inline const QByteArray kRuntimeTable = R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL);)";
inline const QByteArray kKernelTable = R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, gridX INTEGER, launchType INTEGER);)";
inline const QByteArray kMemcpyTable = R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER,
  dstKind INTEGER);)";
inline const QByteArray kNvtxColumns =
    R"( (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
  text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, jsonText TEXT);)";
inline const QByteArray kSession = R"(
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);)";

inline QByteArray insert(const QByteArray& table, const QByteArray& values)
{
    return "INSERT INTO " + table + " VALUES (" + values + ");";
}

inline QByteArray kernel(const QByteArray& start, const QByteArray& end, const QByteArray& correlation = "7",
                         const QByteArray& pid = kPid300, const QByteArray& name = "2")
{
    return insert("CUPTI_ACTIVITY_KIND_KERNEL",
                  start + "," + end + ",0,1,7," + correlation + "," + pid + "," + name + ",2,64,1");
}

inline QByteArray call(const QByteArray& start, const QByteArray& end, const QByteArray& correlation = "7",
                       const QByteArray& tid = kTid301, const QByteArray& name = "1")
{
    return insert("CUPTI_ACTIVITY_KIND_RUNTIME",
                  start + "," + end + ",0," + tid + "," + correlation + "," + name + ",0");
}

inline QByteArray range(const QByteArray& start, const QByteArray& end, const QByteArray& type, const QByteArray& text,
                        const QByteArray& more = "NULL,NULL,NULL,0,NULL", const QByteArray& table = "NVTX_EVENTS")
{
    return insert(table, start + "," + end + "," + type + "," + more.split(',')[0] + "," + text + "," + kTid301 + "," +
                             more.mid(more.indexOf(',') + 1));
}

/// One launch, one kernel: what most cases start from.
inline QByteArray minimal()
{
    return kStrings + kRuntimeTable + kKernelTable + call("1000", "1500") + kernel("2000", "2500");
}

inline std::shared_ptr<const Profile> openBytes(const QByteArray& bytes, QString* error = nullptr)
{
    const TempFolder folder;
    auto opened = open(folder.write("report.sqlite", bytes));
    if (!opened.ok() && error != nullptr) *error = QString::fromStdString(opened.error().sentence());
    if (!opened.ok() && error == nullptr) qWarning("%s", opened.error().sentence().c_str());
    return opened.ok() ? opened.take() : nullptr;
}

inline std::shared_ptr<const Profile> openSql(const QByteArray& sql) { return openBytes(databaseOf(sql)); }

inline std::uint64_t countFor(const Profile& profile, DiagnosticCode code, const std::string& subject)
{
    for (const Diagnostic& diagnostic : profile.diagnostics)
        if (diagnostic.code == code && diagnostic.message.starts_with(subject + ":")) return diagnostic.count;
    return 0;
}

inline std::map<std::string, std::string> fieldsOf(const Profile& profile, SliceId slice)
{
    std::map<std::string, std::string> values;
    const auto fields = sourceFieldsOf(profile, slice);
    if (fields)
        for (const SourceField& field : *fields) values[field.key] = field.value;
    return values;
}

} // namespace stepscope::test
