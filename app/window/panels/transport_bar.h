// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/playback.h"
#include "app/window/panels/density_strip.h"
#include "gpu/trace/trace.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

namespace warpglass {

// Plays a trace: owns the Playback, says which time is now. Nobody else runs a clock.
class TransportBar : public QWidget {
    Q_OBJECT
public:
    explicit TransportBar(QWidget* parent = nullptr);

    void setTrace(TracePtr trace, std::shared_ptr<const Moments> moments); // null moments: they come later
    void setTheme(const Theme& theme);
    void setTime(Time time); // moved by somebody else (a click in a view)
    Time time() const;
    const Playback& playback() const { return m_playback; }
    const std::shared_ptr<const Moments>& moments() const { return m_moments; }

public slots:
    void play();         // or pause
    void playBackward(); // or pause
    void stop();
    void stepForward();
    void stepBack();
    void toStart();
    void toEnd();
    void faster();
    void slower();
    void toggleLoop();

signals:
    void timeChanged(warpglass::Time time);
    void playingChanged(bool playing);

protected:
    void changeEvent(QEvent*) override;

private:
    void retranslate();
    void refresh(); // buttons and texts
    void moved();   // position changed: tell and repaint
    void start(int direction);
    void tick();
    std::size_t count() const { return m_moments ? m_moments->times.size() : 0; }
    QToolButton* button(const char* name, void (TransportBar::*slot)());

    TracePtr m_trace;
    std::shared_ptr<const Moments> m_moments;
    Playback m_playback;
    QTimer m_timer;
    QElapsedTimer m_clock;
    Theme m_theme = Theme::make(ThemeKind::Light);
    QToolButton *m_toStart, *m_stepBack, *m_reverse, *m_play, *m_step, *m_toEnd, *m_loop;
    QSlider* m_speed;
    QLabel *m_speedLabel, *m_speedText, *m_event, *m_time;
    DensityStrip* m_strip;
};

} // namespace warpglass
