// SPDX-License-Identifier: GPL-3.0-or-later
// What a person can do in the window, as a table: from it menus, shortcuts, the help about keys and what is enabled are
// all made (action_set.h). To add an action: a row here, what it does in its feature's deeds() (app/window/feature.h), its
// Chinese text.
//
// Rows of a menu stand in the menu's order.
#pragma once

#include <QString>

#include <cstdint>
#include <span>

namespace warpglass {

enum class MenuPlace : std::uint8_t { None, File, Run, Play, Go, Panels, Theme, Language, Help };
const char* title(MenuPlace menu); // English; None has none

enum class ActionKind : std::uint8_t {
    Plain,
    Check,   // on or off
    Radio,   // one of the rows of its menu that are Radio
    SubMenu, // filled when it opens; does nothing itself
};

// What must be there for an action to be possible.
enum class Needs : std::uint8_t {
    Nothing,
    Trace,   // anything is open
    Picture, // a view has something to show: a launch's, or a program's
    Program, // a whole program is open
    Request, // a launch is open that can be run again
    Back,    // of the selection's history
    Forward,
    Undo, // of the history of runs
    Redo,
    Presenting,
};

struct ActionRow {
    const char* name;
    const char* text;      // English
    const char* keys = ""; // portable, several divided by a blank: "Ctrl++ Ctrl+="
    MenuPlace menu = MenuPlace::None;
    Needs needs = Needs::Nothing;
    ActionKind kind = ActionKind::Plain;
    bool line = false;      // a line above it in the menu
    const char* words = ""; // by which the palette finds it besides its text, in both languages
};
std::span<const ActionRow> actionTable();
const ActionRow* findAction(const QString& name); // null if there is none

// The views by number are actions, too ("view_0" is Ctrl+1), but as many as there are views.
inline constexpr int numberedViews = 9;
QString viewAction(int index);

// Keys and mouse that are no actions, for the help about keys. English, both.
struct KeyRow {
    const char* keys;
    const char* text;
};
std::span<const KeyRow> otherKeys();

} // namespace warpglass
