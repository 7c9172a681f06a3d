// SPDX-License-Identifier: GPL-3.0-or-later
// tcgen05, decoded. Inst::async.site counts into Program::tensors.
#pragma once

#include "gpu/emulator/code/async_inst.h"

namespace warpglass::emulator {

enum class TensorOp : std::uint8_t { Alloc, Dealloc, Order, Load, Store, Commit, Copy, Product };
enum class TensorShape : std::uint8_t { L32x32b, L16x64b, L16x128b, L16x256b, L16x32bx2 };
enum class TensorKind : std::uint8_t { F16, Tf32, F8f6f4, I8, Mxf8f6f4, Mxf4, Mxf4nvf4 };

struct TensorInst {
    TensorOp op = TensorOp::Order;
    bool pair = false;      // cta_group::2
    AsyncAddress address;   // of shared memory or of an mbarrier; of tensor memory: its row and offset
    Row columns = noRow;    // of alloc and dealloc
    Row multicast = noRow;  // of commit: the mask of blocks
    Row descriptor = noRow; // of cp
    // ld, st
    TensorShape shape = TensorShape::L32x32b;
    std::vector<Row> data;
    bool halves = false;     // .pack::16b, .unpack::16b
    std::uint32_t split = 0; // columns from the lower lanes' to the upper ones', of 16x32bx2
    Row reduced = noRow;     // of ld.red: the least or greatest value of a thread
    bool greatest = false, absolute = false, nan = false;
    ptx::Type reducedType = ptx::Type::None;
    // cp
    std::uint32_t rows = 0, bytes = 0;      // of the matrix in shared memory
    std::array<std::uint8_t, 4> quarters{}; // which 32 of its rows each quarter of the lanes gets, plus one; 0: none
    bool fourRows = false;                  // 4x256b: one row a quarter
    std::uint32_t packed = 8;               // bits of an element in shared memory
    // mma
    TensorKind kind = TensorKind::F16;
    bool stationary = false; // .ws
    AsyncAddress a;          // in tensor memory
    Row descriptorA = noRow, descriptorB = noRow, instruction = noRow;
    AsyncAddress scalesA, scalesB, metadata;
    bool sparse = false;          // half of the elements of a are there
    std::uint32_t scaleBlock = 0; // elements of a row that share a scale; 0: none
    std::vector<Row> skipped;     // words that name lanes which are not written
    Row adds = noRow;             // the predicate
    bool addsNegated = false;
    std::uint32_t shift = 0; // of scale-input-d
    Row zeroColumns = noRow; // of .ws: the descriptor of columns of b that count as zero
};

} // namespace warpglass::emulator
