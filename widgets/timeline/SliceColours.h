// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/Theme.h"
#include "core/StrongId.h"

#include <QRgb>

#include <array>

namespace stepscope
{

/// The colours of slices, computed once per theme. A kind has one hue; names of a kind differ a little in lightness so
/// that neighbours can be told apart.
class SliceColours
{
public:
    static constexpr std::size_t kShades = 4;
    static constexpr std::size_t kLevels = 16;

    explicit SliceColours(const Theme& theme);

    [[nodiscard]] QRgb fill(SliceKind kind, StringId name) const
    {
        return m_fills[static_cast<std::size_t>(kind)][shadeOf(name)];
    }
    [[nodiscard]] QRgb text(SliceKind kind, StringId name) const
    {
        return m_texts[static_cast<std::size_t>(kind)][shadeOf(name)];
    }
    /// A pixel column of which this share (0 to 1) is covered. The faintest is still well visible.
    [[nodiscard]] QRgb column(SliceKind kind, double coverage) const
    {
        const double level = coverage < 0 ? 0 : coverage > 1 ? 1 : coverage;
        return m_columns[static_cast<std::size_t>(kind)][static_cast<std::size_t>(level * (kLevels - 1) + 0.5)];
    }

private:
    [[nodiscard]] static std::size_t shadeOf(StringId name) { return (name.value * 2654435761u) >> 30; }

    std::array<std::array<QRgb, kShades>, kSliceKindCount> m_fills{};
    std::array<std::array<QRgb, kShades>, kSliceKindCount> m_texts{};
    std::array<std::array<QRgb, kLevels>, kSliceKindCount> m_columns{};
};

} // namespace stepscope
