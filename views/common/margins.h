// SPDX-License-Identifier: GPL-3.0-or-later
// Space in pictures: multiples of one unit, so that titles, axes and footers of all views begin at one place.
#pragma once

#include "views/common/theme.h"

namespace warpglass {

inline qreal spaceUnit(const Theme& theme) {
    return 4 * theme.fontScale;
}
// Left and right of everything in a picture.
inline qreal sideMargin(const Theme& theme) {
    return 4 * spaceUnit(theme);
}

} // namespace warpglass
