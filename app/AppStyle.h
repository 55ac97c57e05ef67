// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "Settings.h"

#include <QObject>

namespace stepscope
{

/// Gives the whole application the colours of Theme, light or dark: as chosen, or as the system is. Follows the system
/// while it runs. On Linux the desktop's wish is asked of the settings portal (a local service), since Qt 6.4 does not.
class AppStyle : public QObject
{
    Q_OBJECT
public:
    explicit AppStyle(QObject* parent = nullptr);
    void choose(ThemeChoice choice);
    [[nodiscard]] ThemeChoice choice() const { return m_choice; }

private slots:
    void onPortalSetting(const QString& group, const QString& key);

private:
    void apply();
    [[nodiscard]] bool systemIsDark() const;

    ThemeChoice m_choice = ThemeChoice::System;
    bool m_startedDark = false;
};

} // namespace stepscope
