// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/HoverOverlay.h"

#include "analysis/LinkQuery.h"
#include "common/Text.h"
#include "core/Format.h"
#include "profile/Busy.h"
#include "timeline/CounterText.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace stepscope
{

namespace
{

constexpr float kWidestPx = 560;
constexpr float kPaddingPx = 8;

QString tr(const char* text) { return QCoreApplication::translate("stepscope::HoverOverlay", text); }

QStringList sliceLines(const Profile& profile, const SceneHit& hit)
{
    const SliceId slice = hit.slice;
    const SliceKind kind = profile.slices.kind[slice.value];
    QStringList lines{toQString(profile.sliceName(slice))};
    lines << toQString(formatDuration(profile.slices.durNs[slice.value])) + QStringLiteral(" · ") +
                 toQString(kindLabel(kind)) + QStringLiteral(" · ") +
                 toQString(profile.track(profile.trackOf(slice)).name);
    if (hit.count > 1)
        lines << tr("%1 slices merged, %2 covered; the longest is named")
                     .arg(toQString(formatCount(hit.count)), toQString(formatPercent(hit.coverage)));
    if (const SliceId launch = launchOf(profile, slice); launch.valid())
        lines << tr("launch latency %1").arg(toQString(formatDuration(launchLatencyNs(profile, launch, slice))));
    else if (const auto runs = runsOf(profile, slice); runs.size() == 1)
        lines << tr("launch latency %1").arg(toQString(formatDuration(launchLatencyNs(profile, slice, runs.front()))));
    else if (runs.size() > 1) lines << tr("%1 runs").arg(toQString(formatCount(runs.size())));
    return lines;
}

} // namespace

QStringList tooltipLines(const Profile& profile, const SceneHit& hit, std::int64_t atNs, TimeSpan pixel)
{
    if (hit.slice.valid()) return sliceLines(profile, hit);
    if (!hit.track.valid()) return {};
    const Track& track = profile.track(hit.track);
    if (track.counter != kNone) {
        const QString value = counterValueAt(profile.counters[track.counter], atNs);
        return value.isEmpty() ? QStringList() : QStringList{toQString(track.name), value};
    }
    if (track.busy.empty() || track.rowCount > 0) return {};
    double busyNs = 0;
    for (const std::uint32_t index : track.busy)
        busyNs += static_cast<double>(coveredWithin(profile.busy[index], pixel));
    const double share = busyNs / static_cast<double>(track.busy.size()) /
                         static_cast<double>(std::max<std::int64_t>(1, pixel.lengthNs()));
    return {
        toQString(track.name),
        tr("%1 busy within %2").arg(toQString(formatPercent(share)), toQString(formatDuration(pixel.lengthNs(), 3)))};
}

void appendTooltip(const QStringList& lines, QPointF point, QSizeF canvas, const CanvasFonts& fonts, const Theme& theme,
                   DrawLayer& layer)
{
    if (lines.isEmpty()) return;
    const TextMeasure& bold = fonts[TextFont::Bold];
    const TextMeasure& normal = fonts[TextFont::Normal];
    const float widest = std::min(kWidestPx, static_cast<float>(canvas.width()) - 4 * kPaddingPx);
    const float lineHeight = std::ceil(normal.ascent() + normal.descent()) + 3;
    QStringList shown;
    float width = 0;
    for (const QString& line : lines) {
        const TextMeasure& measure = shown.isEmpty() ? bold : normal;
        shown << measure.elided(line, widest);
        width = std::max(width, measure.width(shown.back()));
    }
    const float boxWidth = std::ceil(width) + 2 * kPaddingPx;
    const float boxHeight = lineHeight * static_cast<float>(shown.size()) + kPaddingPx + 4;
    auto x = static_cast<float>(std::round(point.x())) + 14;
    auto y = static_cast<float>(std::round(point.y())) + 18;
    if (x + boxWidth > static_cast<float>(canvas.width()) - 4)
        x = std::max(4.0f, static_cast<float>(std::round(point.x())) - boxWidth - 10);
    if (y + boxHeight > static_cast<float>(canvas.height()) - 4)
        y = std::max(4.0f, static_cast<float>(std::round(point.y())) - boxHeight - 10);
    layer.pills.push_back({x - 1, y - 1, boxWidth + 2, boxHeight + 2, theme.separator.rgb(), 6});
    layer.pills.push_back({x, y, boxWidth, boxHeight, theme.tooltip.rgb(), 5});
    float top = y + kPaddingPx / 2 + 2;
    for (qsizetype index = 0; index < shown.size(); ++index) {
        const TextFont font = index == 0 ? TextFont::Bold : TextFont::Normal;
        layer.texts.push_back({x + kPaddingPx, fonts[font].centredBaseline(top, lineHeight), shown[index],
                               theme.tooltipText.rgb(), font});
        top += lineHeight;
    }
}

} // namespace stepscope
