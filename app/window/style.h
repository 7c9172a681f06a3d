// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/theme.h"

namespace warpglass {

// The theme's sheet and what only the window has: top bar, side panels, chips, transport buttons.
QString windowStyleSheet(const Theme& theme);

} // namespace warpglass
