// SPDX-License-Identifier: GPL-3.0-or-later
// atom and red. Lanes of a warp go one after the other, lowest first. On global memory the host's own atomics are used,
// so that integer sums are right for any number of host threads; programs that use the old value, or add floats, are
// run in block order (Program::ordered) and are therefore repeatable too.
#pragma once

#include "gpu/emulator/access/memory_ops.h"

namespace warpglass::emulator {

// dst = old value, if Inst::memory says that it is wanted, b, c = operands. type: u32 s32 u64 s64 b16 b32 b64 f32 f64,
// halves and their pairs. Several elements: Inst::memory.vector has the rows of b, and the next vector those of dst.
// nullptr: no such form.
Handler atomicHandler(ptx::Operation op, ptx::Type type);

} // namespace warpglass::emulator
