// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs: each launch of one is listed as the launches, copies and fills that its nodes are. If a kernel of it is to be
// recorded in detail, the graph's nodes are launched one by one, in an order that their dependencies allow, each as a
// graph of its own.
#pragma once

#include "gpu/seat/seat.h"

#include <functional>

namespace warpglass::seat {

void noteGraph(Seat& seat, CUgraphExec exec, CUgraph graph);
void noteNode(Seat& seat, CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS& parameters);
// It is no longer what its graph was, in a way that is not followed: it is listed as it was, and never taken apart.
void graphChanged(Seat& seat, CUgraphExec exec);
void forgetGraph(Seat& seat, CUgraphExec exec);
CUresult launchGraph(Seat& seat, CUgraphExec exec, CUstream stream, bool perThread,
                     const std::function<CUresult()>& carryOut);

} // namespace warpglass::seat
