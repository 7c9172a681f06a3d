// SPDX-License-Identifier: GPL-3.0-or-later
// The run as it plays in a view, as pictures or as a film. A frame is a page as every exported picture is, with the
// moment at its foot. Films are made by ffmpeg, as a process, where it is installed; a GIF (gif.h) and pictures
// need nothing.
#pragma once

#include "gpu/base/progress.h"
#include "views/common/view.h"

namespace warpglass {

struct FilmRequest {
    QString view;         // as makeView takes it
    PaintContext context; // its time is where the film goes along
    QString output;       // .mp4, .webm, .mkv or .gif; anything else is a folder for frame-00001.png and so on
    QSize size{1280, 720};
    double seconds = 10;
    int fps = 25;
    bool still = false; // nothing moves between two moments
};

bool isFilm(const QString& output); // by its ending; else a folder
QString ffmpegPath();               // empty if it is not installed
int frameCount(const FilmRequest& request);
// The moments of the run, or of its visible part if one was chosen; of both where two are compared.
std::vector<Time> shownMoments(const PaintContext& context, Progress& progress);
// The moments the frames show, from the first to the last of the run (of the visible part, if one was chosen): playing
// steps from event to event, so a film does, too. Two compared traces give the moments of both.
std::vector<Time> frameTimes(const FilmRequest& request, Progress& progress);
// The same for a picture that says what there is to play in it: its beats laid end to end. Without beats, frameTimes.
std::vector<ScorePoint> framePoints(const FilmRequest& request, const std::vector<Beat>& beats, Progress& progress);

// Empty, or a sentence that says why not (also when cancelled: what was begun is removed, but finished pictures stay).
QString makeFilm(const FilmRequest& request, Progress& progress);

} // namespace warpglass
