// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of the main window, built once and owned by it: a bar above, the transport below, between them three
// columns (what to run; the views and the differences; source and warp). The outer two are docks: they fold away, and
// stand where a person puts them. A whole program has a page in their place.
#pragma once

#include "app/window/claims/claims_panel.h"
#include "app/window/compare/compare_panel.h"
#include "app/window/gallery/gallery_panel.h"
#include "app/window/launch/launch_panel.h"
#include "app/window/lesson/lessons_panel.h"
#include "app/window/pad/pad_panel.h"
#include "app/window/panels/view_area.h"
#include "app/window/play/transport_bar.h"
#include "app/window/program/program_page.h"
#include "app/window/sides/side_dock.h"
#include "app/window/start/start_page.h"
#include "app/window/top/top_bar.h"
#include "app/window/warp/warp_panel.h"

#include <QMainWindow>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

namespace warpglass {

constexpr int smallScreen = 1440; // this wide, or less: the window begins on all of it

struct WindowParts {
    TopBar* top;
    TransportBar* transport;
    QMainWindow* columns; // a window within the window, for its docks
    SideDock *leftDock, *rightDock;

    QWidget* left;
    QSplitter* leftSplit;
    QTabWidget* leftTabs;
    GalleryPanel* gallery;
    LessonsPanel* lessons;
    ClaimsPanel* claims;
    LaunchPanel* launch;

    QSplitter* middle;
    ViewArea* views;
    ComparePanel* differences;

    QWidget* right;
    QSplitter* rightSplit;
    QTabBar* sourceTabs; // source, PTX, pad
    ViewWidget* source;
    PadPanel* pad;
    WarpPanel* warp;

    ProgramPage* program; // in place of columns and transport while it is in front
    StartPage* start;     // the same
};

WindowParts buildParts(QMainWindow* window, SelectionModel* selection);

// Both sides folded away, or both there: what F4 does.
void foldSides(const WindowParts& parts);
// As the window was at first.
void resetSides(const WindowParts& parts);

// The pad in front, and room for it.
void showPad(const WindowParts& parts);

// The program's page in front, or a launch's columns.
void showProgram(const WindowParts& parts, bool program);
// The start page in front of all of them.
void showStart(const WindowParts& parts);

void retranslate(const WindowParts& parts); // what no part says itself
void setLanguage(const WindowParts& parts, const QString& language);
void setTheme(const WindowParts& parts, const Theme& theme);
// The class room: nothing but the view and the step's text.
void setPresenting(const WindowParts& parts, bool presenting);

} // namespace warpglass
