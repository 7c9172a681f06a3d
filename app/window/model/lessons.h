// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons: a few steps, each with a text, a kernel to run, a view to show it in, what to point at, a question to answer
// before looking, and what must be true of the run for the text to be true.
//
// A lesson is one JSON file (resources/lessons; anybody can write one; docs/lessons.md is its guide):
//   { "format": 1, "name": "one-warp-two-paths", "order": 10,
//     "title": {"en": "...", "zh_CN": "..."}, "summary": {...},
//     "steps": [ { "title": {...}, "text": {...}, "notes": {...},
//                  "run":     { "kernel": "mathKernel1", "size": 64, "grid": "1", "block": "64", "mode": "as-written",
//                               "set": {"threshold": 20}, "device": "h200", "accesses": false, "timing": false },
//                  "compare": { same as run }, "view": "lanes", "options": {"layer": "source"},
//                  "select": "block=0,warp=0,line=10,time=50%",
//                  "ask": { "question": {...}, "choices": [{...}, {...}], "right": 2, "answer": {...} },
//                  "predict": { "truth": "0x55555555", "answer": {...} },
//                  "expect": [ "divergent[line 26] = 2", "check = ok" ] } ] }
// "order" says where the lesson stands among those of the program: a number that no other has, the smallest first. A
// lesson without it stands behind them. Everything in "run" but the kernel may be left out; "file" in it is a kernel's
// file beside the lesson, "recording" one of a run. A step without "run" goes on with the trace of the step before; one
// without "compare" shows one trace. Notes are for the teacher and hidden in presentation mode. In place of choices an
// answer may be a "number", or "lanes", a mask. With "predict" the view itself asks in the window. Expectations are those of app/session/expectation.h.
#pragma once

#include "app/session/expectation.h"
#include "app/window/model/run.h"
#include "views/common/prediction.h"

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

// What is shown of a text: `code` without its marks.
inline QString shownText(QString text) {
    return text.remove(QLatin1Char('`'));
}

// A prediction that the view itself asks for (views/common/prediction.h): the first one after the step's time.
struct LessonPrediction {
    LocalText answer; // what is said once it has been checked
    QString truth;    // what is painted then, as Guess writes it, or a mask of lanes: "0x55555555"
    Guess guess() const;
};

// A question with one right answer: one of the choices, a number, or lanes.
struct LessonQuestion {
    LocalText question, answer; // answer: what is said once somebody has answered
    QVector<LocalText> choices; // empty: a number or lanes are asked for
    int right = -1;             // of the choices
    std::optional<double> number;
    std::optional<LaneMask> lanes;

    bool isRightNumber(double given) const; // as far as a person writes it
};

struct LessonExpectation {
    session::Expectation expectation;
    int line = 0; // of the file
};

struct LessonStep {
    LocalText title, text, notes;
    std::optional<RunSource> run, compare;
    QString view;
    QMap<QString, QVariant> options;
    QString select; // as select_spec.h
    std::optional<LessonQuestion> ask;
    std::optional<LessonPrediction> predict;
    QVector<LessonExpectation> expectations;
    int line = 0; // of the file, 0: unknown
};

struct Lesson {
    QString name;
    std::optional<int> order;
    LocalText title, summary;
    QVector<LessonStep> steps;
};

// Error: one sentence with the place: line and column for broken JSON, line and path ("steps[2].run.kernel") for a
// wrong value. Kernels are looked up in the catalogue, views in `views` (keys), files of kernels and recordings in
// `folder`, recordings among those of the program, too.
Result<Lesson> parseLesson(const QByteArray& json, const QString& fileName, const QStringList& views,
                           const QString& folder = {});
Result<Lesson> readLesson(const QString& path, const QStringList& views);

// The lessons (*.json) of a folder by their order; those that have none, or cannot be read, at the end.
QStringList lessonPaths(const QString& folder);
inline QStringList builtInLessonPaths() {
    return lessonPaths(QStringLiteral(":/lessons"));
}

} // namespace warpglass
