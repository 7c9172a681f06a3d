// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons: their list, the strip over the view with the step that is shown (else the kernel's story), and the card with
// the step's question. A step that asks for a prediction has it asked in the view.
#pragma once

#include "app/window/feature.h"
#include "app/window/lesson/lessons_panel.h"
#include "app/window/model/lesson_player.h"

namespace warpglass {

class LessonFeature : public Feature {
    Q_OBJECT
public:
    explicit LessonFeature(Shell& shell);

    const LessonPlayer& player() const { return m_lessons; }
    LessonsPanel* panel() const { return m_panel; }
    void start(int lesson, int step); // nothing happens for one that is not there
    void start(const QString& name) { start(m_lessons.find(name), 0); }
    void startAnew(int lesson); // from its first step, and whatever was answered is asked again
    void leave();

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void refresh() override;
    void retranslate() override;
    void setLanguage(const QString& language) override { m_panel->setLanguage(language); }
    void offer(QVector<PaletteItem>& items) override;
    bool step(int direction) override;
    bool takeKeys() override;
    void remember(SessionMemory& memory) const override;
    bool resume(const SessionMemory& memory) override;

private:
    void load();
    void changed(); // the step, or what was answered
    void ask();
    void askAgain();
    void markLine();
    void answered(const QString& given, bool right);
    QString answerText() const;
    void tellStory(); // to who cannot see it
    void showSight(const Sight& sight);
    void turn(const QVector<SwitchChange>& changes);
    QVariant switchNow(const QString& view, const QString& option) const;

    LessonsPanel* m_panel;
    LessonPlayer m_lessons;
    QString m_given; // the answer to the step's question, in the person's words; empty: none was given
    bool m_givenRight = false;
};

} // namespace warpglass
