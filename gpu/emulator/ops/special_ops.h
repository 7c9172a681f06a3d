// SPDX-License-Identifier: GPL-3.0-or-later
// Special registers (PTX ISA, "Special Registers").
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

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
Handler specialHandler();       // dst; Inst::special
Handler specialVectorHandler(); // all four of one: c is its x, Inst::memory.vector has the rows

} // namespace warpglass::emulator
