// SPDX-License-Identifier: GPL-3.0-or-later
// The guide, the list of keys, and what this program is.
#pragma once

#include "app/window/feature.h"

namespace warpglass {

class HelpFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;
    ActionSet::Deeds deeds() override;
    void setLanguage(const QString& language) override;

private:
    void showGuide();
};

} // namespace warpglass
