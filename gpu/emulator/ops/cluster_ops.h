// SPDX-License-Identifier: GPL-3.0-or-later
// The barrier of a cluster.
#pragma once

#include "gpu/emulator/state/cluster.h"
#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

Handler clusterArriveHandler();
Handler clusterWaitHandler();
void releaseCluster(Exec& x); // if nobody is missing any more: after threads have ended

} // namespace warpglass::emulator
