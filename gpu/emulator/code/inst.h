// SPDX-License-Identifier: GPL-3.0-or-later
// One instruction as handlers read it: rows of registers, which every family has, and a part of its own for each
// family. Which part is filled follows from the handler; 64 bytes in all, so that one lies in one line of the cache.
#pragma once

#include "gpu/emulator/code/row.h"
#include "gpu/ptx/control_flow.h"
#include "gpu/ptx/describe.h"
#include "gpu/trace/tables.h"

#include <array>
#include <cstdint>

namespace warpglass::emulator {

struct Exec;
struct Inst;

// Runs one instruction for the lanes of x.mask. False: the warp stops here for now (x.stop says why).
using Handler = bool (*)(Exec& x, const Inst& in);

enum class AddressSpace : std::uint8_t { Global, Shared, Local, Const, EntryParam, Generic };
enum class FloatOp : std::uint8_t {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Rcp,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Ex2,
    Lg2,
    Tanh,
    Copysign,
    Min,
    Max
};
enum class HalfOp : std::uint8_t { Add, Sub, Mul, Fma, Min, Max, Neg, Abs, Ex2, Tanh };
enum class BarrierKind : std::uint8_t { Sync, Arrive, RedPopc, RedAnd, RedOr };

// Whose variable an access may not leave without being told of (Program::bounded).
enum class Bound : std::uint8_t { None, Shared, Local, Constant };
// What moves words between rows and shared memory as they are, all lanes' at once; chosen with the handler (moveBy).
enum class MoveBy : std::uint8_t { Otherwise, Nothing, Words, Longs, Fours };

// Loads, stores, atomics; of what moves elements without memory (vectors of mov, addresses of .local variables) the
// fields that it needs.
struct MemoryPart {
    std::int64_t offset = 0;        // added to the address
    std::uint32_t vector = noIndex; // Program::vectors, if there are several elements
    std::uint8_t bytes = 0;         // of an element
    std::uint8_t elements = 1;      // a lane
    std::uint8_t rowBytes = 4;      // 4, 8 or 16: width of a data row
    AddressSpace space = AddressSpace::Generic;
    bool isSigned : 1 = false;    // a load extends the sign
    bool isVolatile : 1 = false;  //
    bool isStrong : 1 = false;    // volatile, relaxed, acquiring or releasing, as accesses to flags are
    bool wideAddress : 1 = false; // the address row is 64 bits wide
    bool noBase : 1 = false;      // the address is the offset alone
    bool hasResult : 1 = false;   // of an atomic: the old value
    // A load of a matrix' pieces: of the block's own shared memory they are checked and counted, and taken where they lie.
    bool inPlace : 1 = false;
    bool isSplit : 1 = false; // counted by the space that it is found to reach, and by who called its function
    Bound bound = Bound::None;
    MoveBy moveBy = MoveBy::Otherwise;
    // Of what has more than an Inst has room for: Program::matrices, textureOps, vectors, bounded.
    std::uint32_t site = 0;
};
struct BranchPart {
    std::uint32_t target = 0;        // position
    std::uint32_t reconvergence = 0; // position where the sides meet again
    std::uint32_t targets = 0;       // Program::targets, of brx.idx
    std::uint32_t outer = 0;         // Program::meets: where those are met who jump over reconvergence,
    std::uint16_t outers = 0;        // so many, each behind the next
    bool meetsAround = false;        // where the branch around it does, if there is one
    ptx::Meeting::Side leaving = ptx::Meeting::Side::None;
};
struct CallPart {
    std::uint32_t site = 0; // Program::calls
};
struct BarrierPart {
    BarrierKind kind = BarrierKind::Sync;
    bool negated = false;         // the predicate in row c
    bool constantMembers = false; // of bar.warp.sync, as WarpPart has it
};
struct ComparePart {
    Row second = noRow;                            // q in p|q
    ptx::Operation combine = ptx::Operation::None; // with the predicate in row c
    ptx::Compare compare = ptx::Compare::Eq;       // of halves; others have a handler for each
    bool negated = false;                          // row c, of selp too
    bool pair = false, ftz = false;                // of halves: p is of the lower one, q of the upper one
    ptx::Type to = ptx::Type::None;                // of set, and
    Row answer = noRow;                            // the predicate that its comparison writes, and
    Handler run = nullptr;                         // the comparison
};
struct AsyncPart {
    std::uint32_t site = 0; // Program::asyncs
};
struct WarpPart {
    Row members = noRow;                // the member mask; noRow: the running lanes
    Row second = noRow;                 // p in d|p
    bool negated = false;               // the predicate of vote
    bool constantMembers = false;       // the mask is one number wherever the instruction runs
    bool absolute = false, nan = false; // of redux.f32
};
struct SpecialPart {
    std::uint8_t what = 0; // Special of a special register, Window of isspacep
    std::uint8_t rowBytes = 4;
    bool ownOnly = false;   // of isspacep: not the shared memory of other blocks of the cluster
    std::uint8_t bytes = 8; // of the value that are taken; the rest of the row follows from them
    bool isSigned = false;
};
struct BitsPart {
    Row fourth;             // a fourth operand; the predicate q of lop3
    Row second;             // the predicate p in d|p of lop3
    std::uint8_t table = 0; // of lop3
    std::uint8_t mode = 0;  // of prmt and testp: the number of the word among its like
    bool isSigned = false, secondSigned = false, isWide = false, high = false, adds = false, wraps = false,
         clamps = false, right = false, shiftAmount = false, byFloat = false, ftz = false;
};
struct DividePart {
    Handler careful = nullptr; // lane by lane: for rows with a divisor that is special
};
struct CarryPart {
    bool takes = false, gives = false, subtracts = false, multiplies = false, high = false, isSigned = false;
};
struct FloatPart {
    FloatOp op = FloatOp::Add;
    bool isDouble = false, ftz = false, sat = false;
    ptx::Rounding round = ptx::Rounding::Nearest;
    bool nan = false, xorsign = false, absolute = false, three = false; // of min and max
    bool approx = false;                                                // of div: by the reciprocal
};
struct HalfPart {
    HalfOp op = HalfOp::Add;
    ptx::Type type = ptx::Type::F16;
    bool ftz = false, sat = false, relu = false;
    bool nan = false, xorsign = false; // of min and max
    bool oob = false;                  // of fma
    bool pair = false;
};
struct ConvertPart {
    ptx::Type to = ptx::Type::S32, from = ptx::Type::F32;
    ptx::Rounding round = ptx::Rounding::Zero;
    bool toIntegral = false; // .rni .rzi .rmi .rpi
    bool ftz = false, sat = false, srcWide = false, dstWide = false;
    bool dstIs32 = false; // the register has 32 bits: narrower results are extended to them
    bool relu = false, satfinite = false, packs = false;
    Row fourth, random; // of a fourth value and of the bits for stochastic rounding
};
// Video instructions: dst, a, b, c. An element is 8, 16 or 32 bits wide.
struct VideoPart {
    ptx::Compare compare = ptx::Compare::Eq;
    ptx::Operation second = ptx::Operation::None; // what is done with c
    std::array<std::uint8_t, 4> first{}, other{}; // places of a's and b's elements; in SIMD in both together
    std::uint8_t firstBits = 32, otherBits = 32;
    std::uint8_t resultBits = 32, resultAt = 0; // where the result goes; c keeps the rest
    std::uint8_t mask = 15;                     // SIMD: elements of the result that are taken
    std::uint8_t scale = 0;                     // bits that vmad shifts by
    bool resultSigned : 1 = false;
    bool firstSigned : 1 = false;
    bool otherSigned : 1 = false;
    bool sat : 1 = false;
    bool wraps : 1 = false;
    bool plusOne : 1 = false;
    bool minusProduct : 1 = false;
    bool minusThird : 1 = false;
};

struct Inst {
    Handler run = nullptr;
    Row dst, a, b, c; // what each means is the handler's affair
    Guard guard;
    std::uint32_t index = 0; // own position in Program::code
    std::uint32_t piece = 0; // the straight-line piece it belongs to
    union {
        MemoryPart memory;
        BranchPart branch;
        CallPart call;
        BarrierPart barrier;
        ComparePart compare;
        WarpPart warp;
        SpecialPart special;
        BitsPart bits;
        CarryPart carry;
        DividePart divide;
        FloatPart real;
        HalfPart half;
        ConvertPart convert;
        AsyncPart async;
        VideoPart video;
    };

    Inst() : memory() {}
};
static_assert(sizeof(Inst) <= 64);

} // namespace warpglass::emulator
