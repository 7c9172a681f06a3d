// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/lesson_player.h"

#include <algorithm>

namespace warpglass {

void LessonPlayer::setLessons(QVector<Lesson> lessons) {
    m_lessons = std::move(lessons);
    m_lesson = m_step = m_openRun = -1;
}

int LessonPlayer::find(const QString& name) const {
    const auto at = std::find_if(m_lessons.begin(), m_lessons.end(), [&](const Lesson& l) { return l.name == name; });
    return at == m_lessons.end() ? -1 : int(at - m_lessons.begin());
}

// The run a step is about: its own, or that of the nearest step before it that has one.
int LessonPlayer::runOf(int lesson, int step) const {
    while (step > 0 && !m_lessons[lesson].steps[step].run)
        --step;
    return step;
}

std::optional<Wanted> LessonPlayer::go(int lesson, int step) {
    if (lesson < 0 || lesson >= m_lessons.size() || step < 0 || step >= m_lessons[lesson].steps.size())
        return std::nullopt;
    if (lesson != m_lesson) {
        m_openRun = -1;
        m_answered.clear();
    }
    m_lesson = lesson;
    m_step = step;
    const LessonStep& now = currentStep();
    const int run = runOf(lesson, step);
    Wanted wanted;
    if (run != m_openRun) {
        wanted.current = m_lessons[lesson].steps[run].run;
        m_openRun = -1; // until it is there
    }
    if (now.compare)
        wanted.other = now.compare;
    wanted.sight = Sight{.view = now.view,
                         .options = now.options,
                         .select = now.select,
                         .source = QStringLiteral("%1, steps[%2].select").arg(current().name, QString::number(step)),
                         .lesson = true};
    return wanted;
}

QVector<SwitchChange> LessonPlayer::turnBack(const SwitchNow& now) {
    QVector<SwitchChange> changes;
    for (const Turned& turned : m_turned)
        if (now(turned.view, turned.option) == turned.set)
            changes.append({turned.view, turned.option, turned.before});
    m_turned.clear();
    return changes;
}

QVector<SwitchChange> LessonPlayer::arrived(const Sight& sight, const SwitchNow& now) {
    QVector<SwitchChange> changes = turnBack(now);
    if (!playing())
        return changes;
    m_openRun = runOf(m_lesson, m_step);
    for (auto it = sight.options.cbegin(); it != sight.options.cend(); ++it) {
        const auto back = std::find_if(changes.begin(), changes.end(), [&](const SwitchChange& c) {
            return c.view == sight.view && c.option == it.key();
        });
        const QVariant before = back != changes.end() ? back->value : now(sight.view, it.key());
        m_turned.append({sight.view, it.key(), before, it.value()});
        if (back != changes.end())
            back->value = it.value(); // turned once, from the one step's to the other's
        else
            changes.append({sight.view, it.key(), it.value()});
    }
    return changes;
}

QVector<SwitchChange> LessonPlayer::leave(const SwitchNow& now) {
    m_lesson = m_step = m_openRun = -1;
    return turnBack(now);
}

} // namespace warpglass
