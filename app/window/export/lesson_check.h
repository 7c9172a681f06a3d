// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a lesson is true: its launches are run, its expectations judged on them, and every number of its texts is
// looked for among the expectations of its step, so that no text tells what nothing tests.
#pragma once

#include "app/window/model/lessons.h"

#include <QStringList>

namespace warpglass {

struct LessonFinding {
    int step = 0; // from 0
    int line = 0; // of the file
    QString text; // one sentence
};

struct LessonReport {
    int steps = 0, expectations = 0; // those that were judged
    QVector<LessonFinding> findings; // what is wrong; none: the lesson is true
};

LessonReport checkLesson(const Lesson& lesson, Progress& progress);

// The numbers that are written with digits in a text, each once: "2,048" and "2048" are the same. Digits of names
// (mathKernel1, sm_90, H200) and of what is quoted as `code` are none.
QVector<double> numbersOf(const QString& text);
// Those of a step's texts that no expectation of it holds. 0, 1 and 32, the lanes of a warp, need none.
QVector<double> unprovenNumbers(const LessonStep& step);

// `warpglass lesson FILE --check`: files, or names of lessons of the program. 0: all are true, 1: one is not; each finding
// is a line FILE:LINE: step N: ... on standard error.
int checkLessons(const QStringList& lessons);

} // namespace warpglass
