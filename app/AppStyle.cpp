// SPDX-License-Identifier: GPL-3.0-or-later
#include "AppStyle.h"

#include "common/Theme.h"

#include <QApplication>
#include <QPalette>
#include <QStyleFactory>
#ifdef STEPSCOPE_WITH_DBUS
#include <QDBusConnection>
#include <QDBusInterface>
#include <QDBusReply>
#include <QDBusVariant>
#endif

namespace stepscope
{

namespace
{

#ifdef STEPSCOPE_WITH_DBUS
constexpr QLatin1String kService("org.freedesktop.portal.Desktop");
constexpr QLatin1String kPath("/org/freedesktop/portal/desktop");
constexpr QLatin1String kInterface("org.freedesktop.portal.Settings");
constexpr QLatin1String kGroup("org.freedesktop.appearance");
constexpr QLatin1String kKey("color-scheme");
constexpr int kPatienceMs = 200;

/// What the desktop prefers; none if there is no portal. 1 is dark, 2 light, 0 no preference.
std::optional<bool> portalIsDark()
{
    if (!qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")) return std::nullopt;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return std::nullopt;
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    call << QString(kGroup) << QString(kKey);
    const QDBusMessage reply = bus.call(call, QDBus::Block, kPatienceMs);
    if (reply.type() != QDBusMessage::ReplyMessage || reply.arguments().isEmpty()) return std::nullopt;
    QVariant value = reply.arguments().constFirst();
    while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
    return value.toUInt() == 1;
}
#endif

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.panel);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.canvas);
    palette.setColor(QPalette::AlternateBase, theme.heading);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::Button, theme.dark ? theme.pill : theme.window);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.warning);
    palette.setColor(QPalette::ToolTipBase, theme.tooltip);
    palette.setColor(QPalette::ToolTipText, theme.tooltipText);
    palette.setColor(QPalette::PlaceholderText, theme.textSecondary);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    palette.setColor(QPalette::Light, blended(theme.panel, Qt::white, theme.dark ? 0.08 : 0.6));
    palette.setColor(QPalette::Midlight, theme.separator);
    palette.setColor(QPalette::Mid, theme.separator);
    palette.setColor(QPalette::Dark, blended(theme.separator, Qt::black, 0.2));
    palette.setColor(QPalette::Shadow, blended(theme.separator, Qt::black, 0.4));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.textDisabled);
    return palette;
}

} // namespace

AppStyle::AppStyle(QObject* parent) : QObject(parent), m_startedDark(Theme::forPalette(QApplication::palette()).dark)
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
#ifdef STEPSCOPE_WITH_DBUS
    if (qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS"))
        QDBusConnection::sessionBus().connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                                              SLOT(onPortalSetting(QString, QString)));
#endif
    apply();
}

void AppStyle::choose(ThemeChoice choice)
{
    m_choice = choice;
    apply();
}

void AppStyle::onPortalSetting(const QString& group, const QString& key)
{
#ifdef STEPSCOPE_WITH_DBUS
    if (group == kGroup && key == kKey) apply();
#else
    Q_UNUSED(group)
    Q_UNUSED(key)
#endif
}

bool AppStyle::systemIsDark() const
{
#ifdef STEPSCOPE_WITH_DBUS
    if (const auto dark = portalIsDark()) return *dark;
#endif
    return m_startedDark;
}

void AppStyle::apply()
{
    const bool dark = m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::System && systemIsDark());
    QApplication::setPalette(paletteOf(dark ? Theme::darkTheme() : Theme::lightTheme()));
}

} // namespace stepscope
