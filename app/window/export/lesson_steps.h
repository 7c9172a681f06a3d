// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a lesson outside of the window: each with its runs and with what its view is given to paint. Pictures,
// pages and worksheets of a lesson walk along these.
#pragma once

#include "app/window/model/lessons.h"
#include "views/common/picture.h"

namespace warpglass {

struct StepShown {
    const LessonStep* step = nullptr; // of the lesson
    QString view;                     // key; the program's first where the step names none
    PaintContext context;             // of a light theme
    LocalText title;                  // of the run, or of both: "A · B"
    QString code;                     // of the kernel; empty: it came without its source
};

// A lesson of the program by its name, else a file.
Result<Lesson> findLesson(const QString& nameOrFile);

// Runs what the steps run, one after the other, and says how far it is. The lesson must outlive what comes back.
Result<QVector<StepShown>> showSteps(const Lesson& lesson, Progress& progress);

} // namespace warpglass
