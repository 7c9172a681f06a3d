// SPDX-License-Identifier: GPL-3.0-or-later
// Predict, then play: the desk that asks (predict_desk.h), its key, and what the shell hears of it.
#pragma once

#include "app/window/feature.h"
#include "app/window/predict/predict_desk.h"

namespace warpglass {

class PredictFeature : public Feature {
    Q_OBJECT
public:
    explicit PredictFeature(Shell& shell);
    PredictDesk& desk() { return *m_desk; }

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void setLanguage(const QString&) override { m_desk->retranslate(); }
    bool step(int direction) override;
    bool escape() override;

private:
    PredictDesk* m_desk;
};

} // namespace warpglass
