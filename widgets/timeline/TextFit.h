// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/StrongId.h"
#include "timeline/DrawList.h"

#include <QFont>
#include <QFontMetricsF>
#include <QString>

#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stepscope
{

/// Widths of texts, summed over characters so that both renderers and the scene agree.
class TextMeasure
{
public:
    explicit TextMeasure(const QFont& font);

    [[nodiscard]] float advance(char32_t character) const;
    [[nodiscard]] float width(QStringView text) const;
    /// The text, or its beginning and an ellipsis where it is wider than `width`.
    [[nodiscard]] QString elided(const QString& text, float width) const;
    [[nodiscard]] float ascent() const { return m_ascent; }
    [[nodiscard]] float descent() const { return m_descent; }
    /// Baseline that centres capitals and digits within [top, top + height).
    [[nodiscard]] float centredBaseline(float top, float height) const;
    [[nodiscard]] const QFont& font() const { return m_font; }

private:
    QFont m_font;
    QFontMetricsF m_metrics;
    float m_ascent;
    float m_descent;
    float m_capHeight;
    std::array<float, 256> m_latin{};
    mutable std::unordered_map<char32_t, float> m_other;
};

/// The three fonts of the canvas, derived from the widget's.
struct CanvasFonts {
    std::array<TextMeasure, kTextFontCount> measures;

    explicit CanvasFonts(const QFont& base);
    [[nodiscard]] const TextMeasure& operator[](TextFont font) const
    {
        return measures[static_cast<std::size_t>(font)];
    }
};

/// Names cut to fit their boxes. Each name is measured once; the last cut of each is kept, as the next frame likely
/// asks for the same.
class LabelCache
{
public:
    explicit LabelCache(const TextMeasure& measure) : m_measure(measure) {}

    struct Fitted {
        QString text; ///< empty if not even a few letters fit
        float width = 0;
    };
    /// The full name if it fits, else the short one, else its beginning and an ellipsis.
    [[nodiscard]] const Fitted& fit(StringId id, std::string_view name, float width);
    void clear() { m_labels.clear(); }

private:
    struct Label {
        QString full;
        QString brief;
        float fullWidth = 0;
        std::vector<float> ends; ///< width of the first n + 1 code units of brief
        qsizetype cut = -1;
        Fitted last;
    };
    [[nodiscard]] Label measured(std::string_view name) const;

    const TextMeasure& m_measure;
    std::unordered_map<std::uint32_t, Label> m_labels;
};

} // namespace stepscope
