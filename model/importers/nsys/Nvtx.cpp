// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/nsys/Readers.h"

#include <map>
#include <unordered_map>

namespace stepscope::nsys
{

namespace
{

/// NVTX_EVENTS.eventType (Nsight Systems, ENUM_NSYS_EVENT_TYPE).
enum EventType : std::int64_t {
    Category = 33,
    Mark = 34,
    Push = 35,
    Pop = 36,
    Start = 37,
    End = 38,
    ThreadName = 39,
    PushPopRange = 59,
    StartEndRange = 60,
    PayloadPushPop = 70,
    PayloadStartEnd = 71,
    DomainCreate = 75,
    DomainDestroy = 76,
    DeviceName = 97,
    ContextName = 98,
    StreamName = 99,
};

class NvtxReader
{
public:
    explicit NvtxReader(Export& report)
        : m_report(report), m_rows(report, "NVTX_EVENTS",
                                   {"start", "end", "eventType", "text", "textId", "globalTid", "domainId", "rangeId",
                                    "jsonText", "jsonTextId"},
                                   1),
          m_nameless(report.builder.strings().intern("(unnamed range)"))
    {
    }

    void run()
    {
        while (m_rows.next()) {
            const std::int64_t type = m_rows.integer(2);
            if (type != 0 || !m_rows.isNull(2)) take(type);
            else take(m_rows.isNull(1) ? Mark : PushPopRange);
        }
        // Ranges that were never ended go on to the end of the recording.
        for (const auto& [key, begin] : m_open) m_report.builder.addBegin(begin.first, begin.second);
    }

private:
    void take(std::int64_t type)
    {
        switch (type) {
        case Mark:
            return addMark();
        case PushPopRange:
        case PayloadPushPop:
            return addRange(m_report.threadLane(thread()));
        case StartEndRange:
        case PayloadStartEnd:
            return addRange(rangeLane());
        case Push:
        case Pop:
            return addEdge(type == Push);
        case Start:
            return openRange();
        case End:
            return closeRange();
        case DomainCreate:
            m_domains[{thread().process().value, m_rows.integer(6)}] = m_report.builder.strings().view(name());
            return;
        case ThreadName:
            m_report.builder.setThreadName(m_report.file, std::to_string(thread().pid()),
                                           std::to_string(thread().tid()), m_report.builder.strings().view(name()));
            return;
        case Category:
        case DomainDestroy:
        case DeviceName:
        case ContextName:
        case StreamName:
            return; // labels of what is shown under its number
        default:
            m_report.note(DiagnosticCode::UnknownPhase, m_rows.table(), m_rows.row());
        }
    }

    [[nodiscard]] GlobalId thread() const { return m_rows.globalId(5); }

    /// The text where there is one, else the registered string, else what the payload says.
    [[nodiscard]] StringId name()
    {
        if (const std::string_view text = m_rows.text(3); !text.empty())
            return m_report.intern(text.substr(0, text.find('\0')));
        if (!m_rows.isNull(4)) return m_report.string(m_rows.integer(4));
        if (const std::string_view json = m_rows.text(8); !json.empty()) return m_report.intern(json.substr(0, 200));
        return m_rows.isNull(9) ? m_nameless : m_report.string(m_rows.integer(9));
    }

    /// "nvtx" for the default domain, "nvtx NCCL" for others. Domain numbers are those of the process.
    [[nodiscard]] std::uint16_t category()
    {
        const std::int64_t domain = m_rows.integer(6);
        const std::uint64_t process = thread().process().value;
        if (m_lastCategory.first == std::pair(process, domain)) return m_lastCategory.second;
        std::string text = "nvtx";
        if (domain != 0) {
            const auto known = m_domains.find({process, domain});
            text += known == m_domains.end() ? " domain " + std::to_string(domain) : " " + known->second;
        }
        m_lastCategory = {{process, domain}, m_report.builder.category(m_report.intern(text))};
        return m_lastCategory.second;
    }

    /// Start/end ranges may overlap and cross threads.
    [[nodiscard]] std::uint32_t rangeLane() { return m_report.asyncLane(thread(), "NVTX ranges"); }

    [[nodiscard]] RawSlice sliceAt(std::int64_t startNs)
    {
        RawSlice slice;
        slice.startNs = startNs;
        slice.name = name();
        slice.source = m_rows.source();
        slice.category = category();
        slice.kind = SliceKind::Annotation;
        return slice;
    }

    void addRange(std::uint32_t lane)
    {
        if (m_rows.isNull(1)) {
            if (const auto start = m_rows.time(0)) {
                m_report.sawTime(*start);
                m_report.builder.addBegin(lane, sliceAt(*start));
            }
            return;
        }
        const auto interval = m_rows.startAndDuration();
        if (!interval) return;
        RawSlice slice = sliceAt(interval->first);
        slice.durNs = interval->second;
        m_report.builder.addSlice(lane, slice);
    }

    void addMark()
    {
        const auto start = m_rows.time(0);
        if (!start) return;
        m_report.sawTime(*start);
        m_report.builder.addInstant(m_report.file, m_report.threadLane(thread()), *start, name(), m_rows.source());
    }

    void addEdge(bool begin)
    {
        const auto time = m_rows.time(0);
        if (!time) return;
        m_report.sawTime(*time);
        const std::uint32_t lane = m_report.threadLane(thread());
        if (begin) m_report.builder.addBegin(lane, sliceAt(*time));
        else m_report.builder.addEnd(lane, *time, m_rows.source());
    }

    void openRange()
    {
        const auto start = m_rows.time(0);
        if (!start) return;
        m_report.sawTime(*start);
        m_open[{thread().process().value, m_rows.integer(7)}] = {rangeLane(), sliceAt(*start)};
    }

    void closeRange()
    {
        const auto end = m_rows.time(0);
        if (!end) return;
        m_report.sawTime(*end);
        const auto begin = m_open.find({thread().process().value, m_rows.integer(7)});
        if (begin == m_open.end()) return m_report.note(DiagnosticCode::UnmatchedEnd, m_rows.table(), m_rows.row());
        auto [lane, slice] = begin->second;
        if (*end < slice.startNs) m_report.note(DiagnosticCode::NegativeDuration, m_rows.table(), m_rows.row());
        slice.durNs = std::max<std::int64_t>(0, *end - slice.startNs);
        m_report.builder.addSlice(lane, slice);
        m_report.builder.addEndSource(m_report.file, slice.source, m_rows.source());
        m_open.erase(begin);
    }

    using OfProcess = std::pair<std::uint64_t, std::int64_t>;
    Export& m_report;
    TableReader m_rows;
    StringId m_nameless;
    std::map<OfProcess, std::string> m_domains;
    std::map<OfProcess, std::pair<std::uint32_t, RawSlice>> m_open; ///< raw start events, by range id
    std::pair<OfProcess, std::uint16_t> m_lastCategory{{~0ull, 0}, 0};
};

} // namespace

void readNvtx(Export& report) { NvtxReader(report).run(); }

} // namespace stepscope::nsys
