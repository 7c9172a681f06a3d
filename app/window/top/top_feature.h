// SPDX-License-Identifier: GPL-3.0-or-later
// The bar at the top: where one is, where its numbers come from, the buttons that everybody needs, and the menu.
#pragma once

#include "app/window/feature.h"

namespace warpglass {

class TopFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void refresh() override;

private:
    void showTrace();
    QStringList place() const;
    QString launchLine() const;
    QString title() const;
    void showProgramButton();
};

} // namespace warpglass
