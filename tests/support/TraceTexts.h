// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/TempFiles.h"

#include <QByteArrayList>
#include <QtDebug>

namespace stepscope::test
{

/// The minimal file of the newer era, written by hand for this project (formats/vectors.md, section 3).
inline const QByteArray kKinetoVector = R"({
  "schemaVersion": 1,
  "deviceProperties": [{"id": 0, "name": "Test GPU", "totalGlobalMem": 1000, "computeMajor": 9, "numSms": 132}],
  "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8, "pg_count": 1},
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1700000000000000000,
  "traceEvents": [
    {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#5", "pid": 77, "tid": 77, "ts": 100.000, "dur": 90.500, "args": {"External id": 1}},
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 77, "tid": 77, "ts": 110.125, "dur": 20.000, "args": {"External id": 2, "Input Dims": [[4, 8], [8, 2]], "Input type": ["c10::BFloat16", "c10::BFloat16"]}},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 77, "tid": 77, "ts": 115.001, "dur": 3.499, "args": {"External id": 2, "cbid": 211, "correlation": 900}},
    {"ph": "s", "id": 900, "pid": 77, "tid": 77, "ts": 115.001, "cat": "ac2g", "name": "ac2g"},
    {"ph": "X", "cat": "kernel", "name": "nvjet_tst_64x64_64x6_1x1_v_bz_TNN", "pid": 0, "tid": 7, "ts": 121.250, "dur": 12.000, "args": {"External id": 2, "device": 0, "context": 1, "stream": 7, "correlation": 900, "grid": [1, 1, 1], "block": [128, 1, 1], "blocks per SM": "inf"}},
    {"ph": "f", "id": 900, "pid": 0, "tid": 7, "ts": 121.250, "cat": "ac2g", "name": "ac2g", "bp": "e"},
    {"ph": "f", "id": 901, "pid": 77, "tid": 77, "ts": 130.000, "cat": "ac2g", "name": "ac2g", "bp": "e"},
    {"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 77, "tid": 77, "ts": 112.000, "args": {"Addr": 140000000000000, "Bytes": 512, "Total Allocated": 2048, "Total Reserved": 4096, "Device Type": 1, "Device Id": 0}},
    {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "ts": 0, "args": {"name": "python3"}},
    {"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "ts": 0, "args": {"labels": "GPU 0"}},
    {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "ts": 0, "args": {"name": "stream 7 "}}
  ],
  "traceName": "rank3.pt.trace.json"
})";

/// A kernel on stream 7 of device 0; `more` goes into its arguments.
inline QByteArray kernel(const QByteArray& name, const QByteArray& ts, const QByteArray& dur,
                         const QByteArray& more = {})
{
    return R"({"ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":7,"ts":)" + ts + R"(,"dur":)" + dur +
           R"(,"args":{"device":0,"stream":7)" + more + "}}";
}

/// A whole file of these events.
inline QByteArray list(const QByteArrayList& events) { return "{\"traceEvents\": [" + events.join(",") + "]}"; }

/// Null, with a warning, where the text is no profile.
inline std::shared_ptr<const Profile> opened(const QByteArray& text)
{
    auto result = openText(text);
    if (!result.ok()) qWarning("%s", result.error().sentence().c_str());
    return result.ok() ? result.take() : nullptr;
}

} // namespace stepscope::test
