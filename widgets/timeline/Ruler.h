// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/Theme.h"
#include "profile/Profile.h"

#include <QRectF>
#include <QWidget>

#include <optional>

class QPainter;

namespace stepscope
{

class ViewState;

struct RulerInput {
    const Profile* profile = nullptr;
    const Theme* theme = nullptr;
    TimeSpan range;
    std::uint32_t stepProcess = kNone;
    std::optional<std::size_t> currentStep;
    std::optional<std::int64_t> cursorNs; ///< the exact time under the cursor
};

/// Height of a ruler for a font: a band of steps above the times, where the profile has steps.
[[nodiscard]] int rulerHeight(const QFont& font, bool steps);
/// Paints steps and times, relative to the profile's first moment, with the painter's font.
void paintRuler(QPainter& painter, const QRectF& rect, const RulerInput& input);

/// The ruler above the canvas. A click on a step goes there.
class Ruler : public QWidget
{
    Q_OBJECT
public:
    explicit Ruler(ViewState& viewState, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

public slots:
    /// Place of the cursor in px, negative for none.
    void setCursorX(double x);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] std::optional<std::size_t> stepAt(QPointF point) const;

    ViewState& m_viewState;
    double m_cursorX = -1;
};

} // namespace stepscope
