// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/theme.h"

#include <QIcon>

namespace warpglass {

// One of resources/icons, drawn in a colour of the theme; disabled in the muted one. The pictures are black in the
// files.
QIcon themedIcon(const QString& name, const QColor& colour, const QColor& disabled);
QIcon themedIcon(const QString& name, const Theme& theme);

// The logo, in its own colours.
QIcon logoIcon();
QPixmap logoPixmap(int side, qreal devicePixelRatio);

} // namespace warpglass
