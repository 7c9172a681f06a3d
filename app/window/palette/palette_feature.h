// SPDX-License-Identifier: GPL-3.0-or-later
// Everything by its name: what each feature offers, the views, and the actions that are possible now.
#pragma once

#include "app/window/feature.h"
#include "app/window/palette/command_palette.h"

namespace warpglass {

class PaletteFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;
    ActionSet::Deeds deeds() override;

private:
    void show();
    void offerViews(QVector<PaletteItem>& items);
    void offerActions(QVector<PaletteItem>& items);

    CommandPalette* m_palette = nullptr; // made when it is first asked for
};

} // namespace warpglass
