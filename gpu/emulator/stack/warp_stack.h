// SPDX-License-Identifier: GPL-3.0-or-later
// The SIMT stack of a warp: which of its paths runs.
//
// Post-dominator stack: a divergent branch turns the running entry into one that waits at the reconvergence point and
// lays the two sides on top of it, the one that runs first uppermost. An entry that reaches its end is popped. If its
// parent would end at the same point, no new waiting entry is made (loops would otherwise grow the stack). A side that
// stands at a barrier does not stop its sibling: barriers count threads, as they do since compute capability 7.0. Nor
// does one that waits at bar.warp.sync, whose members may come to it at different places in the code.
//
// Independent threads: entries have no parents. Whenever a run starts, entries at the same place join, and the entry
// that lags behind (deepest call, lowest position) runs, so that paths tend to meet where they would under the stack;
// after some runs the entry that has waited longest gets its turn, which is the forward progress that a spin lock
// inside a warp needs.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

void startWarp(Exec& x, WarpContext& warp);
bool resume(Exec& x, WarpContext& warp); // makes the warp's next ready entry current; false if none is ready
void pack(Exec& x);                      // writes the current entry back
// Lanes m of the current entry wait in this state from x.pc on; where the instruction was guarded, its other lanes go on
// in an entry of their own. The warp's turn ends; the entry that waits.
StackEntry& stand(Exec& x, std::uint32_t m, EntryState state);
void diverge(Exec& x, std::uint32_t first, std::uint32_t firstPc, std::uint32_t second, std::uint32_t secondPc,
             std::uint32_t reconvergence); // the two sides, in the order they run
// With the stack. The running lanes will meet at this place of the running function, behind where they are about to meet.
void waitBehind(Exec& x, std::uint32_t behind);
// With the stack: of the running lanes, these jump over where they all would meet, to where lanes wait that are about to
// meet behind that; the others go on at othersPc. False: nobody waits there, and nothing is done.
bool jumpOver(Exec& x, std::uint32_t lanes, std::uint32_t pc, std::uint32_t othersPc, std::uint32_t behind);
// With the stack: the running lanes have come to where others of the running function wait for them, over the head of those
// that their own entry ends at. They join them there. False: nobody waits so, and nothing is done.
bool joinsWaiting(Exec& x);
// With the stack: the others of the warp go first, and wait for the running ones no longer. False: it has been so already.
bool letOthersGo(Exec& x);
// Lanes that have come to their reconvergence point stop waiting for those that stand at a barrier: they may be the
// very threads the barrier waits for. Done only when nothing else can go on. False: there are none.
bool departEarly(WarpContext& warp);
bool reachReconvergence(Exec& x);             // current entry is at its end: pops; false: nothing ready
void exitLanes(Exec& x, std::uint32_t lanes); // those lanes end
bool meet(Exec& x);                           // independent threads: joins and switches entries at the start of a run
// Entries at bar.warp.sync go on whose members have all come to one, or ended.
void releaseSyncs(WarpContext& warp);
// Lanes of this warp that stand at a bar.warp.sync with this member mask.
std::uint32_t waitingFor(const WarpContext& warp, std::uint32_t members);
Frame* takeFrame(Exec& x, WarpContext& warp, std::uint32_t function);
void releaseFrame(WarpContext& warp, Frame* frame);
// Independent threads: the frame in which others are that made the same call from the running frame and lanes were not
// yet; null if there is none.
Frame* sharedFrame(Exec& x, std::uint32_t function, std::uint32_t callPosition, std::uint32_t lanes);

} // namespace warpglass::emulator
