// SPDX-License-Identifier: GPL-3.0-or-later
// A view, a comparison or a lesson as one HTML file that plays without a network: on a pupil's own machine, from a mail
// or a stick. What it shows was painted by the views at the beats of their pictures, in both languages and in the light
// and the dark theme (page_frames.h); the page itself knows steps and frames, and nothing of kernels.
//
// The file asks for nothing: its one script and its one style are named by their hashes in a content security policy that
// allows no other and no connection. Texts become text nodes, and of drawings only shapes and words are let in.
#pragma once

#include "app/window/export/lesson_steps.h"
#include "views/common/view.h"

#include <QSize>

namespace warpglass {

struct PageStep {
    LocalText title, text; // empty where a view is shown for itself
    std::optional<LessonQuestion> ask;
    QString code;  // the kernel's source
    LocalText run; // which launch it is
    QString view;
    PaintContext context; // without a theme: the page has two
    bool numbers = false; // of its run, or of both, as a table, with the commands that make the page again
};

struct PageRequest {
    LocalText title, summary;
    QVector<PageStep> steps;
    QSize size{1120, 640}; // of the drawings
};

// What the page is made of, for who tells of it.
struct PageMade {
    int frames = 0;   // of all steps, in one language and one theme
    qint64 bytes = 0; // of the file
    int most = 0;     // frames that a step may have
    int left = 0;     // steps that show only some of their beats, so that the file stays small
};

// What a step's picture plays, at most so many moments of it: its beats, or those of the trace where it has none, each
// shown done, the last one at rest. Empty: nothing in it changes with time.
struct PageMoments {
    std::vector<ScorePoint> points;
    std::vector<ScorePoint> between; // on the way from each point but the last to the next one, so many for each:
    int betweenEach = 0;             // 0 where nothing moves
    std::vector<double> weights;     // how long each lasts beside the others
    std::size_t all = 0;             // before any were left out
    TimeRange range;
};
PageMoments pageMoments(const View& view, const PaintContext& context, QSize size, std::size_t most, Progress& progress,
                        bool moving = false);

PageRequest pageOf(const Lesson& lesson, const QVector<StepShown>& steps);
// A view for itself; of two runs where the context has two.
PageRequest pageOf(const QString& view, const PaintContext& context);

// Empty, or a sentence that says why not; then no file is left. Speaks both languages whatever the program's is, and may
// be called from any thread.
QString writePage(const PageRequest& request, const QString& path, Progress& progress, PageMade* made = nullptr);

} // namespace warpglass
