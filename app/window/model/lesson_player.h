// SPDX-License-Identifier: GPL-3.0-or-later
// Gives a lesson: which step is shown, what it wants to be open, and which switches of the views it has turned.
//
// A step shows the views as the person had them with its own switches on top: what an earlier step turned is turned back
// first, and all of it when the lesson is left. A switch that the person has turned since stays as it is.
#pragma once

#include "app/window/model/lessons.h"
#include "app/window/model/workbench.h"

#include <QPair>
#include <QSet>

namespace warpglass {

// Switches to set in a view; an invalid value: as if nobody had set it.
struct SwitchChange {
    QString view, option;
    QVariant value;
    bool operator==(const SwitchChange&) const = default;
};

class LessonPlayer {
public:
    // The switch of a view as it is now; invalid if nobody set it.
    using SwitchNow = std::function<QVariant(const QString& view, const QString& option)>;

    void setLessons(QVector<Lesson> lessons);
    const QVector<Lesson>& lessons() const { return m_lessons; }
    int find(const QString& name) const; // -1: there is none

    bool playing() const { return m_lesson >= 0; }
    int lesson() const { return m_lesson; } // -1, -1: none is given
    int step() const { return m_step; }
    const Lesson& current() const { return m_lessons[m_lesson]; }
    const LessonStep& currentStep() const { return m_lessons[m_lesson].steps[m_step]; }

    // Goes to a step. What it wants to be open: nothing new if the run that it is about is on the screen already.
    // Nothing happens for a step that is not there.
    std::optional<Wanted> go(int lesson, int step);
    // The step is on the screen: the switches to turn, those of the step before first turned back.
    QVector<SwitchChange> arrived(const Sight& sight, const SwitchNow& now);
    // Whether the step's question is still to be answered: until then nothing that tells is shown.
    bool asking() const {
        return playing() && currentStep().ask && !currentStep().predict && !m_answered.contains({m_lesson, m_step});
    }
    // The same for a prediction, which the view asks for.
    bool predicting() const { return playing() && currentStep().predict && !m_answered.contains({m_lesson, m_step}); }
    // Somebody has answered, or wants to see. It is asked again when the lesson is given anew.
    void answered() { m_answered.insert({m_lesson, m_step}); }
    // Its questions are asked again; or that of the step alone.
    void askAgain() { m_answered.clear(); }
    void askStepAgain() { m_answered.remove({m_lesson, m_step}); }
    bool wasAsked() const { return playing() && m_answered.contains({m_lesson, m_step}); }
    // No lesson any more: the switches to turn back.
    QVector<SwitchChange> leave(const SwitchNow& now);

private:
    struct Turned {
        QString view, option;
        QVariant before, set;
    };
    QVector<SwitchChange> turnBack(const SwitchNow& now);
    int runOf(int lesson, int step) const;

    QVector<Lesson> m_lessons;
    int m_lesson = -1, m_step = -1;
    int m_openRun = -1; // the step of this lesson whose run is open; -1: none yet
    QVector<Turned> m_turned;
    QSet<QPair<int, int>> m_answered; // steps of the lesson that is given
};

} // namespace warpglass
