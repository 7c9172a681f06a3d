// SPDX-License-Identifier: GPL-3.0-or-later
// Who read and wrote a word of memory: of a cell that is clicked, or of what the chosen lane accesses now. The answer is a menu,
// the last use first; each leads to its place in the trace. Of a variable of the source it is a table of its values.
#pragma once

#include "app/session/who.h"
#include "app/window/feature.h"
#include "views/common/job.h"

namespace warpglass {

class WhoFeature : public Feature {
    Q_OBJECT
public:
    explicit WhoFeature(Shell& shell);

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    bool grant(const QString& wish) override; // "who:0x7f0000100044"
    void halt() override { m_job.cancel(); }
    void setTheme(const Theme& theme) override { m_theme = theme; }

private:
    void ask(const QString& word);
    void show(const session::Who& who);
    void showValues(const session::Who& who);

    Job m_job;
    Theme m_theme;
    QPoint m_at; // of the screen, where it was asked
};

} // namespace warpglass
