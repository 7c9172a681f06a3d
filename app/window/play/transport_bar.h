// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/playback.h"
#include "app/window/model/window_mode.h"
#include "app/window/play/density_strip.h"
#include "gpu/trace/trace.h"
#include "views/common/playing.h"

#include <QElapsedTimer>
#include <QIcon>
#include <QLabel>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <functional>

namespace warpglass {

// Plays a trace: owns the Playback, says which time is now. Nobody else runs a clock.
//
// What is looked at may have beats of its own (views/common/playing.h). From play on, until somebody goes elsewhere, the
// position is then one along their score and time flows from beat to beat; else, and whenever it is at rest, it is the
// index of a moment.
class TransportBar : public QWidget {
    Q_OBJECT
public:
    void setReach(Transport reach); // how much of it is there
    void setWhole(bool whole);      // all of it, whatever is there else
    void setSpeed(double speed);    // in moments a second, as by the slider
    explicit TransportBar(QWidget* parent = nullptr);

    void setTrace(TracePtr trace, std::shared_ptr<const Moments> moments); // null moments: they come later
    void setTheme(const Theme& theme);
    void setTime(Time time); // moved by somebody else (a click in a view)
    Time time() const;
    const TracePtr& trace() const { return m_trace; }
    const Playback& playback() const { return m_playback; }
    const std::shared_ptr<const Moments>& moments() const { return m_moments; }
    // Nothing comes before, or behind, where it is.
    bool atStart() const { return m_playback.position <= 0; }
    bool atEnd() const { return m_playback.position + 1 >= double(count()); }
    // Who knows the beats of what is looked at; asked when playing begins, and by beatsChanged().
    void setBeats(std::function<std::vector<Beat>()> beats) { m_beats = std::move(beats); }
    void beatsChanged();
    // Playing stops before this time, with nothing of it begun; unset: at the end.
    void setEnd(std::optional<Time> before) { m_before = before; }
    void setStill(bool still) { m_still = still; } // beats appear whole, nothing moves
    bool still() const { return m_still; }

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
    void timeChanged(warpglass::Time time, const warpglass::Motion& motion);
    void playingChanged(bool playing);
    void left(int direction); // a step that goes beyond the end or the beginning

protected:
    void changeEvent(QEvent*) override;

private:
    void fitReach();
    double usualSpeed() const;
    void showSpeed();
    void retranslate();
    void refresh(); // buttons and texts
    void moved();   // position changed: tell and repaint
    void settle();  // at rest in a moment
    void takeScore(Time at);
    ScorePoint point() const;
    double positionOf(std::size_t moment) const;
    double firstPosition() const;
    double lastPosition() const;
    void start(int direction);
    void tick();
    std::size_t count() const { return m_moments ? m_moments->times.size() : 0; }
    void drawPlayIcons();
    QToolButton* button(const char* name, void (TransportBar::*slot)());

    TracePtr m_trace;
    std::shared_ptr<const Moments> m_moments;
    Playback m_playback;
    std::function<std::vector<Beat>()> m_beats;
    Score m_score;         // empty: the moments are played
    bool m_moving = false; // from play on, until it is at rest
    bool m_still = false;
    Transport m_reach = Transport::Steps;
    bool m_whole = false;
    bool m_chosen = false;        // a speed; else a picture lasts as long as a class needs for it
    std::optional<Time> m_before; // where playing ends
    std::optional<Time> m_rest;   // between two moments, where somebody put the clock; position is the first of them
    QTimer m_timer;
    QElapsedTimer m_clock;
    Theme m_theme = Theme::make(ThemeKind::Light);
    QIcon m_playIcon, m_pauseIcon;
    QToolButton *m_toStart, *m_stepBack, *m_reverse, *m_play, *m_step, *m_toEnd, *m_loop;
    QSlider* m_speed;
    QWidget* m_speedBox;
    QLabel *m_speedLabel, *m_speedText, *m_event, *m_time;
    DensityStrip* m_strip;
};

} // namespace warpglass
