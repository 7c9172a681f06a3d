// SPDX-License-Identifier: GPL-3.0-or-later
// Timing: which sectors of global memory the access at hand wants is told to the table of first touches.
#pragma once

namespace warpglass::emulator {

struct Exec;
void touchSectors(Exec& x); // of x.access and x.address; x.touched is there

} // namespace warpglass::emulator
