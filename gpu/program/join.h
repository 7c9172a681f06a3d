// SPDX-License-Identifier: GPL-3.0-or-later
// The recordings of several processes as one program on one clock: the ranks of a parallel run, a server and its workers.
#pragma once

#include "gpu/program/program.h"

#include <vector>

namespace warpglass::program {

// Streams, kernels, messages and recordings of all, operations in the order of their calls; the command is the first one's.
// By rank, then in the order in which they began. Times are counted from the first call of all; processes whose beginning is
// not known begin with it. One that is joined already brings its processes.
ProgramTrace join(std::vector<ProgramTrace> processes);

} // namespace warpglass::program
