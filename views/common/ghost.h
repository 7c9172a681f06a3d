// SPDX-License-Identifier: GPL-3.0-or-later
// The ghost of the hardware: a recording of the launch that is modelled, as a GPU ran it. Where one is there, it lies
// under the model, and the difference between the two is an error that one sees.
#pragma once

#include "views/common/picture.h"

namespace warpglass {

// Whether a GPU's recording is of the launch that a trace models: the same kernel, compiled alike, in the same shape. Both
// must have times.
bool recordsLaunchOf(const Trace& recorded, const Trace& modelled);

} // namespace warpglass
