// SPDX-License-Identifier: GPL-3.0-or-later
// Pin and type: the run that is pinned as A, what each run since has become of it (the line over the editor, the marks
// beside it, A's shadow in every view), the runs to pin from, and the way back through runs together with their text.
#pragma once

#include "app/window/model/pad.h"
#include "app/window/shell.h"

#include <QObject>

#include <map>
#include <memory>

namespace warpglass {

class PadPanel;

class PinDesk : public QObject {
    Q_OBJECT
public:
    PinDesk(Shell& shell, PadPanel* panel);
    void connectAll();
    void pinOrLetGo();
    void refresh(); // the line, marks, shadows and the strip
    void setTheme(const Theme& theme);

signals:
    void textFollowed(); // the pad shows the text of the run that is open again

private:
    void pin(const RunPtr& run);
    void opened();
    void wentBack();
    void go(bool back); // in the editor: a run, or what was typed
    void lookAtView();
    QString nameOf(const RunPtr& run) const;
    void fillStrip();

    Shell& m_shell;
    Workbench* const m_bench;
    PadPanel* const m_panel;
    QString m_text, m_textBefore; // of the open run of the pad's, and of the one before it
    std::map<std::weak_ptr<const Run>, PadSettings, std::owner_less<>>
        m_settings; // what runs of the pad's were launched with
};

} // namespace warpglass
