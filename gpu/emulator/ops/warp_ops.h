// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions in which the lanes of a warp look at each other, and special registers.
#pragma once

#include "gpu/emulator/run/exec.h"

namespace warpglass::emulator {

using ptx::ShuffleMode;
using ptx::VoteMode;

// Inst::warp: the member mask, the predicate behind d|p.
Handler shuffleHandler(ShuffleMode mode);               // dst, a = value, b = lane or delta, c = clamp and segment mask
Handler voteHandler(VoteMode mode);                     // dst = predicate (Ballot: 32-bit row), a = predicate
Handler matchHandler(bool all, bool wide);              // dst, a = value
Handler reduxHandler(ptx::Operation op, bool isSigned); // dst, a
Handler reduxFloatHandler(ptx::Operation op);           // min and max
Handler electHandler();                                 // dst = leader row or noIndex
Handler activeMaskHandler();                            // dst
Handler spaceTestHandler();                             // isspacep: dst, a; Inst::special has the Window

enum class Special : std::uint8_t {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    ClusterIdX, // of the block's cluster in the grid
    ClusterIdY,
    ClusterIdZ,
    NClusterIdX,
    NClusterIdY,
    NClusterIdZ,
    ClusterCtaidX, // of the block in its cluster
    ClusterCtaidY,
    ClusterCtaidZ,
    ClusterNctaidX,
    ClusterNctaidY,
    ClusterNctaidZ,
    ClusterCtaRank,
    ClusterNctaRank,
    LaneId,
    WarpId,
    NWarpId,
    SmId,
    NSmId,
    GridId,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    Clock,
    ClockHi,
    Clock64,
    GlobalTimer,
    GlobalTimerLo,
    GlobalTimerHi,
    TotalSmem,
    DynamicSmem,
    AggregateSmem,
    ReservedSmem,
    ReservedSmemEnd,
    ReservedSmemBytes,
    WarpSize,
    WorkspaceHigh,
    WorkspaceLow,
    Zero // counters and places of the driver, of which a program may expect nothing
};
// nullptr-like: false if the name is unknown. component: 0 x, 1 y, 2 z, -1 none.
bool parseSpecial(std::string_view name, int component, Special& out);
Handler specialHandler(); // dst; Inst::special

} // namespace warpglass::emulator
