// SPDX-License-Identifier: GPL-3.0-or-later
// A feature of the window: a folder with its panel, its actions and its state. The window knows a list of them
// (features.cpp) and no more; a feature knows the shell, and another feature only where it is built upon it.
//
// All of these may be left out. What grants a wish is asked in the order of the list, and the first that says true has it.
#pragma once

#include "app/window/action_set.h"
#include "app/window/shell.h"

#include <QObject>

class QKeyEvent;
class QSettings;

namespace warpglass {

struct PaletteItem;
struct SessionMemory;

class Feature : public QObject {
public:
    explicit Feature(Shell& shell); // makes its panel in the shell's frame
    ~Feature() override;

    virtual ActionSet::Deeds deeds() { return {}; } // what its actions do, by their names in model/actions.h
    virtual void connectAll() {}                    // once, when all features and actions are there

    virtual void refresh() {} // another mode, or something else is open
    virtual void retranslate() {}
    virtual void setLanguage(const QString& /*language*/) {}
    virtual void setTheme(const Theme& /*theme*/) {}
    virtual void offer(QVector<PaletteItem>& /*items*/) {} // what can be had by its name

    virtual bool open(const QString& /*path*/) { return false; }
    virtual bool launch(const RunRequest& /*request*/) { return false; } // as the launch panel says it
    virtual bool grant(const QString& /*wish*/) { return false; }        // of a view: "openResult:3"
    virtual bool step(int /*direction*/) { return false; }               // what a presenter's remote presses
    virtual bool escape() { return false; }
    virtual bool press(const QKeyEvent& /*key*/) { return false; } // one that no widget wanted
    virtual bool takeKeys() { return false; }                      // the keys mean what is in front
    virtual void halt() {}                                         // whatever it has running

    virtual void readSettings(const QSettings& /*settings*/) {}
    virtual void writeSettings(QSettings& /*settings*/) {}
    virtual void remember(SessionMemory& /*memory*/) const {} // what was open
    virtual bool resume(const SessionMemory& /*memory*/) { return false; }
    virtual bool mayClose() { return true; }
    virtual void close() {}

protected:
    const RunPtr& current() const { return m_bench->current(); }
    const RunPtr& other() const { return m_bench->other(); }
    QAction* action(const char* name) const { return m_shell.action(QLatin1String(name)); }

    Shell& m_shell;
    Workbench* const m_bench;
    ProgramDesk* const m_programs;
    WindowParts* const m_parts;
};

} // namespace warpglass
