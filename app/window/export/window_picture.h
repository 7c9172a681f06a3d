// SPDX-License-Identifier: GPL-3.0-or-later
// `warpglass window`: the whole window as a picture, for documents such as the README. It is the real window, off-screen
// and with settings of its own, so that a picture never shows what a person had open before.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

namespace warpglass {

struct WindowPictureRequest {
    QString output;      // .png
    QString file;        // a trace; else a lesson
    QString lesson;      // name of a built-in lesson
    int step = 1;        // of the lesson, from 1
    bool asking = false; // before its question is answered
    bool start = false;  // the start page, and nothing open
    int tour = 0;        // a station of the tour, from 1; 0: none
    QStringList actions; // by their names in model/actions.h, done before the picture is taken
    double fontScale = 1.0;
    QString view, select; // empty: what the window shows by itself; select as select_spec.h
    QSize size{1600, 900};
    QString theme = QStringLiteral("light");
    QString language = QStringLiteral("en");
};

// 0 done, 1 the picture could not be made, 2 the request or the file is wrong. The sentence goes to standard error.
int windowPicture(const WindowPictureRequest& request);

} // namespace warpglass
