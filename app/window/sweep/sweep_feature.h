// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps and tables of results: their dialog, the charts that show them, and the launch behind a bar.
#pragma once

#include "app/window/feature.h"
#include "app/window/sweep/sweep_control.h"

namespace warpglass {

class SweepFeature : public Feature {
    Q_OBJECT
public:
    explicit SweepFeature(Shell& shell);
    SweepControl& control() { return *m_sweep; }
    void openTables(const QStringList& paths); // sweeps (.csv) and traces, charted together
    void openResult(int row);                  // the launch of a bar

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    bool open(const QString& path) override;
    bool grant(const QString& wish) override;
    bool press(const QKeyEvent& key) override;

private:
    SweepControl* m_sweep;
};

} // namespace warpglass
