// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/nsys/Export.h"

#include "core/FileName.h"
#include "core/Utf8.h"

#include <algorithm>

namespace stepscope::nsys
{

namespace
{

constexpr std::int64_t kDenseIds = 1 << 20;
/// CUPTI's ids have 32 bits; the process's number in the file stands above them.
constexpr int kCorrelationBits = 40;

/// "cudaLaunchKernel_v7000" -> "cudaLaunchKernel"; "cuMemcpyHtoDAsync_v2" stays, as its number is part of the name.
std::string_view withoutApiVersion(std::string_view name)
{
    const std::size_t mark = name.rfind("_v");
    if (mark == std::string_view::npos || name.size() - mark < 6) return name;
    const std::string_view digits = name.substr(mark + 2);
    return digits.find_first_not_of("0123456789") == std::string_view::npos ? name.substr(0, mark) : name;
}

} // namespace

Export::Export(std::string path, const SqliteDatabase& opened, const Catalogue& tables, ProfileBuilder& target,
               LoadProgress& shown)
    : database(opened), catalogue(tables), builder(target), progress(shown),
      file(target.addFile(path, "nsys", opened.fileBytes())), m_fileName(baseName(path))
{
    indexStrings();
}

std::string Export::place(const SqliteTable& table, std::int64_t row) const
{
    return m_fileName + ", table " + withReplacedBytes(table.name) + ", row " + std::to_string(row);
}

void Export::note(DiagnosticCode code, const SqliteTable& table, std::int64_t row)
{
    builder.diagnostics().add(code, 1, builder.diagnostics().wasSeen(code) ? std::string() : place(table, row));
}

StringId* Export::NameCache::find(std::int64_t id)
{
    if (id >= 0 && id < static_cast<std::int64_t>(m_dense.size())) {
        StringId& name = m_dense[static_cast<std::size_t>(id)];
        return name.valid() ? &name : nullptr;
    }
    const auto place = m_sparse.find(id);
    return place == m_sparse.end() ? nullptr : &place->second;
}

void Export::NameCache::put(std::int64_t id, StringId name)
{
    if (id < 0 || id >= kDenseIds) {
        m_sparse.emplace(id, name);
        return;
    }
    if (id >= static_cast<std::int64_t>(m_dense.size())) {
        const std::size_t before = m_dense.size();
        m_dense.resize(static_cast<std::size_t>(std::min(kDenseIds, id + id / 2 + 64)));
        for (auto place = m_sparse.begin(); place != m_sparse.end();) {
            const bool moves = place->first >= static_cast<std::int64_t>(before) &&
                               place->first < static_cast<std::int64_t>(m_dense.size());
            if (moves) m_dense[static_cast<std::size_t>(place->first)] = place->second;
            place = moves ? m_sparse.erase(place) : std::next(place);
        }
    }
    m_dense[static_cast<std::size_t>(id)] = name;
}

void Export::indexStrings()
{
    const SqliteTable* strings = catalogue.find("StringIds");
    if (strings == nullptr || !strings->has("id") || !strings->has("value")) return;
    const std::string name = quotedName(strings->name);
    if (strings->rowidColumn == "id") {
        m_stringById = database.prepare("SELECT value FROM " + name + " WHERE id = ?");
        return;
    }
    // Without an index every look-up would read the whole table.
    SqliteStatement ids = database.prepare("SELECT rowid, id FROM " + name);
    while (ids.step()) m_stringRows.try_emplace(ids.integer(1), ids.integer(0));
    m_stringsByRow = true;
    m_stringById = database.prepare("SELECT value FROM " + name + " WHERE rowid = ?");
}

std::string_view Export::lookUp(std::int64_t id, bool& found)
{
    found = false;
    if (m_stringsByRow) {
        const auto row = m_stringRows.find(id);
        if (row == m_stringRows.end()) return {};
        id = row->second;
    }
    m_stringById.reset();
    m_stringById.bind(1, id);
    if (!m_stringById.step() || m_stringById.isNull(0)) return {};
    found = true;
    const std::string_view text = m_stringById.text(0);
    return text.substr(0, text.find('\0'));
}

StringId Export::intern(std::string_view text)
{
    if (isUtf8(text)) return builder.strings().intern(text);
    builder.diagnostics().add(DiagnosticCode::RepairedEvent, 1, m_fileName);
    return builder.strings().intern(withReplacedBytes(text));
}

StringId Export::string(std::int64_t id)
{
    if (const StringId* known = m_names.find(id)) return *known;
    bool found = false;
    const std::string_view text = lookUp(id, found);
    if (!found)
        builder.diagnostics().add(DiagnosticCode::DanglingReference, 1, m_fileName + ", string " + std::to_string(id));
    const StringId name = found ? intern(text) : builder.strings().intern("#" + std::to_string(id));
    m_names.put(id, name);
    return name;
}

StringId Export::apiName(std::int64_t id)
{
    if (const StringId* known = m_apiNames.find(id)) return *known;
    const StringId full = string(id);
    const StringId name = builder.strings().intern(std::string(withoutApiVersion(builder.strings().view(full))));
    m_apiNames.put(id, name);
    return name;
}

std::optional<std::string> Export::text(std::int64_t id)
{
    bool found = false;
    const std::string_view text = lookUp(id, found);
    return found ? std::optional(withReplacedBytes(text)) : std::nullopt;
}

std::uint32_t Export::process(GlobalId id)
{
    const GlobalId whole = id.process();
    if (const auto known = m_processes.find(whole.value); known != m_processes.end()) return known->second;
    std::string pid = std::to_string(whole.pid());
    // Machines in one file may use the same pids.
    if (!m_pids.try_emplace(pid, whole.value).second) pid += "@" + std::to_string(whole.machine());
    const std::uint32_t process = builder.process(file, pid);
    m_processes.emplace(whole.value, process);
    if (const auto name = processNames.find(whole.value); name != processNames.end())
        builder.setProcessName(process, baseName(name->second));
    if (const auto rank = ranks.find(whole.value); rank != ranks.end()) builder.setProcessRank(process, rank->second);
    if (const auto host = hostNames.find(whole.machine()); host != hostNames.end() && hostNames.size() > 1)
        builder.setProcessHost(process, host->second);
    return process;
}

std::uint32_t Export::threadLane(GlobalId id)
{
    if (m_lastThread.first == id.value) return m_lastThread.second;
    const auto [known, added] = m_threads.try_emplace(id.value, 0);
    if (added) {
        const std::uint32_t owner = process(id);
        const std::string tid = std::to_string(id.tid());
        known->second = builder.threadLane(owner, tid);
        if (const auto name = threadNames.find(id.value); name != threadNames.end())
            if (const auto said = text(name->second); said && !said->empty())
                builder.setThreadName(file, std::to_string(id.pid()), tid, "thread " + tid + " (" + *said + ")");
    }
    m_lastThread = {id.value, known->second};
    return known->second;
}

std::uint32_t Export::asyncLane(GlobalId id, std::string_view key) { return builder.asyncLane(process(id), key); }

std::uint32_t Export::device(GlobalId owner, std::int64_t ordinal)
{
    const auto mapped = gpus.find({static_cast<std::int64_t>(owner.pid()), ordinal});
    const std::int64_t gpu = mapped == gpus.end() ? ordinal : mapped->second;
    std::int64_t number = gpu;
    std::int64_t machine = 0;
    if (hostNames.size() > 1)
        machine = std::max<std::int64_t>(0, std::distance(hostNames.begin(), hostNames.find(owner.machine())));
    // The builder numbers the devices of a file; those of a second machine have the same names with other numbers.
    if (machine > 0) number += machine * 1000;
    const std::uint32_t device = builder.device(file, number, "");
    if (machine > 0) builder.setDeviceName(device, "GPU-" + std::to_string(gpu), "");
    return device;
}

std::string Export::streamName(const StreamKey& key, std::uint32_t device)
{
    constexpr std::int64_t kNoStream = 0xffffffff; // events and contexts as a whole have none
    std::string name = key.stream == kNoStream ? "context" : std::to_string(key.stream);
    const auto sameStream = [&](const StreamKey& other) {
        return other.process == key.process && other.context == key.context;
    };
    // Two processes, or two contexts of one, may both have a stream 7 on one device.
    const auto [first, added] = m_streamNames.try_emplace({device, name}, key);
    if (added || sameStream(first->second)) return name;
    if (first->second.process != key.process) name += " · pid " + std::to_string(GlobalId{key.process}.pid());
    const auto [second, fresh] = m_streamNames.try_emplace({device, name}, key);
    if (fresh || sameStream(second->second)) return name;
    return name + " · context " + std::to_string(key.context);
}

std::uint32_t Export::streamLane(GlobalId owner, std::int64_t ordinal, std::int64_t context, std::int64_t stream,
                                 TrackKind kind)
{
    const StreamKey key{owner.value, ordinal, context, stream, kind};
    if (m_lastStream.first == key) return m_lastStream.second;
    const auto [known, added] = m_streams.try_emplace(key, 0);
    if (added) {
        const std::uint32_t number = device(owner, ordinal);
        known->second = builder.streamLane(number, streamName(key, number), kind);
    }
    m_lastStream = {key, known->second};
    return known->second;
}

std::optional<std::uint64_t> Export::correlation(GlobalId owner, std::int64_t id)
{
    if (id <= 0 || id >= std::int64_t(1) << kCorrelationBits) return std::nullopt;
    if (m_lastProcess.first != owner.value) {
        const std::uint64_t number = m_processNumbers.try_emplace(owner.value, m_processNumbers.size()).first->second;
        m_lastProcess = {owner.value, number};
    }
    return m_lastProcess.second << kCorrelationBits | static_cast<std::uint64_t>(id);
}

void Export::noteCaller(GlobalId thread)
{
    const std::uint64_t owner = thread.process().value;
    if (m_callers.size() > 1 || (!m_callers.empty() && m_callers.front() == owner)) return;
    m_callers.push_back(owner);
}

} // namespace stepscope::nsys
