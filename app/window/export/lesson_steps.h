// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a lesson outside of the window: each with its runs and with what its view is given to paint. Pictures,
// pages and worksheets of a lesson walk along these.
#pragma once

#include "app/window/model/lessons.h"
#include "app/window/model/run.h"
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

// The answer that the view "why" shows, asked of the run. Error: it cannot be asked.
Result<WhyAnswer> putWhy(PaintContext& context, const RunRequest& request, const Run& run);
// The view "why" of a small launch, asked before it is shown, as the window does by itself; of other views and launches
// nothing is changed. Error: it cannot be asked.
Result<void> answerWhy(PaintContext& context, const QString& view, const Run& run);

// Runs what the steps run, one after the other, and says how far it is. The lesson must outlive what comes back.
Result<QVector<StepShown>> showSteps(const Lesson& lesson, Progress& progress);

} // namespace warpglass
