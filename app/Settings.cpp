// SPDX-License-Identifier: GPL-3.0-or-later
#include "Settings.h"

#include <QSettings>

namespace stepscope
{

namespace
{

constexpr qsizetype kRecentPaths = 10;
constexpr QLatin1String kRecent("recentPaths");
constexpr QLatin1String kTheme("theme");
constexpr QLatin1String kGeometry("window/geometry");
constexpr QLatin1String kSplitter("window/splitter");

} // namespace

Settings Settings::load()
{
    const QSettings stored;
    Settings settings;
    settings.recentPaths = stored.value(kRecent).toStringList();
    settings.theme = static_cast<ThemeChoice>(std::clamp(stored.value(kTheme, 0).toInt(), 0, 2));
    settings.windowGeometry = stored.value(kGeometry).toByteArray();
    settings.splitterState = stored.value(kSplitter).toByteArray();
    return settings;
}

void Settings::save() const
{
    QSettings stored;
    stored.setValue(kRecent, recentPaths);
    stored.setValue(kTheme, static_cast<int>(theme));
    stored.setValue(kGeometry, windowGeometry);
    stored.setValue(kSplitter, splitterState);
}

void Settings::addRecent(const QString& path)
{
    recentPaths.removeAll(path);
    recentPaths.prepend(path);
    while (recentPaths.size() > kRecentPaths) recentPaths.removeLast();
}

} // namespace stepscope
