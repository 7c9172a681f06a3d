// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs beside each other: what is set beside what is open, the table of what they differ in, how each is called in the
// views; and what lies under or over a launch: its recording on a GPU, another profiler's ranges.
#pragma once

#include "app/window/compare/compare_panel.h"
#include "app/window/feature.h"
#include "app/window/model/ghosts.h"
#include "views/common/picture.h"

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
    bool open(const QString& path) override; // another profiler's ranges, over what is open
    void setTheme(const Theme& theme) override { m_panel->setTheme(theme); }

private:
    void compareOrStop();
    void compareWithFile();
    void fillMenu(QMenu* menu);
    void showOpened();
    void findGhost();
    void showLayer();
    void fillTable();
    void nameSides();                                                // of two runs of one kernel, in every view
    QString sideName(const RunPtr& run, const RunPtr& beside) const; // "run 3: block 128": in what it differs
    void exportTable();
    void check(); // the action says whether there are two, whatever came of a wish

    ComparePanel* m_panel;
    Ghosts m_ghosts;
    Job m_ghostJob, m_layerJob;
    ScopesPtr m_layer; // stays for the next runs of its kernel; null: none
};

} // namespace warpglass
