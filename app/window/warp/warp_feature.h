// SPDX-License-Identifier: GPL-3.0-or-later
// The chosen warp at the present time, below the code.
#pragma once

#include "app/window/feature.h"
#include "app/window/warp/warp_panel.h"

namespace warpglass {

class WarpFeature : public Feature {
    Q_OBJECT
public:
    explicit WarpFeature(Shell& shell);

    void connectAll() override;
    void setTheme(const Theme& theme) override { m_panel->setTheme(theme); }

private:
    void openMenu(QPoint at);

    WarpPanel* m_panel;
};

} // namespace warpglass
