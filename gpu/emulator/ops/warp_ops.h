// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions in which the lanes of a warp look at each other, and special registers.
#pragma once

#include "gpu/emulator/run/exec.h"

namespace warpglass::emulator {

using ptx::ShuffleMode;
// dst, extra = predicate row or noIndex, a = value, b = lane or delta, c = clamp and segment mask, imm = member mask
// row or -1.
Handler shuffleHandler(ShuffleMode mode);

using ptx::VoteMode;
// dst = predicate (Ballot: 32-bit row), a = predicate, flags & 1: negated, b = member mask row (noIndex: the running
// lanes).
Handler voteHandler(VoteMode mode);
Handler activeMaskHandler();
Handler spaceTestHandler();                // isspacep: dst, a, aux = Window
Handler matchHandler(bool all, bool wide); // dst, extra = predicate or noIndex, a = value, b = member mask row

Handler reduxHandler(ptx::Operation op, bool isSigned); // dst, a, b = member mask row
Handler electHandler(); // dst = leader row or noIndex, extra = predicate, b = member mask row

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
    ReservedSmem,
    WarpSize,
    Zero,
    One
};
// nullptr-like: false if the name is unknown. component: 0 x, 1 y, 2 z, -1 none.
bool parseSpecial(std::string_view name, int component, Special& out);
Handler specialHandler(); // dst, aux = Special, rowBytes

} // namespace warpglass::emulator
