// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of the window, built once and owned by it: a bar above, the transport below, between them three columns (what
// to run; the views; the code). The outer two are docks: they fold away, and stand where a person puts them. Features put
// their panels into it.
#pragma once

#include "app/window/model/window_mode.h"
#include "app/window/panels/side_rail.h"
#include "app/window/panels/view_area.h"
#include "app/window/play/transport_bar.h"
#include "app/window/sides/side_dock.h"
#include "app/window/top/top_bar.h"

#include <QMainWindow>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace warpglass {

constexpr int smallScreen = 1440; // this wide, or less: the window begins on all of it

struct WindowParts {
    QWidget* central;
    TopBar* top;
    TransportBar* transport;
    QMainWindow* columns; // a window within the window, for its docks
    SideDock *leftDock, *rightDock;

    SideRail *leftRail, *rightRail; // in place of a side that is folded away: a press brings it back

    QWidget* left;
    QSplitter* leftSplit;
    QTabWidget* leftTabs;
    QWidget* launch = nullptr; // its fields, below

    QSplitter* middle;
    ViewArea* views;

    QWidget* right;
    QSplitter* rightSplit;
    QWidget* code;
    QTabBar* sourceTabs; // source, PTX, and what features add
    ViewWidget* source;
    QWidget* facts = nullptr; // of the chosen warp, below

    void addPage(QWidget* page) const;           // in place of the columns, while it is shown
    void addCode(QWidget* panel, int tab) const; // in place of the source, while that tab is in front
};

WindowParts buildParts(QMainWindow* window, SelectionModel* selection);
void finish(WindowParts& parts); // once the features' panels are in it

void apply(const WindowParts& parts, const Seen& seen);
void fitRails(const WindowParts& parts, const Seen& seen); // once a side is folded, or not any more
void retranslate(const WindowParts& parts);                // what no part says itself
void setTheme(const WindowParts& parts, const Theme& theme);

} // namespace warpglass
