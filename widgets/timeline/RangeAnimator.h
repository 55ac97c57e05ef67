// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/TimeSpan.h"

#include <QVariantAnimation>

namespace stepscope
{

class ViewState;

/// Moves the range smoothly where keys ask for it. Further keys act on where it is going, so none has to wait; any
/// other change of the range ends the movement.
class RangeAnimator : public QObject
{
    Q_OBJECT
public:
    static constexpr int kDurationMs = 120;

    explicit RangeAnimator(ViewState& viewState, QObject* parent = nullptr);

    void zoomAround(std::int64_t ns, double factor);
    void pan(double fraction);
    /// Goes to the end of the movement at once.
    void finish();
    void setDuration(int ms) { m_animation.setDuration(ms); }

private:
    /// Fractions of a ns are kept during a movement, so that its steps do not add up roundings.
    struct Range {
        double begin = 0;
        double end = 0;
    };
    [[nodiscard]] Range base() const;
    void start(Range target);
    void show(double progress);

    ViewState& m_viewState;
    QVariantAnimation m_animation;
    std::int64_t m_originNs = 0; ///< ranges below are relative to it
    Range m_from;
    Range m_to;
    bool m_moving = false;
};

} // namespace stepscope
