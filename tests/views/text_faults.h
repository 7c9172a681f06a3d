// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader would complain of in the words of a picture, found by what was painted: boxes of letters, lines, areas.
#pragma once

#include "tests/views/text_places.h"
#include "views/common/picture.h"

namespace warpglass::samples {

// over:    letters on letters
// struck:  a line or a curve through them, before or after, that no opaque ground parts from them; the theme's faint lines
//          (borders, grids) lie behind words everywhere
// covered: an opaque area over a part of them
// cut:     a clip or the picture's end leaves a part of them
QStringList textFaults(const TextPlaces& device, const Theme& theme);

// Words that end in an ellipsis where no tip says them whole.
QStringList elidedWithoutTip(const TextPlaces& device, const Picture& picture, const QVector<PaintedWord>& words);

} // namespace warpglass::samples
