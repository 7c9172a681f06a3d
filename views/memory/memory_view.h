// SPDX-License-Identifier: GPL-3.0-or-later
// views/memory: what one access of one warp asks of the memory. 32 lanes above; below, for global memory, the 128-byte
// lines with their four 32-byte sectors, what was asked for and what was moved; for shared memory the 32 banks and the
// passes. Beside it, every source line that touches memory with its exact totals. In: the access table (addresses of
// the chosen blocks) and the instruction counts (all blocks) of a Trace. Knows no kernel.
#pragma once
#include "views/common/view.h"
namespace warpglass {
std::unique_ptr<View> makeMemoryView();
}
