// SPDX-License-Identifier: GPL-3.0-or-later
// Handlers of textures and surfaces. Rows: Inst::c is the number of the TextureOp; the data are as those of a load (dst,
// or Program::vectors), of sured in b.
#pragma once

#include "gpu/emulator/code/program.h"

#include <string>

namespace warpglass::emulator {

struct BoundObject;

Handler fetchHandler();  // tex
Handler gatherHandler(); // tld4
Handler queryHandler();  // txq, suq
Handler isTypeHandler(); // istypep
Handler surfaceAccessHandler(bool isStore);
Handler surfaceReduceHandler(); // sured

// The object that lane's handle names, of the kind asked for and of a shape that the instruction's geometry fits;
// nullptr: the fault is told.
const BoundObject* objectOf(Exec& x, const Inst& in, const HandleOperand& handle, int lane, bool surface);
std::uint64_t handleOf(const Exec& x, const HandleOperand& handle, int lane);

} // namespace warpglass::emulator
