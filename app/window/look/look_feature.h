// SPDX-License-Identifier: GPL-3.0-or-later
// How the window looks: theme, size of the type, language.
#pragma once

#include "app/window/feature.h"

namespace warpglass {

class LookFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;
    void setThemeName(const QString& name);
    void setFontScale(qreal scale);

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void readSettings(const QSettings& settings) override;
    void writeSettings(QSettings& settings) override;

private:
    void apply();
    qreal presentedScale() const; // of the type for a class
};

} // namespace warpglass
