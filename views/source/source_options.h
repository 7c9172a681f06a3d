// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/options.h"

namespace warpglass {

// First lines in sight, negative: by themselves.
inline constexpr Setting<double> sourceFrom{"sourceFrom", -1}, ptxFrom{"ptxFrom", -1}, machineFrom{"machineFrom", -1},
    textLeft{"left", 0};
inline constexpr Setting<int> chosenRow{"instruction", 0}; // of the machine code, from 1

} // namespace warpglass
