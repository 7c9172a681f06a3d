// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/lessons.h"

#include <QLabel>
#include <QListWidget>
#include <QWidget>

namespace warpglass {

// The lessons that are there, and the steps of the one that is being given.
class LessonsPanel : public QWidget {
    Q_OBJECT
public:
    explicit LessonsPanel(QWidget* parent = nullptr);
    void setLessons(const QVector<Lesson>& lessons);
    void setExercises(const QVector<QPair<LocalText, LocalText>>& titlesAndSummaries); // below the lessons
    void showExercises();
    void setLanguage(const QString& language);
    void setCurrent(int lesson, int step); // -1, -1: none

signals:
    void stepChosen(int lesson, int step);
    void exerciseChosen(int exercise);

protected:
    void changeEvent(QEvent*) override;

private:
    void fill();
    QListWidget* m_list;
    QVector<Lesson> m_lessons;
    QVector<QPair<LocalText, LocalText>> m_exercises;
    QString m_language = QStringLiteral("en");
    int m_lesson = -1, m_step = -1;
};

} // namespace warpglass
