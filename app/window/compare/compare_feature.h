// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs beside each other: what is set beside what is open, the table of what they differ in, how each is called in the
// views; and the recording of a GPU that lies under a modelled launch.
#pragma once

#include "app/window/compare/compare_panel.h"
#include "app/window/feature.h"
#include "app/window/model/ghosts.h"

namespace warpglass {

class CompareFeature : public Feature {
    Q_OBJECT
public:
    explicit CompareFeature(Shell& shell);
    ComparePanel& differences() { return *m_panel; }

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void refresh() override;
    void setLanguage(const QString& language) override;
    void setTheme(const Theme& theme) override { m_panel->setTheme(theme); }

private:
    void compareOrStop();
    void compareWithFile();
    void fillMenu(QMenu* menu);
    void showOpened();
    void findGhost();
    void fillTable();
    void nameSides();                                                // of two runs of one kernel, in every view
    QString sideName(const RunPtr& run, const RunPtr& beside) const; // "run 3: block 128": in what it differs
    void exportTable();
    void check(); // the action says whether there are two, whatever came of a wish

    ComparePanel* m_panel;
    Ghosts m_ghosts;
    Job m_ghostJob;
};

} // namespace warpglass
