// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/Theme.h"

#include <QPalette>
#include <QWidget>

#include <cmath>

namespace stepscope
{

namespace
{

void setKind(Theme& theme, SliceKind kind, QRgb rgb) { theme.kinds[static_cast<std::size_t>(kind)] = QColor(rgb); }

/// After Okabe and Ito's palette, which stays apart in every colour vision; what sits side by side on one track also
/// differs in lightness. Quiet greys for the bulk of the host, strong colours for what one looks for.
void setLightKinds(Theme& theme)
{
    setKind(theme, SliceKind::CpuOp, 0xa7b5c8);
    setKind(theme, SliceKind::Launch, 0xf0d43a);
    setKind(theme, SliceKind::Sync, 0xd55e00);
    setKind(theme, SliceKind::Runtime, 0xd3c7a4);
    setKind(theme, SliceKind::Python, 0xb4c29c);
    setKind(theme, SliceKind::Annotation, 0xcc79a7);
    setKind(theme, SliceKind::DeviceAnnotation, 0xe0aac8);
    setKind(theme, SliceKind::Kernel, 0x3b78c3);
    setKind(theme, SliceKind::CommunicationKernel, 0xe69f00);
    setKind(theme, SliceKind::Memcpy, 0x009e73);
    setKind(theme, SliceKind::Memset, 0x7ccbb0);
    setKind(theme, SliceKind::DeviceSync, 0xa8431a);
    setKind(theme, SliceKind::DeviceOther, 0x8186bd);
    setKind(theme, SliceKind::Overhead, 0x8d939c);
    setKind(theme, SliceKind::Other, 0xbcc2ca);
}

void setDarkKinds(Theme& theme)
{
    setKind(theme, SliceKind::CpuOp, 0x66748a);
    setKind(theme, SliceKind::Launch, 0xe3c83b);
    setKind(theme, SliceKind::Sync, 0xe06a1b);
    setKind(theme, SliceKind::Runtime, 0x8f8564);
    setKind(theme, SliceKind::Python, 0x71805a);
    setKind(theme, SliceKind::Annotation, 0xc87aa6);
    setKind(theme, SliceKind::DeviceAnnotation, 0x96587c);
    setKind(theme, SliceKind::Kernel, 0x4a8ee0);
    setKind(theme, SliceKind::CommunicationKernel, 0xf0ab1f);
    setKind(theme, SliceKind::Memcpy, 0x1fb58a);
    setKind(theme, SliceKind::Memset, 0x7fc8b0);
    setKind(theme, SliceKind::DeviceSync, 0xb3502a);
    setKind(theme, SliceKind::DeviceOther, 0x7f86c8);
    setKind(theme, SliceKind::Overhead, 0x7b828e);
    setKind(theme, SliceKind::Other, 0x555d6b);
}

QColor withAlpha(QRgb rgb, int alpha)
{
    QColor colour(rgb);
    colour.setAlpha(alpha);
    return colour;
}

Theme makeLight()
{
    Theme theme;
    theme.window = QColor(0xeef0f3);
    theme.panel = QColor(0xf8f9fb);
    theme.canvas = QColor(0xffffff);
    theme.heading = QColor(0xf3f5f8);
    theme.rowHighlight = QColor(0xe7f0fd);
    theme.separator = QColor(0xe2e6eb);
    theme.grid = QColor(0xedf0f4);
    theme.stepBorder = QColor(0xd9b8cb);
    theme.stepBand = QColor(0xf5e6ef);
    theme.text = QColor(0x1b1f26);
    theme.textSecondary = QColor(0x586273);
    theme.textDisabled = QColor(0x8f98a5);
    theme.accent = QColor(0x1463d8);
    theme.onAccent = QColor(0xffffff);
    theme.selection = QColor(0x0b0d11);
    theme.selectionGap = QColor(0xffffff);
    theme.link = QColor(0x00a5bd);
    theme.flow = QColor(0x7b4fc9);
    theme.utilisation = QColor(0x3b78c3);
    theme.utilisationFill = QColor(0xb9d0ec);
    theme.counter = QColor(0x6f63b5);
    theme.counterFill = QColor(0xdcd8f0);
    theme.hairline = withAlpha(0x1b1f26, 0x70);
    theme.pill = QColor(0xe3e8ef);
    theme.pillText = QColor(0x39424f);
    theme.tooltip = QColor(0x22262e);
    theme.tooltipText = QColor(0xf1f3f6);
    theme.warning = QColor(0xb04400);
    setLightKinds(theme);
    return theme;
}

Theme makeDark()
{
    Theme theme;
    theme.dark = true;
    theme.window = QColor(0x14161a);
    theme.panel = QColor(0x1c1f26);
    theme.canvas = QColor(0x16181d);
    theme.heading = QColor(0x1f232b);
    theme.rowHighlight = QColor(0x1d2d45);
    theme.separator = QColor(0x2b303a);
    theme.grid = QColor(0x22262e);
    theme.stepBorder = QColor(0x5c4152);
    theme.stepBand = QColor(0x2e2530);
    theme.text = QColor(0xe6e8ec);
    theme.textSecondary = QColor(0x9fa8b6);
    theme.textDisabled = QColor(0x6a7280);
    theme.accent = QColor(0x5aa0ff);
    theme.onAccent = QColor(0x0b0d11);
    theme.selection = QColor(0xffffff);
    theme.selectionGap = QColor(0x0b0d11);
    theme.link = QColor(0x00d0e8);
    theme.flow = QColor(0xb794ff);
    theme.utilisation = QColor(0x4a8ee0);
    theme.utilisationFill = QColor(0x2b4a73);
    theme.counter = QColor(0xa294e8);
    theme.counterFill = QColor(0x3a3560);
    theme.hairline = withAlpha(0xe6e8ec, 0x70);
    theme.pill = QColor(0x2d333e);
    theme.pillText = QColor(0xcfd5de);
    theme.tooltip = QColor(0x363d49);
    theme.tooltipText = QColor(0xf4f6f8);
    theme.warning = QColor(0xffab5e);
    setDarkKinds(theme);
    return theme;
}

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour)
{
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

} // namespace

const Theme& Theme::lightTheme()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::darkTheme()
{
    static const Theme theme = makeDark();
    return theme;
}

const Theme& Theme::forPalette(const QPalette& palette)
{
    const bool dark = luminance(palette.color(QPalette::WindowText)) > luminance(palette.color(QPalette::Window));
    return dark ? darkTheme() : lightTheme();
}

const Theme& Theme::current(const QWidget* widget) { return forPalette(widget->palette()); }

double contrastRatio(const QColor& a, const QColor& b)
{
    const double brighter = std::max(luminance(a), luminance(b));
    const double darker = std::min(luminance(a), luminance(b));
    return (brighter + 0.05) / (darker + 0.05);
}

QColor textOn(const QColor& fill)
{
    // Where both are well readable white on a dark, saturated fill looks calmer; black wins everywhere else.
    return contrastRatio(fill, Qt::white) >= 4.5 ? QColor(Qt::white) : QColor(Qt::black);
}

QColor blended(const QColor& under, const QColor& over, double opacity)
{
    const auto mix = [&](int below, int above) {
        return static_cast<int>(std::lround(below + (above - below) * opacity));
    };
    return {mix(under.red(), over.red()), mix(under.green(), over.green()), mix(under.blue(), over.blue())};
}

} // namespace stepscope
