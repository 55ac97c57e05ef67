// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace stepscope
{

enum class ThemeChoice { System, Light, Dark };

/// What is remembered between sessions. Read at start, written when it changes; nothing else touches QSettings.
struct Settings {
    QStringList recentPaths; ///< newest first
    ThemeChoice theme = ThemeChoice::System;
    QByteArray windowGeometry;
    QByteArray splitterState;

    [[nodiscard]] static Settings load();
    void save() const;
    /// Puts a path first; keeps ten.
    void addRecent(const QString& path);
};

} // namespace stepscope
