// SPDX-License-Identifier: GPL-3.0-or-later
// The user's guide: what each part of the program shows and how it is used. It is written as a lesson without questions
// (resources/guide/guide.json), so that each section runs something, shows it, and what it says can be tested; the pictures
// are the views' own. The window shows it, and it can be written as HTML, a page a language.
#pragma once

#include "app/window/export/lesson_steps.h"

namespace warpglass {

Result<Lesson> readGuide();

// Key and what it does, for the table at the end, in this thread's language.
using GuideKeys = QVector<QPair<QString, QString>>;
GuideKeys guideKeys();

// Its one picture of a section, in a theme.
QImage guidePicture(const StepShown& section, const Theme& theme, QSize size, qreal scale = 1);

// en.html and zh_CN.html in a folder, each whole in itself. Empty, or a sentence that says why not.
QString writeGuide(const QString& folder, Progress& progress);

} // namespace warpglass
