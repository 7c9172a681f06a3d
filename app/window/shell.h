// SPDX-License-Identifier: GPL-3.0-or-later
// What the features of the window stand on: what is open (workbench, program), the frame with the views, the actions, the
// look, and the one mode that decides what is seen. A feature tells the shell what it is at and hears of the others by the
// shell's signals.
#pragma once

#include "app/window/language.h"
#include "app/window/model/program_desk.h"
#include "app/window/model/window_mode.h"
#include "app/window/model/workbench.h"
#include "views/common/theme.h"

#include <QAction>
#include <QMainWindow>

#include <functional>
#include <memory>
#include <vector>

class QKeyEvent;

namespace warpglass {

class ActionSet;
class Feature;
class MessageBar;
class ViewWidget;
struct WindowParts;

// What stands in the middle of the window in place of a launch's columns.
struct PageParts {
    QWidget* widget = nullptr;
    MessageBar* message = nullptr;
    ViewWidget* view = nullptr;    // null: none
    std::function<void(int)> step; // to its next or previous event; empty: it has none
};

class Shell : public QObject {
    Q_OBJECT
public:
    explicit Shell(QMainWindow* window);
    ~Shell() override;
    void start(); // once all features are there

    QMainWindow* const window;
    Workbench* const bench;
    ProgramDesk* const programs;
    const std::unique_ptr<WindowParts> parts;
    Language language;
    Theme theme = Theme::make(ThemeKind::Light);
    qreal fontScale = 1.0; // at the desk

    void add(std::unique_ptr<Feature> feature);
    const std::vector<std::unique_ptr<Feature>>& features() const { return m_features; }
    template <class T>
    T& feature() const {
        for (const auto& one : m_features)
            if (auto* found = dynamic_cast<T*>(one.get()))
                return *found;
        qFatal("the window has no such feature");
    }
    ActionSet& actions() const { return *m_actions; }
    QAction* action(const QString& name) const; // of model/actions.h; null if there is none

    // The mode
    const Situation& now() const { return m_now; }
    const Seen& seen() const { return seenIn(modeOf(m_now)); }
    void become(const Situation& next);
    void arrange(Arrangement arrangement); // for what a person turns to
    void addPage(Front page, PageParts parts);
    void showPage(Front page);
    void leaveStart();                        // for what was there before
    Front behind() const { return m_behind; } // the start page
    MessageBar* message() const;              // of the page in front
    void clearNotes();                        // of all pages
    ViewWidget* view() const;                 // in front; null: there is none
    bool stepInPage(int direction);
    void refresh(); // something else is open, or its name is another
    void refreshActions();
    void focusView(); // keys mean what is in front

    // Wishes that concern more than one
    void open(const QString& path);
    void wish(const QString& name); // of a view: an action, another view, a choice of its own
    void step(int direction);       // what a presenter's remote presses: of a lesson, a prediction, or in time
    void fail(const Error& error);
    void tellMissingWalls();                           // once, after a stranger's kernel has run
    void goElsewhere() { emit elsewhere(); }           // before something else is asked for
    void use(const QString& path) { emit used(path); } // a file was opened, or written
    void setLanguage(const QString& name);
    void retranslate();
    void readSettings();
    void writeSettings();
    bool busy() const { return bench->busy() || programs->busy(); }

signals:
    void leavesPlace(); // what was arranged by hand in it can still be read
    void elsewhere();
    void used(const QString& path);
    void failed(); // its sentence is on the screen
    void pageChanged();
    void sizeOfTypeChanged(); // with who looks: a class, or one person
    void resized(const QSize& before);
    void settingsRead();
    void shown(); // a job's answer is on the screen

private:
    bool turnTo(Front page);
    void apply();
    void connectBench();
    void showOpened();

    std::vector<std::unique_ptr<Feature>> m_features;
    std::unique_ptr<ActionSet> m_actions;
    Situation m_now;
    Front m_behind = Front::Launch; // the start page
    PageParts m_pages[3];
    bool m_turned = false; // to the launch, for what has just been opened
    bool m_toldWalls = false;
};

} // namespace warpglass
