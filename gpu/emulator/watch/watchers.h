// SPDX-License-Identifier: GPL-3.0-or-later
// Those who are told of every access: the table of first touches (timing: which sectors of global memory it wants), the
// watch for races, and the one for writes to words that a launch hangs on.
#pragma once

#include "gpu/emulator/code/inst.h"

namespace warpglass::emulator {

struct Exec;
struct PendingCopy;
void tellWatchers(Exec& x, const Inst& in);         // of x.access and x.address; somebody watches
void touchByCopy(Exec& x, const PendingCopy& copy); // x.touched is told what it wants of global memory

Handler fenceHandler(); // only a watch for races takes notice

} // namespace warpglass::emulator
