// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/playback.h"
#include "views/common/theme.h"
#include "views/common/time_axis.h"

#include <QWidget>

#include <memory>

namespace warpglass {

// How many events happen when, with the current time on it. Click or drag sets the time; dragging with Shift chooses
// the part that is looped; the wheel and the arrow keys step.
class DensityStrip : public QWidget {
    Q_OBJECT
public:
    explicit DensityStrip(QWidget* parent = nullptr);
    void setMoments(std::shared_ptr<const Moments> moments);
    void setTime(Time time);
    void setLoop(std::optional<LoopRange> loop);
    void setTheme(const Theme& theme);
    QSize sizeHint() const override { return {400, 48}; }
    QSize minimumSizeHint() const override { return {80, 36}; }

signals:
    void timeChosen(warpglass::Time time);
    void loopChosen(warpglass::LoopRange range);
    void stepped(int by);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void changeEvent(QEvent*) override;

private:
    TimeAxis axis() const;
    qreal xOf(Time time) const;
    Time timeAt(qreal x) const;
    void retranslate();
    std::shared_ptr<const Moments> m_moments;
    Time m_time, m_pressed;
    std::optional<LoopRange> m_loop;
    bool m_looping = false;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
