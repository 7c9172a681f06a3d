// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures without a window: `warpglass render` and `warpglass lesson`. They need a QApplication but no display.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace warpglass {

struct RenderRequest {
    QString file, view, output;
    QSize size{1600, 900};
    std::optional<qint64> time; // in the trace's unit
    QString select;             // as select_spec.h
    QString theme = QStringLiteral("light");
    double fontScale = 1.0;
    QString compare; // a second file
};

// 0 done, 1 the picture could not be made, 2 the request or the file is wrong. The sentence goes to standard error.
int render(const RenderRequest& request);

struct LessonPicturesRequest {
    QString lesson; // name of a built-in lesson, or a file
    QString folder;
    QSize size{1600, 900};
    QString theme = QStringLiteral("light");
    QString language = QStringLiteral("en");
};

// Runs each step of a lesson and writes its picture, the text of the step above it: NN-view.png.
// Says on standard output where they are. Same exit statuses.
int lessonPictures(const LessonPicturesRequest& request);

QStringList lessonNames();

} // namespace warpglass
