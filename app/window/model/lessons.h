// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons: a few steps, each with a text, a kernel to run, a view to show it in and what to point at.
//
// A lesson is one JSON file (resources/lessons; anybody can write one):
//   { "format": 1, "name": "one-warp-two-paths", "order": 10,
//     "title": {"en": "...", "zh_CN": "..."}, "summary": {...},
//     "steps": [ { "title": {...}, "text": {...}, "notes": {...},
//                  "run":     { "kernel": "mathKernel1", "size": 64, "grid": "1", "block": "64", "mode": "as-written",
//                               "set": {"threshold": 20}, "device": "h200", "accesses": false, "timing": false },
//                  "compare": { same as run }, "view": "lanes", "options": {"layer": "source"},
//                  "select": "block=0,warp=0,line=10,time=50%" } ] }
// "order" says where the lesson stands among those of the program: a number that no other has, the smallest first. A
// lesson without it stands behind them. Everything in "run" but the kernel may be left out. A step without "run" goes on with the trace of the step before;
// one without "compare" shows one trace. Notes are for the teacher and hidden in presentation mode.
#pragma once

#include "app/window/model/run_request.h"

#include <QMap>
#include <QString>
#include <QVariant>
#include <QVector>

#include <optional>

namespace warpglass {

struct LocalText {
    QString en, zh;
    const QString& in(const QString& language) const {
        return language.startsWith(QLatin1String("zh")) && !zh.isEmpty() ? zh : en;
    }
};

struct LessonStep {
    LocalText title, text, notes;
    std::optional<RunRequest> run, compare;
    QString view;
    QMap<QString, QVariant> options;
    QString select; // as select_spec.h
};

struct Lesson {
    QString name;
    std::optional<int> order;
    LocalText title, summary;
    QVector<LessonStep> steps;
};

// Error: one sentence with the place, line and column for broken JSON, the path ("steps[2].run.kernel") for a wrong
// value. Kernels are looked up in the catalogue; views in `views` (keys).
Result<Lesson> parseLesson(const QByteArray& json, const QString& fileName, const QStringList& views);
Result<Lesson> readLesson(const QString& path, const QStringList& views);

// The lessons (*.json) of a folder by their order; those that have none, or cannot be read, at the end.
QStringList lessonPaths(const QString& folder);
inline QStringList builtInLessonPaths() {
    return lessonPaths(QStringLiteral(":/lessons"));
}

} // namespace warpglass
