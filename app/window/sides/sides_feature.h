// SPDX-License-Identifier: GPL-3.0-or-later
// The columns beside the views: folded away, put elsewhere, as wide as they were the last time.
#pragma once

#include "app/window/feature.h"

namespace warpglass {

class SidesFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;
    void foldIfCrowded(int widthBefore, qreal typeBefore); // once there is no room for them

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void readSettings(const QSettings& settings) override;
    void writeSettings(QSettings& settings) override;

private:
    void fold(); // both, or both are there
    void reset();
};

} // namespace warpglass
