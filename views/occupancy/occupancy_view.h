// SPDX-License-Identifier: GPL-3.0-or-later
// views/occupancy: how full an SM can be, and what stops the next block. Starts from the launch that is open; every
// input can be changed by dragging a point on its curve. Theoretical occupancy comes from gpu/device, achieved
// occupancy from the trace. Works without a trace, too: it is then a calculator.
#pragma once
#include "views/common/view.h"
namespace warpglass {
std::unique_ptr<View> makeOccupancyView();
}
