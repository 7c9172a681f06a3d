// SPDX-License-Identifier: GPL-3.0-or-later
// Learn, explore, build: three arrangements of one window, for what a person is at. They come by themselves with what is
// turned to (a lesson, the gallery, the pad), and by the control above, by key, menu and palette.
#pragma once

#include "app/window/feature.h"

namespace warpglass {

class ArrangeFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;
    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void refresh() override;
    void retranslate() override { check(); }

private:
    void turnTo(Arrangement arrangement);
    void check();
};

} // namespace warpglass
