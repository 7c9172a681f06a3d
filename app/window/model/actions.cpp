// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/actions.h"

#include <QObject>

#include <algorithm>
#include <iterator>

namespace warpglass {

namespace {

constexpr auto Toggle = ActionKind::Check;
constexpr auto Radio = ActionKind::Radio;
constexpr auto Plain = ActionKind::Plain;
constexpr bool ruled = true;

using M = MenuPlace;
using N = Needs;

// clang-format off
constexpr ActionRow table[] = {
    {"new", QT_TR_NOOP("Write a kernel"), "Ctrl+N", M::File},
    {"open", QT_TR_NOOP("Open a trace or a kernel…"), "Ctrl+O", M::File},
    {"recent", QT_TR_NOOP("Open recent"), "", M::File, N::Nothing, ActionKind::SubMenu},
    {"save", QT_TR_NOOP("Save the trace as…"), "Ctrl+S", M::File, N::Trace},
    {"saveKernel", QT_TR_NOOP("Save your kernel"), "", M::File},
    {"savePart", QT_TR_NOOP("Save the visible part as…"), "Ctrl+Shift+S", M::File, N::Trace},
    {"export", QT_TR_NOOP("Export this view…"), "Ctrl+E", M::File, N::Picture, Plain, ruled},
    {"exportAll", QT_TR_NOOP("Export all views…"), "Ctrl+Shift+E", M::File, N::Trace},
    {"report", QT_TR_NOOP("Write a report…"), "Ctrl+Shift+R", M::File, N::Trace},
    {"film", QT_TR_NOOP("Make a film…"), "Ctrl+Shift+F", M::File, N::Trace},
    {"page", QT_TR_NOOP("Make a web page that plays…"), "", M::File, N::Trace},
    {"copy", QT_TR_NOOP("Copy the picture"), "Ctrl+Shift+C", M::File, N::Picture},
    {"copyNumbers", QT_TR_NOOP("Copy the numbers"), "Ctrl+Alt+C", M::File, N::Picture},
    {"print", QT_TR_NOOP("Print…"), "Ctrl+Alt+P", M::File, N::Picture},
    {"quit", QT_TR_NOOP("Quit"), "Ctrl+Q", M::File, N::Nothing, Plain, ruled},

    {"run", QT_TR_NOOP("Run again"), "Ctrl+R", M::Run, N::Request},
    {"gpu", QT_TR_NOOP("Run on the GPU"), "Ctrl+G", M::Run, N::Request},
    {"compare", QT_TR_NOOP("Compare"), "Ctrl+D", M::Run, N::Trace, Toggle},
    {"pin", QT_TR_NOOP("Pin this run as A"), "Ctrl+Shift+D", M::Run, N::Trace, Toggle},
    {"sweep", QT_TR_NOOP("Sweep and compare…"), "Ctrl+Shift+W", M::Run},
    {"stop", QT_TR_NOOP("Stop"), "", M::Run},
    {"as-written", QT_TR_NOOP("Run compiled as written"), "", M::Run, N::Nothing, Plain, ruled},
    {"accesses", QT_TR_NOOP("Run and record accesses"), "", M::Run},
    {"detail", QT_TR_NOOP("Run and record all blocks"), "", M::Run},
    {"undo", QT_TR_NOOP("Back to the run before"), "Ctrl+Z", M::Run, N::Undo, Plain, ruled},
    {"redo", QT_TR_NOOP("On to the run after"), "Ctrl+Shift+Z", M::Run, N::Redo},
    {"timing", QT_TR_NOOP("Run and model cycles"), "", M::Run, N::Nothing, Plain, ruled, "timing model 时序模型 计时"},
    {"why", QT_TR_NOOP("Ask what the time is spent on"), "", M::Run, N::Trace},
    {"who", QT_TR_NOOP("Ask who used this word of memory"), "Ctrl+U", M::Run, N::Trace},
    {"policies", QT_TR_NOOP("Compare scheduling policies"), "Ctrl+P", M::Run},

    {"play", QT_TR_NOOP("Play or pause"), "Space", M::Play},
    {"reverse", QT_TR_NOOP("Play backward"), "Shift+Space", M::Play},
    {"stepBack", QT_TR_NOOP("One moment back"), "[", M::Play},
    {"stepForward", QT_TR_NOOP("One moment on"), "]", M::Play},
    {"previousEvent", QT_TR_NOOP("Previous event of the warp"), ",", M::Play},
    {"nextEvent", QT_TR_NOOP("Next event of the warp"), ".", M::Play},
    {"toStart", QT_TR_NOOP("To the start"), "Shift+Home", M::Play},
    {"toEnd", QT_TR_NOOP("To the end"), "Shift+End", M::Play},
    {"slower", QT_TR_NOOP("Slower"), "-", M::Play, N::Nothing, Plain, ruled},
    {"faster", QT_TR_NOOP("Faster"), "+ =", M::Play},
    {"loop", QT_TR_NOOP("Loop"), "L", M::Play},
    {"still", QT_TR_NOOP("Without motion"), "", M::Play, N::Nothing, Toggle, ruled},

    {"follow", QT_TR_NOOP("Follow this thread"), "T", M::Play, N::Trace},
    {"predict", QT_TR_NOOP("Predict, then play"), "F6", M::Play, N::Nothing, Toggle, ruled},

    {"home", QT_TR_NOOP("Start page"), "Alt+Home", M::Go},
    {"back", QT_TR_NOOP("Back"), "Alt+Left", M::Go, N::Back},
    {"forward", QT_TR_NOOP("Forward"), "Alt+Right", M::Go, N::Forward},
    {"program", QT_TR_NOOP("To the program and back"), "Alt+Up", M::Go, N::Program},
    {"palette", QT_TR_NOOP("Everything by its name…"), "Ctrl+K", M::Go},
    {"views", QT_TR_NOOP("Views"), "", M::Go, N::Nothing, ActionKind::SubMenu},
    {"find", QT_TR_NOOP("Find a kernel"), "Ctrl+F", M::Go},
    {"lessons", QT_TR_NOOP("Lessons and exercises"), "", M::Go},
    {"previousStep", QT_TR_NOOP("Previous step of the lesson"), "PgUp", M::Go, N::Nothing, Plain, ruled},
    {"nextStep", QT_TR_NOOP("Next step of the lesson"), "PgDown", M::Go},
    {"askAgain", QT_TR_NOOP("Ask the step's question again"), "", M::Go},
    {"endLesson", QT_TR_NOOP("End the lesson"), "", M::Go},
    {"present", QT_TR_NOOP("Present"), "F5 F11", M::Go, N::Nothing, Plain, ruled},
    {"replay", QT_TR_NOOP("Presenting: play from the start"), "R", M::Go, N::Presenting},
    {"spotlight", QT_TR_NOOP("Presenting: spotlight"), "H", M::Go, N::Presenting, Toggle},
    {"pen", QT_TR_NOOP("Presenting: pen that vanishes"), "P", M::Go, N::Presenting, Toggle},
    {"blackout", QT_TR_NOOP("Presenting: black screen"), "B", M::Go, N::Presenting, Toggle},
    {"presentCode", QT_TR_NOOP("Presenting: code beside the view"), "C", M::Go, N::Presenting, Toggle},
    {"presenterNotes", QT_TR_NOOP("Presenting: notes and clock"), "N", M::Go, N::Presenting, Toggle},

    {"learn", QT_TR_NOOP("Learn"), "Alt+1", M::Panels, N::Nothing, Radio},
    {"explore", QT_TR_NOOP("Explore"), "Alt+2", M::Panels, N::Nothing, Radio},
    {"build", QT_TR_NOOP("Build"), "Alt+3", M::Panels, N::Nothing, Radio},
    {"sides", QT_TR_NOOP("Fold both sides away"), "F4", M::Panels, N::Nothing, Plain, ruled},
    {"leftSide", QT_TR_NOOP("Kernels and launch"), "Shift+F4", M::Panels, N::Nothing, Toggle},
    {"rightSide", QT_TR_NOOP("Source and warp"), "Ctrl+F4", M::Panels, N::Nothing, Toggle},
    {"launchFields", QT_TR_NOOP("Fields of the launch"), "Ctrl+Shift+L", M::Panels, N::Nothing, Toggle},
    {"warpFacts", QT_TR_NOOP("Facts of the chosen warp"), "", M::Panels, N::Nothing, Toggle},
    {"allOfTime", QT_TR_NOOP("All buttons of time"), "", M::Panels, N::Nothing, Toggle},
    {"sidesAtFirst", QT_TR_NOOP("As they were at first"), "", M::Panels, N::Nothing, Plain, ruled},

    {"theme_light", QT_TR_NOOP("Light"), "", M::Theme, N::Nothing, Radio},
    {"theme_dark", QT_TR_NOOP("Dark"), "", M::Theme, N::Nothing, Radio},
    {"theme_print", QT_TR_NOOP("For print"), "", M::Theme, N::Nothing, Radio},
    {"theme_projector", QT_TR_NOOP("For a projector"), "", M::Theme, N::Nothing, Radio},
    {"larger", QT_TR_NOOP("Larger type"), "Ctrl++ Ctrl+=", M::Theme, N::Nothing, Plain, ruled},
    {"smaller", QT_TR_NOOP("Smaller type"), "Ctrl+-", M::Theme},
    {"usual", QT_TR_NOOP("Usual type"), "Ctrl+0", M::Theme},

    // each language under its own name, whatever language is shown
    {"language_en", "English", "", M::Language, N::Nothing, Radio, false, "language English 语言 英文 英语"},
    {"language_zh_CN", "\xe7\xae\x80\xe4\xbd\x93\xe4\xb8\xad\xe6\x96\x87", "", M::Language, N::Nothing, Radio, false, "language Chinese 语言 中文"},

    {"guide", QT_TR_NOOP("Guide"), "", M::Help},
    {"tour", QT_TR_NOOP("A tour of the window"), "", M::Help},
    {"claims", QT_TR_NOOP("Claims of text books, checked"), "", M::Help},
    {"keys", QT_TR_NOOP("Keys"), "? F1", M::Help},
    {"about", QT_TR_NOOP("About Warpglass"), "", M::Help},

    {"menu", QT_TR_NOOP("Menu"), "F10"},
};

constexpr KeyRow others[] = {
    {QT_TR_NOOP("Ctrl+1 to Ctrl+9"), QT_TR_NOOP("the views")},
    {QT_TR_NOOP("arrows, W A S D"), QT_TR_NOOP("move in the view")},
    {QT_TR_NOOP("Left, Right (Shift, Ctrl)"), QT_TR_NOOP("in the scheduler: by cycle (instruction, barrier)")},
    {QT_TR_NOOP("Right, Left"), QT_TR_NOOP("in why: to the lines that pay, and back to the bars")},
    {QT_TR_NOOP("wheel, drag"), QT_TR_NOOP("zoom at the pointer, move")},
    {"F", QT_TR_NOOP("frame the selection")},
    {QT_TR_NOOP("Home"), QT_TR_NOOP("show everything")},
    {QT_TR_NOOP("Ctrl+wheel"), QT_TR_NOOP("in the timeline: higher and lower rows")},
    {QT_TR_NOOP("Shift+wheel"), QT_TR_NOOP("in the timeline: up and down; in code: to the side")},
    {QT_TR_NOOP("drag on the ruler"), QT_TR_NOOP("in the timeline: measure a time")},
    {"B", QT_TR_NOOP("in the timeline: a bookmark at this moment")},
    {QT_TR_NOOP("E, Delete"), QT_TR_NOOP("write a note at the bookmark; remove it")},
    {"N, Shift+N", QT_TR_NOOP("next and previous bookmark")},
    {QT_TR_NOOP("Esc"), QT_TR_NOOP("stop a run, leave presenting")},
};
// clang-format on

} // namespace

const char* title(MenuPlace menu) {
    switch (menu) {
    case MenuPlace::File:
        return QT_TR_NOOP("File");
    case MenuPlace::Run:
        return QT_TR_NOOP("Run");
    case MenuPlace::Play:
        return QT_TR_NOOP("Play");
    case MenuPlace::Go:
        return QT_TR_NOOP("Go");
    case MenuPlace::Panels:
        return QT_TR_NOOP("Panels");
    case MenuPlace::Theme:
        return QT_TR_NOOP("Theme");
    case MenuPlace::Language:
        return "Language \xc2\xb7 \xe8\xaf\xad\xe8\xa8\x80"; // in both, for who cannot read the one shown
    case MenuPlace::Help:
        return QT_TR_NOOP("Help");
    case MenuPlace::None:
        break;
    }
    return "";
}

std::span<const ActionRow> actionTable() {
    return table;
}

const ActionRow* findAction(const QString& name) {
    const auto at = std::find_if(std::begin(table), std::end(table),
                                 [&](const ActionRow& row) { return name == QLatin1String(row.name); });
    return at == std::end(table) ? nullptr : at;
}

QString viewAction(int index) {
    return QStringLiteral("view_%1").arg(index);
}

std::span<const KeyRow> otherKeys() {
    return others;
}

} // namespace warpglass
