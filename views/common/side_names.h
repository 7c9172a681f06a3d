// SPDX-License-Identifier: GPL-3.0-or-later
// What two compared runs are called where both are shown: a kernel is compared with itself as it was before, and what a
// trace says of itself is then the same of both.
#pragma once

#include "views/common/picture.h"

namespace warpglass {

inline const Setting<QString> nameOfFirst{"nameOfA"}, nameOfSecond{"nameOfB"};

// The caption of one of both on a line of this width, behind its name if it has one.
QString captionOfSide(const PaintContext& side, std::size_t which, const QFont& font, qreal width);

} // namespace warpglass
