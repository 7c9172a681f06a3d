// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic that a compiler can turn into vector code: 32 lanes a loop, no call, no branch. alu/ holds it, a family a
// file; each file is compiled for different processors (gpu/emulator/CMakeLists.txt), and aluHandler() takes what this
// one can run. Everything that goes lane by lane (division, special functions, bit tricks) lies beside alu/.
#pragma once

#include "gpu/emulator/decode/program.h"

namespace warpglass::emulator {

enum class AluOp : std::uint8_t {
    Add,
    Sub,
    MulLo,
    MulHi,
    MulWide,
    MadLo,
    MadHi,
    MadWide,
    And,
    Or,
    Xor,
    Not,
    Shl,
    Shr,
    Mov,
    MovPred,
    Min,
    Max,
    Abs,
    Neg,
    Fma,
    Setp,
    SetpBool,
    Selp,
    Cvt,
    PredAnd,
    PredOr,
    PredXor,
    PredNot,
    Brev,
    Bfe,
    Bfi,
    Lop3,
    Shf,
    Prmt,
    Popc,
    Clz,
};

using ptx::Compare;

struct AluKey {
    AluOp op = AluOp::Add;
    ptx::Type type = ptx::Type::U32;                // of the operation; of the destination for Cvt
    ptx::Type source = ptx::Type::U32;              // Cvt
    std::uint32_t dstRowBytes = 4, srcRowBytes = 4; // Cvt
    Compare compare = Compare::Eq;
    bool ftz = false, sat = false;
    bool dstIs32 = false; // Cvt: the destination register has 32 bits, so that a narrower result is extended to them
};

// nullptr if this form is not here. Rows: dst, a, b, c. Setp: dst = p, c = predicate of the boolean operator,
// Inst::compare. Selp: c = predicate, Inst::compare. Shl and Shr: b is 32 bits wide.
Handler aluHandler(const AluKey& key);

// The families. Each answers for its own operations.
namespace baseline {
Handler arithmeticHandler(const AluKey& key);
Handler compareHandler(const AluKey& key); // and selections and predicates
Handler convertHandler(const AluKey& key);
Handler bitsHandler(const AluKey& key); // what they need beside rows is in Inst::bits
} // namespace baseline
namespace avx2 { // x86-64 only
Handler arithmeticHandler(const AluKey& key);
Handler compareHandler(const AluKey& key);
Handler convertHandler(const AluKey& key);
Handler bitsHandler(const AluKey& key); // what they need beside rows is in Inst::bits
} // namespace avx2

} // namespace warpglass::emulator
