// SPDX-License-Identifier: GPL-3.0-or-later
// views/race: which of two runs is there first, and by how much. Both start together and grow on one scale of time, each
// as far as its work is done, up to their finish lines; between these stands the ratio. In: the two traces that are
// compared. race_model says how far each is, race_layout where things lie, race_paint draws them.
#pragma once

#include "views/common/view.h"

namespace warpglass {

std::unique_ptr<View> makeRaceView();

} // namespace warpglass
