// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/play/transport_bar.h"

#include "app/window/icons.h"
#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {
constexpr int frameMs = 16;
constexpr int sliderSteps = 1000;
constexpr int speedWidth = 170;      // px at the usual type
constexpr double pictureSeconds = 8; // a class follows what lasts 6 to 10
constexpr double slowestUsual = 0.5; // beats a second, of a picture that has but two or three
} // namespace

QToolButton* TransportBar::button(const char* name, void (TransportBar::*slot)()) {
    auto* b = new QToolButton(this);
    b->setObjectName(QStringLiteral("transportButton"));
    b->setProperty("iconName", QString::fromLatin1(name));
    b->setFocusPolicy(Qt::TabFocus);
    connect(b, &QToolButton::clicked, this, slot);
    return b;
}

TransportBar::TransportBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("transport"));
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 14, 6);
    row->setSpacing(5);
    m_toStart = button("to-start", &TransportBar::toStart);
    m_stepBack = button("step-back", &TransportBar::stepBack);
    m_reverse = button("reverse", &TransportBar::playBackward);
    m_play = button("play", &TransportBar::play);
    drawPlayIcons();
    m_step = button("step-forward", &TransportBar::stepForward);
    m_toEnd = button("to-end", &TransportBar::toEnd);
    m_loop = button("loop", &TransportBar::toggleLoop);
    m_loop->setCheckable(true);
    m_play->setObjectName(QStringLiteral("play"));
    for (QToolButton* b : {m_toStart, m_stepBack, m_reverse, m_play, m_step, m_toEnd, m_loop})
        row->addWidget(b);
    row->addSpacing(8);
    auto* speedColumn = new QVBoxLayout;
    speedColumn->setSpacing(1);
    auto* speedTexts = new QHBoxLayout;
    m_speedLabel = new QLabel(this);
    m_speedLabel->setObjectName(QStringLiteral("small"));
    m_speedText = new QLabel(this);
    m_speedText->setObjectName(QStringLiteral("small"));
    m_speedText->setAlignment(Qt::AlignRight);
    speedTexts->addWidget(m_speedLabel);
    speedTexts->addStretch(1);
    speedTexts->addWidget(m_speedText);
    m_speed = new QSlider(Qt::Horizontal, this);
    m_speed->setObjectName(QStringLiteral("speed"));
    m_speed->setRange(0, sliderSteps);
    m_speed->setPageStep(sliderSteps / 10);
    speedColumn->addStretch(1);
    speedColumn->addLayout(speedTexts);
    speedColumn->addWidget(m_speed);
    speedColumn->addStretch(1);
    m_speedBox = new QWidget(this);
    m_speedBox->setObjectName(QStringLiteral("viewHeader"));
    m_speedBox->setLayout(speedColumn);
    speedColumn->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_speedBox);
    row->addSpacing(8);
    m_strip = new DensityStrip(this);
    row->addWidget(m_strip, 1);
    row->addSpacing(8);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(1);
    m_event = new QLabel(this);
    m_event->setObjectName(QStringLiteral("panelTitle"));
    m_time = new QLabel(this);
    m_time->setObjectName(QStringLiteral("small"));
    texts->addStretch(1);
    texts->addWidget(m_event);
    texts->addWidget(m_time);
    texts->addStretch(1);
    row->addLayout(texts);

    m_timer.setInterval(frameMs);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &TransportBar::tick);
    connect(m_speed, &QSlider::valueChanged, this, [this](int value) {
        m_playback.speed = speedAt(double(value) / sliderSteps, count());
        m_chosen = true;
        refresh();
    });
    connect(m_strip, &DensityStrip::timeChosen, this, [this](Time t) {
        stop();
        settle();
        m_playback.position = double(momentAt(*m_moments, t));
        moved();
    });
    connect(m_strip, &DensityStrip::loopChosen, this, [this](LoopRange range) {
        m_playback.loop = range;
        m_strip->setLoop(range);
        if (m_playback.position < firstPosition() || m_playback.position > lastPosition())
            m_playback.position = firstPosition();
        moved();
    });
    connect(m_strip, &DensityStrip::stepped, this, [this](int by) { by > 0 ? stepForward() : stepBack(); });
    retranslate();
    setTheme(m_theme);
    setTrace(nullptr, nullptr);
    fitReach();
}

void TransportBar::retranslate() {
    const auto name = [](QToolButton* b, const QString& text, const QString& key) {
        b->setToolTip(key.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, key));
        b->setAccessibleName(text);
    };
    name(m_toStart, tr("To the start"), tr("Shift+Home"));
    name(m_stepBack, tr("One event back"), QStringLiteral("["));
    name(m_reverse, tr("Play backward"), tr("Shift+Space"));
    name(m_play, tr("Play or pause"), tr("Space"));
    name(m_step, tr("One event on"), QStringLiteral("]"));
    name(m_toEnd, tr("To the end"), tr("Shift+End"));
    name(m_loop, tr("Loop a part"), QStringLiteral("L"));
    m_speedLabel->setText(tr("speed"));
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(tr("From one event a second to the whole run in four seconds (+ and -)"));
    refresh();
}

void TransportBar::setReach(Transport reach) {
    m_reach = reach;
    fitReach();
}

void TransportBar::setWhole(bool whole) {
    m_whole = whole;
    fitReach();
}

void TransportBar::fitReach() {
    for (QWidget* part : std::initializer_list<QWidget*>{m_toStart, m_reverse, m_toEnd, m_loop, m_speedBox})
        part->setVisible(m_whole);
    for (QWidget* part : std::initializer_list<QWidget*>{m_stepBack, m_step})
        part->setVisible(m_whole || m_reach == Transport::Steps);
    const bool alone = !m_whole && m_reach == Transport::Play;
    m_play->setToolButtonStyle(alone ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    refresh();
    m_play->setMinimumWidth(alone ? m_play->sizeHint().width() : 0);
}

void TransportBar::setTheme(const Theme& theme) {
    m_speedBox->setFixedWidth(qRound(speedWidth * std::max(theme.fontScale, 1.0)));
    m_theme = theme;
    const int side = qRound(18 * theme.fontScale);
    for (QToolButton* b : {m_toStart, m_stepBack, m_reverse, m_step, m_toEnd, m_loop}) {
        b->setIcon(themedIcon(b->property("iconName").toString(), theme));
        b->setIconSize({side, side});
    }
    m_play->setIconSize({side, side});
    drawPlayIcons();
    m_strip->setTheme(theme);
    fitReach();
}

void TransportBar::setTrace(TracePtr trace, std::shared_ptr<const Moments> moments) {
    stop();
    m_trace = std::move(trace);
    m_moments = std::move(moments);
    m_score = {};
    m_moving = false;
    m_rest.reset();
    m_playback.loop.reset();
    m_playback.position = 0;
    const bool any = count() > 0;
    for (QWidget* w :
         std::initializer_list<QWidget*>{m_toStart, m_stepBack, m_reverse, m_play, m_step, m_toEnd, m_loop, m_speed})
        w->setEnabled(any);
    m_strip->setMoments(m_moments);
    m_strip->setLoop({});
    if (!m_chosen)
        m_playback.speed = usualSpeed();
    showSpeed();
    if (m_chosen)
        m_playback.speed = speedAt(double(m_speed->value()) / sliderSteps, count());
    refresh();
}

ScorePoint TransportBar::point() const {
    if (!m_moments)
        return {};
    if (!m_score.empty())
        return pointAt(m_score, m_playback.position, m_still);
    if (m_rest)
        return {*m_rest, {}};
    const Time now = timeOf(*m_moments, std::size_t(std::max(0.0, m_playback.position)));
    return {now, {m_moving, now, 1}};
}

Time TransportBar::time() const {
    return point().time;
}

double TransportBar::positionOf(std::size_t moment) const {
    return m_score.empty() ? double(moment) : positionAt(m_score, timeOf(*m_moments, moment));
}

double TransportBar::firstPosition() const {
    return m_playback.loop ? positionOf(m_playback.loop->first) : 0;
}

double TransportBar::lastPosition() const {
    if (m_before) {
        if (m_score.empty())
            return double(momentAt(*m_moments, *m_before - Time{1}));
        const auto at = std::find_if(m_score.beats.begin(), m_score.beats.end(),
                                     [&](const Beat& beat) { return beat.time >= *m_before; });
        return at == m_score.beats.end() ? m_score.length : m_score.begins[std::size_t(at - m_score.beats.begin())];
    }
    if (m_playback.loop)
        return positionOf(m_playback.loop->last);
    return m_score.empty() ? double(count() - 1) : m_score.length;
}

void TransportBar::settle() {
    if (!m_score.empty())
        m_playback.position = double(momentAt(*m_moments, time()));
    m_score = {};
    m_moving = false;
}

void TransportBar::takeScore(Time at) {
    const std::vector<Beat> beats = m_beats ? m_beats() : std::vector<Beat>();
    m_score = beats.empty() ? Score() : scoreOf(beats, m_moments->range);
    m_playback.position = positionOf(momentAt(*m_moments, at));
    if (!m_score.empty())
        m_playback.position = positionAt(m_score, at);
}

void TransportBar::beatsChanged() {
    if (m_playback.playing)
        takeScore(time());
    else if (m_moving)
        settle();
}

void TransportBar::setTime(Time t) {
    if (!m_moments || t == time())
        return;
    if (!m_playback.playing) {
        settle();
        const std::size_t moment = momentAt(*m_moments, t);
        m_playback.position = double(moment);
        m_rest = t == timeOf(*m_moments, moment) ? std::nullopt : std::optional(t);
    }
    m_strip->setTime(t);
    refresh();
}

void TransportBar::start(int direction) {
    if (count() == 0)
        return;
    if (m_playback.playing && m_playback.direction == direction) {
        stop();
        return;
    }
    if (!m_moving)
        takeScore(time());
    if (!m_chosen) {
        m_playback.speed = usualSpeed();
        showSpeed();
    }
    const bool between = m_rest.has_value();
    m_rest.reset();
    m_moving = true;
    if (direction > 0 && m_playback.position >= lastPosition())
        m_playback.position = firstPosition(); // play at the end starts over
    if (direction < 0 && m_playback.position <= firstPosition())
        m_playback.position = lastPosition();
    m_playback.direction = direction;
    m_playback.playing = true;
    m_clock.start();
    m_timer.start();
    between ? moved() : refresh();
    emit playingChanged(true);
}

// Of the whole picture, whatever part of it is played.
double TransportBar::usualSpeed() const {
    const double length = m_score.empty() ? double(count()) - 1 : m_score.length;
    return std::max(slowestUsual, length / pictureSeconds);
}

void TransportBar::setSpeed(double speed) {
    m_chosen = true;
    m_playback.speed = speed;
    showSpeed();
    refresh();
}

// Slower and faster go on from here.
void TransportBar::showSpeed() {
    const QSignalBlocker quiet(m_speed);
    m_speed->setValue(qRound(sliderOf(m_playback.speed, count()) * sliderSteps));
}

void TransportBar::play() {
    m_playback.playing ? stop() : start(1);
}
void TransportBar::playBackward() {
    m_playback.playing&& m_playback.direction < 0 ? stop() : start(-1);
}

void TransportBar::stop() {
    const bool was = m_playback.playing;
    m_playback.playing = false;
    m_timer.stop();
    refresh();
    if (was)
        emit playingChanged(false);
}

void TransportBar::tick() {
    const ScorePoint before = point();
    Playback now = m_playback;
    if (!m_score.empty())
        now.speed = std::min(now.speed, fastestOf(m_score.length));
    advance(now, firstPosition(), lastPosition(), double(m_clock.restart()) / 1000.0);
    m_playback.position = now.position;
    m_playback.playing = now.playing;
    if (!m_playback.playing) {
        settle();
        moved();
        stop();
        emit playingChanged(false);
        return;
    }
    const ScorePoint after = point();
    if (after.time != before.time || !(after.motion == before.motion))
        moved();
}

void TransportBar::stepForward() {
    stop();
    settle();
    if (count() > 0 && atEnd())
        return emit left(1);
    step(m_playback, count(), 1);
    moved();
}

void TransportBar::stepBack() {
    stop();
    settle();
    if (count() > 0 && atStart() && !m_rest)
        return emit left(-1);
    step(m_playback, count(), m_rest ? 0 : -1); // from between two moments to the first of them
    moved();
}

void TransportBar::toStart() {
    stop();
    settle();
    m_playback.position = 0;
    moved();
}

void TransportBar::toEnd() {
    stop();
    settle();
    m_playback.position = count() == 0 ? 0 : double(count() - 1);
    moved();
}

void TransportBar::faster() {
    m_speed->setValue(m_speed->value() + sliderSteps / 12);
}
void TransportBar::slower() {
    m_speed->setValue(m_speed->value() - sliderSteps / 12);
}

void TransportBar::toggleLoop() {
    if (m_playback.loop || count() == 0)
        m_playback.loop.reset();
    else
        m_playback.loop = LoopRange{0, count() - 1};
    m_strip->setLoop(m_playback.loop);
    refresh();
}

void TransportBar::moved() {
    m_rest.reset();
    refresh();
    const ScorePoint now = point();
    emit timeChanged(now.time, now.motion);
}

// Once a theme: while it plays the time moves many times a second, and Qt keeps what each icon was scaled to.
void TransportBar::drawPlayIcons() {
    m_playIcon = themedIcon(QStringLiteral("play"), m_theme.textOnAccent, m_theme.border);
    m_pauseIcon = themedIcon(QStringLiteral("pause"), m_theme.textOnAccent, m_theme.border);
}

void TransportBar::refresh() {
    const bool playing = m_playback.playing;
    m_play->setIcon(playing ? m_pauseIcon : m_playIcon);
    m_play->setText(m_play->toolButtonStyle() == Qt::ToolButtonIconOnly ? QString()
                    : playing                                           ? tr("Pause")
                                                                        : tr("Play"));
    m_loop->setChecked(m_playback.loop.has_value());
    const double speed = m_playback.speed;
    m_speedText->setText(
        !m_chosen && count() > 1
            ? tr("%1 s for all").arg(std::llround((m_score.empty() ? double(count()) - 1 : m_score.length) / speed))
            : tr("%1 events/s")
                  .arg(speed < 10 ? decimalText(speed, 1) : numberText(std::int64_t(std::llround(speed)))));
    const ScorePoint here = point();
    Selection place;
    place.time = here.time;
    place.motion = here.motion;
    const Time now = timeShown(place); // as the views show it, on the way from one moment to the next, too
    m_strip->setTime(now);
    if (count() == 0) {
        m_event->setText(m_trace && !m_moments ? tr("finding the moments…") : tr("nothing to play"));
        m_time->clear();
        return;
    }
    const auto at = m_score.empty() ? std::size_t(std::max(0.0, m_playback.position)) : momentAt(*m_moments, time());
    m_event->setText(tr("moment %1 of %2").arg(numberText(std::uint64_t(at + 1)), numberText(std::uint64_t(count()))));
    const TraceInfo& info = m_trace->info;
    const Time passed = now - m_trace->range().begin;
    QString text = info.timing && info.timeUnit == TimeUnit::Steps // an example, which counts cycles alone
                       ? tr("cycle %1").arg(numberText(passed.value))
                       : momentText(*m_trace, now);
    if (info.timeUnit == TimeUnit::Nanoseconds && info.smClockMHz > 0)
        text = agreeing(tr("%1 · %2 {cycle|cycles}"), text, numberText(firstCycle(info, passed.value)));
    if (info.timeUnit == TimeUnit::Nanoseconds)
        text += QStringLiteral(" · ") + originName(info.timeOrigin);
    m_time->setText(text);
}

void TransportBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace warpglass
