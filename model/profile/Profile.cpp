// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/Profile.h"

#include <algorithm>

namespace stepscope
{

namespace
{

template<class T>
std::size_t bytesOf(const std::vector<T>& column)
{
    return column.capacity() * sizeof(T);
}

} // namespace

std::size_t Profile::fileCount() const
{
    std::size_t count = 0;
    for (const SourceFile& file : files) count += file.parts.empty() ? 1 : file.parts.size();
    return count;
}

RowView Profile::row(std::uint32_t index) const
{
    const RowRecord& record = rows[index];
    const std::size_t count = record.end - record.begin;
    RowView view;
    if (record.projection) {
        view.startNs = std::span(projections.startNs).subspan(record.begin, count);
        view.durNs = std::span(projections.durNs).subspan(record.begin, count);
        view.ids = std::span(projections.slice).subspan(record.begin, count);
    } else {
        view.startNs = std::span(slices.startNs).subspan(record.begin, count);
        view.durNs = std::span(slices.durNs).subspan(record.begin, count);
        view.firstId = {record.begin};
    }
    if (count > kRowBlock) view.blocks = std::span(rowBlocks).subspan(record.firstBlock);
    return view;
}

std::uint32_t Profile::rowOf(SliceId id) const
{
    const auto begin = rows.begin();
    const auto end = begin + ownRowCount;
    const auto after = std::upper_bound(begin, end, id.value,
                                        [](std::uint32_t slice, const RowRecord& row) { return slice < row.begin; });
    return static_cast<std::uint32_t>(after - begin) - 1;
}

std::size_t Profile::indexBytes() const
{
    std::size_t bytes = bytesOf(slices.startNs) + bytesOf(slices.durNs) + bytesOf(slices.name) +
                        bytesOf(slices.source) + bytesOf(slices.category) + bytesOf(slices.kind) +
                        bytesOf(projections.startNs) + bytesOf(projections.durNs) + bytesOf(projections.slice) +
                        bytesOf(rows) + bytesOf(rowTrack) + bytesOf(rowBlocks) + bytesOf(links.launch) +
                        bytesOf(links.run) + bytesOf(links.byRun) + bytesOf(flows) + bytesOf(flowsByTo);
    for (const BusySeries& series : busy)
        bytes += bytesOf(series.beginNs) + bytesOf(series.endNs) + bytesOf(series.coveredBeforeNs);
    return bytes;
}

} // namespace stepscope
