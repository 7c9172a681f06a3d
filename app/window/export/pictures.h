// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures without a window: `warpglass render`, `report`, `film`, `page` and `lesson`. They need a QApplication but no
// display.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>

namespace warpglass {

// What is looked at, the same for all commands that make pictures.
struct PictureSource {
    QString file;
    QStringList more;                    // further files, or tables of sweeps (.csv), charted together with the first
    QString select;                      // as select_spec.h
    std::optional<std::uint64_t> launch; // of a program's recording, counted from 0; nothing: its only one
    std::optional<qint64> time;          // in the trace's unit
    QString theme = QStringLiteral("light");
    double fontScale = 1.0;
    QString compare;                         // a second file
    QString ghost;                           // a GPU's recording of the same launch
    QString layer;                           // another profiler's ranges inside the kernel
    QString align = QStringLiteral("start"); // where the second is laid over the first: a key of alignment.h
};

struct RenderRequest : PictureSource {
    QString view, output;
    QSize size{1600, 900};
    double scale = 1.0; // pixels of a PNG for each of size
};

// 0 done, 1 the picture could not be made, 2 the request or the file is wrong. The sentence goes to standard error.
int render(const RenderRequest& request);

struct ReportCommand : PictureSource {
    QStringList views; // none: every view that has something to show
    QString output;    // .html or .pdf
};
int report(const ReportCommand& command); // same exit statuses

struct FilmCommand : PictureSource {
    QString view, output; // a film's file, or a folder
    QSize size{1280, 720};
    double seconds = 10;
    int fps = 25;
    bool still = false; // nothing moves between two moments
};
int film(const FilmCommand& command); // same exit statuses

struct PageCommand : PictureSource { // file: a recording, or a lesson's name or file
    QString view;                    // of a recording
    QString output;                  // .html
};
int playPage(const PageCommand& command); // same exit statuses

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

struct WorksheetCommand {
    QString lesson; // name of a built-in lesson, or a file
    QString output; // .pdf or .html
    QString language = QStringLiteral("en");
    bool answers = false;
};
int worksheet(const WorksheetCommand& command); // same exit statuses

int guide(const QString& folder); // the user's guide as HTML; same exit statuses

QStringList lessonNames();

} // namespace warpglass
