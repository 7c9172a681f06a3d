// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch's time is spent on: asked by a button, and by itself where it takes no time.
#pragma once

#include "app/window/feature.h"

namespace warpglass {

class WhyFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;

    ActionSet::Deeds deeds() override;
    void connectAll() override;

private:
    void show(); // the answer, or why there is none
    void askIfQuick();
};

} // namespace warpglass
