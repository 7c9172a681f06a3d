// SPDX-License-Identifier: GPL-3.0-or-later
// How the open kernel is launched, and running it again: as it was, on a GPU, compiled otherwise, with more recorded, in
// modelled time, under each scheduling policy; and back to the run before.
#pragma once

#include "app/window/feature.h"
#include "app/window/launch/launch_panel.h"

namespace warpglass {

class LaunchFeature : public Feature {
    Q_OBJECT
public:
    explicit LaunchFeature(Shell& shell);
    LaunchPanel* panel() const { return m_panel; }
    RunRequest request() const { return m_panel->request(); } // as the next run would be

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void refresh() override;
    void setLanguage(const QString& language) override { m_panel->setLanguage(language); }
    bool grant(const QString& wish) override;
    void halt() override { m_bench->stop(); }
    void remember(SessionMemory& memory) const override;
    bool resume(const SessionMemory& memory) override;
    void close() override { m_bench->stop(); }

private:
    void runWith(const std::function<void(RunRequest&)>& change);
    void runTimed();
    void comparePolicies();
    void showOpened();
    void tellIfCaged();

    LaunchPanel* m_panel;
};

} // namespace warpglass
