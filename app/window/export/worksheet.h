// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson's questions on paper, to be answered with a pencil: for each step the kernel and the question, with boxes to
// tick, lanes to mark or a line to write on. With the answers the same sheet has them filled in, and why it is so: the
// step's text and its picture, which would tell before.
#pragma once

#include "app/window/export/lesson_steps.h"

namespace warpglass {

struct Worksheet {
    const Lesson* lesson = nullptr;
    const QVector<StepShown>* steps = nullptr; // of the lesson
    QString language = QStringLiteral("en");
    bool answers = false;
};

// Format by suffix: .html or .pdf. Empty, or a sentence that says why not. Speaks its own language, whatever the
// program's is.
QString writeWorksheet(const Worksheet& sheet, const QString& path, Progress& progress);

} // namespace warpglass
