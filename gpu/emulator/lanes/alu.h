// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic that a compiler can turn into vector code: 32 lanes a loop, no call, no branch. alu/ holds it, a family a
// file; each file is compiled for different processors (gpu/emulator/CMakeLists.txt), and aluHandler() takes what this
// one can run. Everything that goes lane by lane (division, special functions, bit tricks) lies beside alu/.
#pragma once

#include "gpu/emulator/code/program.h"
#include "gpu/emulator/lanes/summarise.h"
#include "gpu/emulator/state/addressed.h"

namespace warpglass::emulator {

struct NotePasses;
using LanesAbove = std::array<std::uint32_t, 32>; // bytes from the lowest one's

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

// Whether this processor runs what is compiled for AVX2, with FMA and BMI. F16C is older: what has AVX2 has it, and Clang 14
// cannot be asked for it.
bool hasAvx2();
// The same for AVX-512 (F, BW, DQ, VL), for which a few of the files are compiled.
bool hasAvx512();

// nullptr if this form is not here. Rows: dst, a, b, c. Setp: dst = p, c = predicate of the boolean operator,
// Inst::compare. Selp: c = predicate, Inst::compare. Shl and Shr: b is 32 bits wide.
Handler aluHandler(const AluKey& key);

// Floats have handlers of their own, which read the part of the instruction named after the family. nullptr: no such form.
Handler halfHandler(const HalfPart& part);                // f16, bf16, pairs of them and of 16-bit integers: a, b, c
Handler halfCompareHandler(bool bf16);                    // setp
Handler setHandler();                                     // set: runs the comparison in Inst::compare first
Handler roundedHandler(FloatOp op, ptx::Type type);       // + - * / fma rcp sqrt in any rounding; f16, bf16: the source
Handler approximateHandler(FloatOp op);                   // sin cos ex2 lg2 tanh rsqrt of f32: a
Handler divisionHandler(ptx::Type type, bool remainder);  // of whole numbers
Handler realConvertHandler(ptx::Type to, ptx::Type from); // cvt with a float on either side: a
Handler packedConvertHandler(const ConvertPart& part);    // cvt of several values, to tf32, cvt.pack: a, b, c
Handler videoHandler(ptx::Opcode opcode);                 // scalar and SIMD: dst, a, b, c

// Takes out of each lane's set the lanes whose byte differs from its own. The function that this processor can run.
using KeepEqual = void (*)(const std::uint8_t* bytes, std::uint32_t* sets);
KeepEqual keepEqualFunction();

// What the addresses of a warp's lanes m want, in any order, each `bytes` a lane.
struct SectorCount {
    std::uint32_t bytesDistinct = 0, sectors = 0, lines = 0;
};
struct SortedCounts {
    // Of elements aligned to their size. False: not answered (they are not, or lie more than 2 GiB apart).
    bool (*sectors)(const std::uint64_t* addresses, std::uint32_t m, std::uint32_t bytes, SectorCount& count);
    // Of shared memory: the most distinct elements asked of one bank, by lanes that are served at once. 0: not answered.
    std::uint32_t (*passes)(const std::uint64_t* addresses, std::uint32_t m, std::uint32_t bytes);
    // The same of all 32 lanes, 8 or 16 bytes each, which are served half by half or quarter by quarter: the sum.
    std::uint32_t (*partPasses)(const std::uint64_t* addresses, std::uint32_t bytes);
};
SortedCounts sortedCounts(); // what this processor can run

// The passes over x.address that every access to memory begins with, and what moves between lanes and memory.
struct AddressPasses {
    void (*fill)(Exec& x, const Inst& in);                                   // of all lanes, inactive ones too
    bool (*atOne)(Exec& x, std::uint32_t m);                                 // all lanes of m
    Lanes (*order)(Exec& x, std::uint32_t m, std::uint32_t size);            // a single lane: in order
    bool (*liesAs)(Exec& x, std::uint32_t m, const std::uint64_t* distance); // from the first lane of m
    // Whether each lane's word is so much more than `from`; of the lanes whose bits are set; of long words, `size` (0, 4 or 8)
    // more from lane to lane.
    bool (*liesAbove)(const std::uint32_t* row, std::uint32_t from, const LanesAbove& above);
    bool (*partLiesAbove)(const std::uint32_t* row, std::uint32_t from, const LanesAbove& above,
                          const std::uint32_t* bits);
    bool (*isRow)(const std::uint64_t* row, std::uint32_t size);
    // Where the pieces of 32 lanes lie, from the piece `first` on: one line's, which are 2^shift pieces of so many bytes,
    // then the next one's, `stride` behind it.
    void (*pieces)(std::uint64_t* to, std::uint64_t base, std::uint32_t first, std::uint32_t shift, std::uint32_t size,
                   std::uint64_t stride);
    // Four words at each lane's address -> four rows, and back.
    void (*loadFours)(const Exec& x, Reach memory, std::uint32_t* const (&rows)[4]);
    void (*storeFours)(const Exec& x, Reach memory, const std::uint32_t* const (&rows)[4]);
    // An 8 x 8 of halves, turned; `to` may be `from`.
    void (*turnHalves)(const void* from, void* to);
    // Eight pieces of 16 bytes, one behind the other: those of the lanes 0, 4 ... 28 at from + starts[lane], to two places
    // (which may be the same); those of eight lanes at at[lane].
    void (*takeFours)(const std::byte* from, const std::uint16_t* starts, void* to, void* again);
    void (*takeEight)(Reach memory, const std::uint64_t* at, void* to);
    // Of those that are known to lie so far above the first byte (LanesAbove).
    void (*loadFoursAbove)(const std::byte* from, const LanesAbove& above, std::uint32_t* const (&rows)[4]);
    void (*storeFoursAbove)(std::byte* to, const LanesAbove& above, const std::uint32_t* const (&rows)[4]);
    void (*takeEightAbove)(const std::byte* from, const std::uint32_t* above, void* to);
    // Of two matrices of eight lines of four words: word w of the sixteen lines, in order, to rows[w] from a lane on.
    void (*turnLines)(const std::uint32_t* first, const std::uint32_t* second, std::uint32_t* const (&rows)[4],
                      std::size_t lane);
    // to[lane] = from[source[lane]]; `to` is not `from`.
    void (*permute)(const std::uint32_t* from, const std::uint32_t* source, std::uint32_t* to);
    // to[lane] = from[lane], of the lanes whose bits are set.
    void (*copyPart)(const std::uint32_t* bits, const std::uint32_t* from, std::uint32_t* to);
    // The bytes, 64 at least, at `at` to `before`, and those of values, which may be the same as before, there instead.
    void (*exchange)(void* at, const void* values, void* before, std::size_t bytes);
    // at[lane] = values[lane] where it is expected[lane]; what was there to `before`, if it is not nullptr, which may be either.
    void (*swapWords)(std::uint32_t* at, const std::uint32_t* expected, const std::uint32_t* values,
                      std::uint32_t* before);
    void (*swapLongs)(std::uint64_t* at, const std::uint64_t* expected, const std::uint64_t* values,
                      std::uint64_t* before);
    // 32 increments of one word up to the same limit: after it comes 0. before[lane]: what each finds, if it is not nullptr.
    std::uint32_t (*countUp)(std::uint32_t start, std::uint32_t limit, std::uint32_t* before);
    // at[lane] += values[lane], subnormal numbers taken for zeros; what was there to `before`, if it is not nullptr. No lane
    // has another one's word. values may be before.
    void (*addFlushed)(float* at, const float* values, float* before);
};
const AddressPasses& addressPasses(); // what this processor can run

// The families. Each answers for its own operations.
#define WARPGLASS_ALU_FAMILIES                                                                                         \
    Handler arithmeticHandler(const AluKey& key);                                                                      \
    Handler compareHandler(const AluKey& key); /* and selections and predicates */                                     \
    Handler convertHandler(const AluKey& key);                                                                         \
    Handler bitsHandler(const AluKey& key); /* what they need beside rows is in Inst::bits */                          \
    Handler halfHandler(const HalfPart& part);                                                                         \
    Handler halfCompareHandler(bool bf16);                                                                             \
    Handler setHandler();                                                                                              \
    Handler roundedHandler(FloatOp op, ptx::Type type);                                                                \
    Handler approximateHandler(FloatOp op);                                                                            \
    Handler divisionHandler(ptx::Type type, bool remainder);                                                           \
    Handler realConvertHandler(ptx::Type to, ptx::Type from);                                                          \
    Handler packedConvertHandler(const ConvertPart& part);                                                             \
    Handler videoHandler(ptx::Opcode opcode);                                                                          \
    void keepEqual(const std::uint8_t* bytes, std::uint32_t* sets);                                                    \
    bool countSectors(const std::uint64_t* addresses, std::uint32_t m, std::uint32_t bytes, SectorCount& count);       \
    std::uint32_t countPasses(const std::uint64_t* addresses, std::uint32_t m, std::uint32_t bytes);                   \
    std::uint32_t countPartPasses(const std::uint64_t* addresses, std::uint32_t bytes);                                \
    extern const AddressPasses addressPasses;                                                                          \
    extern const NotePasses notePasses; /* gpu/emulator/shadow/note_passes.h */                                        \
    /* 32 lanes, rounded as named. */                                                                                  \
    void toFloats(ptx::Rounding round, const double* from, float* to);                                                 \
    void toDoubles(ptx::Rounding round, const std::int64_t* from, double* to);                                         \
    void toDoubles(ptx::Rounding round, const std::uint64_t* from, double* to);
namespace baseline {
WARPGLASS_ALU_FAMILIES
} // namespace baseline
namespace avx2 { // x86-64 only
WARPGLASS_ALU_FAMILIES
} // namespace avx2
namespace avx512 {
extern const AddressPasses addressPasses;
extern const NotePasses notePasses;
Handler approximateHandler(FloatOp op);
Handler divisionHandler(ptx::Type type, bool remainder);
} // namespace avx512
#undef WARPGLASS_ALU_FAMILIES

} // namespace warpglass::emulator
