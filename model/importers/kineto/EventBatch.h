// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/SourceText.h"
#include "profile/SliceKind.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepscope::kineto
{

/// Text with '[' before it and room behind it that the parser may read beyond the end. Not cleared: its bytes are
/// written once, by whoever fills it.
class PaddedText
{
public:
    PaddedText() = default;
    explicit PaddedText(std::size_t room);

    [[nodiscard]] char* data() { return m_bytes.get(); }
    [[nodiscard]] const char* data() const { return m_bytes.get(); }
    /// Bytes that may be read from data() on.
    [[nodiscard]] std::size_t capacity() const { return m_capacity; }

private:
    std::unique_ptr<char[]> m_bytes;
    std::size_t m_capacity = 0;
};

/// A piece of the event list as read from the file, between two event borders.
struct Window {
    std::uint64_t offset = 0; ///< of events().front() in the inflated file
    PaddedText text;
    std::size_t size = 0; ///< bytes of events
    bool last = false;    ///< the file ends here
    bool cut = false;     ///< the byte after the events was the comma before the next window; it is a ']' now

    [[nodiscard]] std::string_view events() const { return {text.data() + 1, size}; }
};

/// Which part of the tree a slice belongs to, as told by its category.
enum class Place : std::uint8_t { Thread, Stream, StreamAnnotations, StreamSync };

/// A thread or stream as events name it. Texts are indices into EventBatch::texts.
struct LaneKey {
    Place place = Place::Thread;
    std::uint32_t pid = 0;
    std::uint32_t tid = 0;
    std::optional<std::int64_t> device = {};
    std::optional<std::int64_t> stream = {};

    friend bool operator==(const LaneKey&, const LaneKey&) = default;
};

struct SliceRecord {
    std::int64_t startNs = 0;
    std::int64_t durNs = 0;
    std::uint64_t offset = 0; ///< in the inflated file
    std::uint64_t correlation = 0;
    std::uint32_t length = 0; ///< of the event's text
    std::uint32_t name = 0;
    std::uint32_t lane = 0;
    std::uint16_t category = 0; ///< index into EventBatch::categories
    SliceKind kind = SliceKind::Other;
    char phase = 'X'; ///< X, B, E, i
    bool hasCorrelation = false;
    bool hasArgs = false; ///< of an E: they belong to the slice as well
};

/// An arrow's end that an event carries itself (`bind_id`).
struct BindRecord {
    std::uint64_t id = 0;
    std::uint32_t slice = 0; ///< index into EventBatch::slices
    bool in = false;
    bool out = false;
};

/// What an event of TensorFlow says of its step.
struct GroupRecord {
    std::uint32_t slice = 0; ///< index into EventBatch::slices
    std::optional<std::int64_t> group = {};
    std::optional<std::int64_t> step = {};
};

/// A piece of asynchronous work: b, n, e, S, T, p, F, or the life of an object: N, D.
struct AsyncRecord {
    std::int64_t timeNs = 0;
    std::uint64_t id = 0;
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
    std::uint32_t name = 0;
    std::uint32_t step = 0; ///< text: what a step of the work is called
    std::uint32_t lane = 0;
    std::uint16_t category = 0;
    char phase = 'b';
    bool local = false; ///< the id is that of one process
};

struct FlowRecord {
    std::int64_t timeNs = 0;
    std::uint64_t id = 0;
    std::uint32_t lane = 0;
    std::uint16_t category = 0;
    char phase = 's'; ///< s, t, f
    bool bindEnclosing = false;
};

struct SampleRecord {
    std::int64_t timeNs = 0;
    double value = 0;
    std::uint32_t pid = 0;
    std::uint32_t name = 0;
    std::uint32_t series = 0;
};

/// The arguments of a `[memory]` mark.
struct MemoryRecord {
    std::int64_t timeNs = 0;
    std::uint32_t pid = 0;
    std::int64_t deviceType = 0;
    std::int64_t deviceId = 0;
    std::optional<std::int64_t> bytes = {};
    std::optional<std::int64_t> allocated = {};
    std::optional<std::int64_t> reserved = {};
};

struct MetaRecord {
    enum class What : std::uint8_t {
        ProcessName,
        ProcessLabels,
        ThreadName,
        ProcessSortIndex,
        ThreadSortIndex
    } what = What::ProcessName;
    std::uint32_t pid = 0;
    std::uint32_t tid = 0;
    std::uint32_t text = 0;
};

struct CategoryEntry {
    std::string_view text;
    SliceKind kind = SliceKind::Other;
    Place place = Place::Thread;
    bool known = false; ///< false: arguments decide whether it is device work
};

/// What was noticed in a window, by number; the first place of each is kept.
enum class Notice : std::uint8_t {
    BrokenEvent,
    RepairedEvent,
    NotAnEvent,
    UnknownPhase,
    MissingTime,
    MissingDuration,
    NegativeDuration,
    TextTime,
    TextId,
};
inline constexpr std::size_t kNoticeCount = static_cast<std::size_t>(Notice::TextId) + 1;

/// Everything one window says, in plain columns. Texts point into the window or into `unescapedTexts`.
struct EventBatch {
    std::vector<std::string_view> texts;
    std::deque<std::string> unescapedTexts;
    std::vector<LaneKey> lanes;
    std::vector<CategoryEntry> categories;
    std::vector<SliceRecord> slices;
    std::vector<BindRecord> binds;   ///< ascending by slice
    std::vector<GroupRecord> groups; ///< ascending by slice
    std::vector<AsyncRecord> asyncs;
    std::vector<std::int64_t> otherTimesNs; ///< of events that the timeline does not show
    std::vector<FlowRecord> flows;
    std::vector<SampleRecord> samples;
    std::vector<MemoryRecord> memory;
    std::vector<MetaRecord> metas;
    std::array<std::uint64_t, kNoticeCount> notices{};
    std::array<std::uint64_t, kNoticeCount> firstPlace{};
    std::vector<TextBlock> blocks; ///< the window's text, where the source is compressed

    enum class End : std::uint8_t {
        Border,     ///< all events of the window were read
        ListEnd,    ///< the list of events ended before the window did
        Incomplete, ///< the last event is not whole
    } end = End::Border;
    std::size_t consumed = 0; ///< bytes of Window::events() that are done
};

} // namespace stepscope::kineto
