// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/TextFit.h"

#include "common/Text.h"

#include <algorithm>
#include <cmath>

namespace stepscope
{

namespace
{

constexpr qsizetype kLongestLabel = 300;
constexpr qsizetype kFewestLetters = 2;
constexpr QChar kEllipsis(0x2026);

QFont scaled(QFont font, double factor, bool bold)
{
    // Text on the canvas stays at whole pixels: a share of the widget's font, whatever that is measured in.
    const double px = QFontMetricsF(font).height() * 0.84;
    font.setPixelSize(std::max(8, static_cast<int>(std::lround(px * factor))));
    font.setBold(bold);
    // Grey levels, not subpixel colours: the same picture through OpenGL, on the screen and in an export.
    font.setStyleStrategy(QFont::NoSubpixelAntialias);
    // Widths are summed by character.
    font.setKerning(false);
    font.setHintingPreference(QFont::PreferFullHinting);
    return font;
}

} // namespace

TextMeasure::TextMeasure(const QFont& font)
    : m_font(font), m_metrics(font), m_ascent(static_cast<float>(m_metrics.ascent())),
      m_descent(static_cast<float>(m_metrics.descent())), m_capHeight(static_cast<float>(m_metrics.capHeight()))
{
    for (std::size_t code = 32; code < m_latin.size(); ++code)
        m_latin[code] = static_cast<float>(m_metrics.horizontalAdvance(QChar(static_cast<ushort>(code))));
}

float TextMeasure::advance(char32_t character) const
{
    if (character < m_latin.size()) return m_latin[character];
    const auto known = m_other.find(character);
    if (known != m_other.end()) return known->second;
    const auto width = static_cast<float>(m_metrics.horizontalAdvance(QString::fromUcs4(&character, 1)));
    m_other.emplace(character, width);
    return width;
}

float TextMeasure::width(QStringView text) const
{
    float width = 0;
    for (const char32_t character : text.toUcs4()) width += advance(character);
    return width;
}

QString TextMeasure::elided(const QString& text, float width) const
{
    // Far longer than any box: not worth measuring to its end.
    QString result = text.left(4 * kLongestLabel);
    if (result.size() == text.size() && this->width(result) <= width) return result;
    float used = advance(kEllipsis.unicode());
    qsizetype keep = 0;
    for (const char32_t character : result.toUcs4()) {
        used += advance(character);
        if (used > width) break;
        keep += QChar::requiresSurrogates(character) ? 2 : 1;
    }
    return result.left(keep) + kEllipsis;
}

float TextMeasure::centredBaseline(float top, float height) const
{
    return std::round(top + (height + m_capHeight) / 2);
}

CanvasFonts::CanvasFonts(const QFont& base)
    : measures{TextMeasure(scaled(base, 0.9, false)), TextMeasure(scaled(base, 0.72, false)),
               TextMeasure(scaled(base, 0.9, true))}
{
}

LabelCache::Label LabelCache::measured(std::string_view name) const
{
    Label label;
    label.full = toQString(name.substr(0, 4 * kLongestLabel)).left(kLongestLabel);
    label.brief = toQString(shortName(name).substr(0, 4 * kLongestLabel)).left(kLongestLabel);
    label.fullWidth = m_measure.width(label.full);
    float width = 0;
    for (qsizetype at = 0; at < label.brief.size(); ++at) {
        const QChar unit = label.brief[at];
        const bool pair = unit.isHighSurrogate() && at + 1 < label.brief.size();
        // Cutting within a pair would leave half a character: both halves end where the whole does.
        if (!unit.isLowSurrogate())
            width += m_measure.advance(pair ? QChar::surrogateToUcs4(unit, label.brief[at + 1]) : unit.unicode());
        label.ends.push_back(width);
    }
    return label;
}

const LabelCache::Fitted& LabelCache::fit(StringId id, std::string_view name, float width)
{
    auto place = m_labels.find(id.value);
    if (place == m_labels.end()) place = m_labels.emplace(id.value, measured(name)).first;
    Label& label = place->second;
    const float briefWidth = label.ends.empty() ? 0 : label.ends.back();
    qsizetype cut = 0;
    if (label.fullWidth <= width) {
        cut = kLongestLabel + 2;
    } else if (briefWidth <= width) {
        cut = kLongestLabel + 1;
    } else {
        const float room = width - m_measure.advance(kEllipsis.unicode());
        cut = std::upper_bound(label.ends.begin(), label.ends.end(), room) - label.ends.begin();
        if (cut > 0 && label.brief[cut - 1].isHighSurrogate()) --cut;
        if (cut < kFewestLetters) cut = 0;
    }
    if (cut == label.cut) return label.last;
    label.cut = cut;
    if (cut == kLongestLabel + 2) label.last = {label.full, label.fullWidth};
    else if (cut == kLongestLabel + 1) label.last = {label.brief, briefWidth};
    else if (cut == 0) label.last = {};
    else
        label.last = {label.brief.left(cut) + kEllipsis,
                      label.ends[static_cast<std::size_t>(cut - 1)] + m_measure.advance(kEllipsis.unicode())};
    return label.last;
}

} // namespace stepscope
