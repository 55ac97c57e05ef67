// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/ProfileFixture.h"

namespace stepscope::test
{

ProfileFixture::ProfileFixture()
    : m_file(m_builder.addFile("fixture.json", "kineto", 0)), m_process(m_builder.process(m_file, "100"))
{
}

RawSlice ProfileFixture::slice(std::string_view name, std::int64_t startNs, std::int64_t durNs, SliceKind kind,
                               std::optional<std::uint64_t> correlation)
{
    RawSlice raw;
    raw.startNs = startNs;
    raw.durNs = durNs;
    raw.name = m_builder.strings().intern(name);
    raw.category = m_builder.category(m_builder.strings().intern(kindKey(kind)));
    raw.kind = kind;
    raw.correlation = correlation;
    return raw;
}

ProfileFixture& ProfileFixture::host(std::string_view thread, std::string_view name, std::int64_t startNs,
                                     std::int64_t durNs, SliceKind kind, std::optional<std::uint64_t> correlation)
{
    m_builder.addSlice(m_builder.threadLane(m_process, thread), slice(name, startNs, durNs, kind, correlation));
    return *this;
}

ProfileFixture& ProfileFixture::device(std::int64_t device, std::string_view stream, std::string_view name,
                                       std::int64_t startNs, std::int64_t durNs, SliceKind kind,
                                       std::optional<std::uint64_t> correlation)
{
    const TrackKind lane = kind == SliceKind::DeviceAnnotation ? TrackKind::StreamAnnotations
                           : kind == SliceKind::DeviceSync     ? TrackKind::StreamSync
                                                               : TrackKind::Stream;
    const std::uint32_t number = m_builder.device(m_file, device, std::to_string(device));
    m_builder.addSlice(m_builder.streamLane(number, stream, lane), slice(name, startNs, durNs, kind, correlation));
    return *this;
}

std::shared_ptr<const Profile> ProfileFixture::finish()
{
    LoadProgress progress;
    return m_builder.finish("fixture.json", progress);
}

} // namespace stepscope::test
