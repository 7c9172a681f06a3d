// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions on matrices, for a warp at once. Inst::b counts into Program::matrices, which has the rest.
//
// All of them are .aligned: the 32 lanes must come together, and a warp that does not is told so and stopped. wgmma is
// of four warps, and asynchronous: each warp makes its sixteen rows when it comes to the instruction. That is one of the
// orders that the ISA allows if none begins before all four have brought what it reads, and none goes on, to overwrite
// that, before all four are done: so they meet at wgmma.fence and at wgmma.wait_group.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

struct FragmentProduct;

// matrix_ops.cpp: d = a * b + c in registers; by the types of the form.
Handler matrixProductHandler(const ptx::MatrixForm& form);
// wgmma.cpp: wgmma.mma_async.
Handler matrixAsyncHandler(const ptx::MatrixForm& form);
enum class MatrixOrder : std::uint8_t { Fence, Commit, Wait }; // wgmma.fence, wgmma.commit_group, wgmma.wait_group
Handler matrixOrderHandler(MatrixOrder order);                 // of a wait memory.offset says how many may be under way
// moves.cpp: ldmatrix, stmatrix, movmatrix, wmma.load, wmma.store.
Handler matrixMoveHandler(const ptx::MatrixForm& form);

// The lanes of an aligned instruction. False: the handler returns `result` at once, having nothing to do or not all
// lanes.
bool comeTogether(Exec& x, const Inst& in, bool& result);

// matrix_ops.cpp: the elements of a and b, if products of them can go from fragments to fragments. False: they cannot.
bool fragmentElements(const ptx::MatrixForm& form, FragmentProduct& p);

} // namespace warpglass::emulator
