// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/cost_table.h"

#include <algorithm>

namespace warpglass::emulator {
namespace {

using ptx::Opcode;
using ptx::Type;

// A number of cycles: of the device's own, or plain.
enum class Of : std::uint8_t { Plain, Alu, Fp64, Special, Convert, Shuffle, Vote, Call, BarrierCounts, BarrierReduces };
struct Cycles {
    Of of = Of::Plain;
    std::uint8_t plus = 0;
};

// Which instructions of its class and opcode a row is about.
enum class When : std::uint8_t {
    Always,
    Debug,
    Debug64,
    DebugPredicates,
    Bits64,
    Predicates,
    Floats,
    Doubles,
    Words,      // 32 or 64 bits, whole
    WideOf,     // .wide
    HighOf,     // .hi
    ByConstant, // its last operand is one
    ByConstant64,
    Signed,
    Whole,   // a division of whole numbers
    Whole64, // of 64 bits
    Exact,   // no .approx
    ExactDouble,
    NotFull,      // neither .approx nor .full
    Denormals,    // .approx, and no .ftz: what is next to nothing is scaled before and after
    Counts,       // a barrier that counts the lanes of a predicate
    Reduces,      // a barrier with .and or .or
    LongConstant, // a double of which more than the upper 32 bits are set
    FromHalf,     // f16 to f32
    FromBf16,     // to f32
    Packs,        // between f32, floats of 16 and of 8 bits
    FromWord,     // of 32 bits, to f32
    ToTf32,
    NotAll, // match.any
};

struct CostRow {
    OpClass opClass;
    Opcode opcode; // Unknown: any of the class
    When when;
    Pipe pipe;
    Cycles latency;
    std::uint8_t slots;
    Cycles gap{Of::Plain, 1};
    std::uint8_t special = 0;
};

constexpr Opcode any = Opcode::Unknown;
constexpr Cycles none{}, alu{Of::Alu, 0}, fp64{Of::Fp64, 0}, xu{Of::Special, 0};
constexpr Cycles cycles(std::uint8_t n) {
    return {Of::Plain, n};
}

// The first row that fits counts.
// clang-format off
constexpr CostRow rows[] = {
    {OpClass::Control, any, When::Always, Pipe::None, none, 1},
    {OpClass::Barrier, any, When::Counts, Pipe::None, {Of::BarrierCounts, 0}, 1},
    {OpClass::Barrier, any, When::Reduces, Pipe::None, {Of::BarrierReduces, 0}, 1},
    {OpClass::Barrier, any, When::Always, Pipe::None, none, 1},
    {OpClass::Call, any, When::Always, Pipe::None, {Of::Call, 0}, 2, cycles(2)},
    {OpClass::Fence, Opcode::Membar, When::Always, Pipe::None, none, 1},
    {OpClass::Fence, Opcode::Fence, When::Always, Pipe::None, none, 1},
    {OpClass::Fence, Opcode::Nanosleep, When::Always, Pipe::None, none, 1},
    {OpClass::Fence, Opcode::Setmaxnreg, When::Always, Pipe::None, none, 1},
    {OpClass::Fence, any, When::Always, Pipe::None, none, 0},
    {OpClass::Shuffle, any, When::Always, Pipe::Mio, {Of::Shuffle, 0}, 1},
    {OpClass::Vote, Opcode::Match, When::NotAll, Pipe::Mio, none, 1}, // MatchUnit
    {OpClass::Vote, Opcode::Match, When::Always, Pipe::Alu, {Of::Vote, 0}, 4, cycles(4)},
    {OpClass::Vote, any, When::Always, Pipe::Alu, {Of::Vote, 0}, 1, cycles(4)},
    // Rates and latencies: cvt/* of tests/timing/h200-micro.csv.
    {OpClass::Convert, any, When::FromHalf, Pipe::Imad, {Of::Alu, 1}, 1}, // HADD2.F32, which half of the lanes can do
    {OpClass::Convert, any, When::FromBf16, Pipe::Add, {Of::Alu, 1}, 1},  // a shift or a product, as there is room
    {OpClass::Convert, any, When::Packs, Pipe::Alu, alu, 1},              // F2FP
    {OpClass::Convert, any, When::FromWord, Pipe::Alu, alu, 1},           // I2FP
    {OpClass::Convert, any, When::ToTf32, Pipe::Add, cycles(19), 4},

    {OpClass::Move, Opcode::Selp, When::Bits64, Pipe::Alu, alu, 2, cycles(2)},
    {OpClass::Move, Opcode::Selp, When::Always, Pipe::Alu, alu, 1, cycles(2)},
    {OpClass::Move, any, When::Debug64, Pipe::Alu, alu, 2, cycles(2)},
    {OpClass::Move, any, When::Debug, Pipe::Alu, alu, 1, cycles(2)},
    {OpClass::Move, any, When::LongConstant, Pipe::Alu, none, 2, cycles(1)}, // instructions have room for its upper half alone
    {OpClass::Move, any, When::Always, Pipe::Alu, none, 0, cycles(2)},      // renamed away
    {OpClass::Convert, any, When::Floats, Pipe::Xu, {Of::Convert, 0}, 1},
    {OpClass::Convert, any, When::Debug, Pipe::Alu, alu, 1},
    {OpClass::Convert, any, When::Words, Pipe::Alu, none, 0},
    {OpClass::Convert, any, When::Always, Pipe::Alu, alu, 1},

    // Exponentials and quotients of whole numbers: steps that stand between other instructions. A cycle from slot to slot, and the
    // rest of the time behind the last (chain/* of tests/timing/h200-micro.csv: one exponential takes 49 cycles, 16 side by side 8
    // more each, the unit's rate). Roots do the same where nothing else is, but of the four roots in a round of bodies that pull
    // each other ptxas of CUDA 13.0 begins two when the one before is through: they keep their warp here.
    // By a constant: a multiplication. Else a reciprocal as fp32, its conversion, and corrections by whole numbers.
    {OpClass::Special, any, When::ByConstant64, Pipe::Imad, alu, 12, alu},
    {OpClass::Special, any, When::ByConstant, Pipe::Imad, alu, 4, alu},
    {OpClass::Special, any, When::Whole64, Pipe::Alu, alu, 62, cycles(5), 6},
    {OpClass::Special, any, When::Signed, Pipe::Alu, cycles(136), 23, cycles(1), 3},
    {OpClass::Special, any, When::Whole, Pipe::Alu, cycles(112), 19, cycles(1), 3},
    {OpClass::Special, Opcode::Rcp, When::ExactDouble, Pipe::Fp64, xu, 6, fp64, 1},
    {OpClass::Special, Opcode::Sqrt, When::ExactDouble, Pipe::Fp64, fp64, 13, cycles(5), 1},
    {OpClass::Special, any, When::ExactDouble, Pipe::Fp64, fp64, 18, fp64},
    {OpClass::Special, any, When::Doubles, Pipe::Fp64, fp64, 4, fp64},
    // One reciprocal or root (and, of a division, a check) on the unit; the others multiply and add.
    {OpClass::Special, Opcode::Div, When::NotFull, Pipe::Fma, xu, 9, cycles(6), 2},
    {OpClass::Special, Opcode::Div, When::Always, Pipe::Fma, xu, 3, cycles(6), 1},
    {OpClass::Special, Opcode::Sqrt, When::Exact, Pipe::Fma, xu, 8, cycles(6), 1},
    {OpClass::Special, Opcode::Rcp, When::Exact, Pipe::Fma, xu, 8, cycles(6), 1},
    {OpClass::Special, Opcode::Rsqrt, When::Denormals, Pipe::Fma, alu, 4, cycles(9), 1},
    {OpClass::Special, Opcode::Sqrt, When::Denormals, Pipe::Fma, alu, 4, cycles(9), 1},
    {OpClass::Special, Opcode::Ex2, When::Denormals, Pipe::Fma, cycles(46), 4, cycles(1), 1},
    {OpClass::Special, Opcode::Lg2, When::Denormals, Pipe::Fma, alu, 4, cycles(9), 1},
    {OpClass::Special, any, When::Always, Pipe::Xu, xu, 1},

    {OpClass::Float64, any, When::Always, Pipe::Fp64, fp64, 1},
    {OpClass::Float32, Opcode::Setp, When::Always, Pipe::Alu, alu, 1},
    {OpClass::Float32, Opcode::Set, When::Always, Pipe::Alu, alu, 1},
    {OpClass::Float32, Opcode::Min, When::Always, Pipe::Alu, alu, 1},
    {OpClass::Float32, Opcode::Max, When::Always, Pipe::Alu, alu, 1},
    {OpClass::Float32, Opcode::Abs, When::Always, Pipe::Fma, alu, 0},
    {OpClass::Float32, Opcode::Neg, When::Always, Pipe::Fma, alu, 0},
    {OpClass::Float32, any, When::Always, Pipe::Fma, alu, 1},
    {OpClass::Half, any, When::Always, Pipe::Half, {Of::Alu, 1}, 1},

    {OpClass::Integer, Opcode::Wgmma, When::Always, Pipe::None, none, 1}, // its order is in the registers' times
    {OpClass::Integer, Opcode::Setp, When::Bits64, Pipe::Alu, alu, 2, cycles(2)},
    {OpClass::Integer, Opcode::Setp, When::Always, Pipe::Alu, alu, 1, cycles(2)},
    {OpClass::Integer, any, When::DebugPredicates, Pipe::Alu, none, 1},
    {OpClass::Integer, any, When::Predicates, Pipe::Alu, none, 0}, // part of a comparison
    {OpClass::Integer, Opcode::Mul, When::WideOf, Pipe::Imad, alu, 1, cycles(2)},
    {OpClass::Integer, Opcode::Mul, When::Bits64, Pipe::Imad, alu, 4, cycles(2)},
    {OpClass::Integer, Opcode::Mul, When::HighOf, Pipe::Imad, alu, 2, cycles(2)},
    {OpClass::Integer, Opcode::Mul, When::Always, Pipe::Imad, alu, 1, cycles(2)},
    {OpClass::Integer, Opcode::Mad, When::WideOf, Pipe::Imad, alu, 1, cycles(2)},
    {OpClass::Integer, Opcode::Mad, When::Bits64, Pipe::Imad, alu, 4, cycles(2)},
    {OpClass::Integer, Opcode::Mad, When::HighOf, Pipe::Imad, alu, 2, cycles(2)},
    {OpClass::Integer, Opcode::Mad, When::Always, Pipe::Imad, alu, 1, cycles(2)},
    {OpClass::Integer, Opcode::Popc, When::Bits64, Pipe::Xu, xu, 2},
    {OpClass::Integer, Opcode::Popc, When::Always, Pipe::Xu, xu, 1},
    {OpClass::Integer, Opcode::Clz, When::Bits64, Pipe::Xu, xu, 2},
    {OpClass::Integer, Opcode::Clz, When::Always, Pipe::Xu, xu, 1},
    {OpClass::Integer, Opcode::Bfind, When::Bits64, Pipe::Xu, xu, 2},
    {OpClass::Integer, Opcode::Bfind, When::Always, Pipe::Xu, xu, 1},
    {OpClass::Integer, Opcode::Brev, When::Bits64, Pipe::Xu, xu, 2},
    {OpClass::Integer, Opcode::Brev, When::Always, Pipe::Xu, xu, 1},
    {OpClass::Integer, Opcode::Sad, When::Always, Pipe::Imad, alu, 2, cycles(2)},
    {OpClass::Integer, Opcode::Mul24, When::Always, Pipe::Imad, alu, 2, cycles(2)},
    {OpClass::Integer, Opcode::Mad24, When::Always, Pipe::Imad, alu, 2, cycles(2)},
    {OpClass::Integer, Opcode::Dp4a, When::Always, Pipe::Imad, alu, 2, cycles(2)},
    {OpClass::Integer, Opcode::Bfe, When::Always, Pipe::Alu, alu, 2, alu},
    {OpClass::Integer, Opcode::Bfi, When::Always, Pipe::Alu, alu, 2, alu},
    {OpClass::Integer, Opcode::Add, When::Bits64, Pipe::Add, alu, 2, cycles(2)},
    {OpClass::Integer, Opcode::Add, When::Always, Pipe::Add, alu, 1, cycles(2)},
    {OpClass::Integer, Opcode::Sub, When::Bits64, Pipe::Add, alu, 2, cycles(2)},
    {OpClass::Integer, Opcode::Sub, When::Always, Pipe::Add, alu, 1, cycles(2)},
    {OpClass::Integer, any, When::Bits64, Pipe::Alu, alu, 2, cycles(2)},
    {OpClass::Integer, any, When::Always, Pipe::Alu, alu, 1, cycles(2)},
};
// clang-format on

template <typename Test>
bool anyType(const ptx::Description& is, Test test) {
    return std::any_of(is.types.begin(), is.types.begin() + is.typeCount, test);
}

// One of them short, the other twice as long or more; which lengths ptxas has one instruction for.
bool betweenShortFloats(Type a, Type b) {
    const auto eights = [](Type t) { return t == Type::E4M3x2 || t == Type::E5M2x2; };
    const auto pair = [&](Type is, Type of) {
        return (of == Type::F32 && (ptx::isHalf(is) || eights(is))) || (of == Type::F16x2 && eights(is));
    };
    return pair(a, b) || pair(b, a);
}

// Until compute capability 8.0 the unit for conversions made all of floats.
bool packs(const DeviceTiming& timing) {
    const DeviceSpec* const device = findDevice(timing.key);
    return device && device->ccMajor >= 8;
}

bool holds(When when, const InstInfo& info, bool debug, const DeviceTiming& timing) {
    const ptx::Description& is = info.is;
    const bool wide = isWide64(is), predicates = anyType(is, [](Type t) { return t == Type::Pred; }),
               floats = anyType(is, [](Type t) { return ptx::isFloat(t) || ptx::isHalf(t); }),
               doubles = anyType(is, [](Type t) { return t == Type::F64; });
    const auto& operands = info.source->operands;
    const bool constant = operands.size() > 2 && operands[2].kind == ptx::Operand::Kind::Integer;
    switch (when) {
    case When::Always:
        return true;
    case When::Debug:
        return debug;
    case When::Debug64:
        return debug && wide;
    case When::DebugPredicates:
        return debug && predicates;
    case When::Bits64:
        return wide;
    case When::Predicates:
        return predicates;
    case When::Floats:
        return floats;
    case When::Doubles:
        return doubles;
    case When::Words:
        return anyType(is, [](Type t) { return t == Type::U32 || t == Type::S32 || t == Type::U64 || t == Type::S64; });
    case When::WideOf:
        return is.wide();
    case When::HighOf:
        return is.half == ptx::Half::High;
    case When::ByConstant:
        return !floats && constant;
    case When::ByConstant64:
        return !floats && constant && wide;
    case When::Signed:
        return !floats && (is.type() == Type::S32 || is.type() == Type::S64);
    case When::Whole:
        return !floats;
    case When::Whole64:
        return !floats && wide;
    case When::Exact:
        return !is.approx;
    case When::ExactDouble:
        return doubles && !is.approx;
    case When::NotFull:
        return !is.approx && !is.full;
    case When::Counts:
        return is.reduces && is.operation == ptx::Operation::Popc;
    case When::Reduces:
        return is.reduces && !is.warp;
    case When::LongConstant:
        return operands.size() == 2 && operands[1].kind == ptx::Operand::Kind::Float64 && doubles &&
               (operands[1].integer & 0xffffffff) != 0;
    case When::Denormals:
        return is.approx && !is.ftz && !doubles;
    case When::FromHalf:
        return is.typeCount == 2 && is.firstType() == Type::F32 && is.type() == Type::F16 && packs(timing);
    case When::FromBf16:
        return is.typeCount == 2 && is.firstType() == Type::F32 && is.type() == Type::BF16 && packs(timing);
    case When::FromWord:
        return is.typeCount == 2 && is.firstType() == Type::F32 && (is.type() == Type::S32 || is.type() == Type::U32) &&
               findDevice(timing.key)->ccMajor >= 9;
    case When::Packs:
        return is.typeCount == 2 && packs(timing) && betweenShortFloats(is.firstType(), is.type());
    case When::NotAll:
        return !is.all;
    case When::ToTf32:
        return is.firstType() == Type::TF32;
    }
    return false;
}

std::uint32_t value(Cycles c, const DeviceTiming& t) {
    const auto base = [&]() -> std::uint32_t {
        switch (c.of) {
        case Of::Plain:
            return 0;
        case Of::Alu:
            return t.alu;
        case Of::Fp64:
            return t.fp64;
        case Of::Special:
            return t.special;
        case Of::Convert:
            return t.convert;
        case Of::Shuffle:
            return t.shuffle;
        case Of::Vote:
            return t.vote;
        case Of::Call:
            return t.call;
        case Of::BarrierCounts:
            return t.barrierCounts;
        case Of::BarrierReduces:
            return t.barrierReduces;
        }
        return 0;
    };
    return base() + c.plus;
}

} // namespace

bool isWide64(const ptx::Description& is) {
    return anyType(is, [](Type t) { return t == Type::S64 || t == Type::U64 || t == Type::B64; });
}

Cost costOf(const InstInfo& info, bool debug, const DeviceTiming& timing) {
    const OpClass c = info.opClass == OpClass::Other ? OpClass::Integer : info.opClass;
    for (const CostRow& row : rows)
        if (row.opClass == c && (row.opcode == any || row.opcode == info.is.opcode) &&
            holds(row.when, info, debug, timing))
            return {row.pipe, value(row.latency, timing), row.slots, value(row.gap, timing), row.special};
    return {};
}

// Fitted to the number of machine instructions of 67 kernels compiled with -G for sm_90: most of these are moves.
std::uint8_t unoptimisedSlots(const InstInfo& info, std::uint8_t otherwise) {
    const ptx::Description& is = info.is;
    const bool wide = isWide64(is), signs = anyType(is, [](Type t) { return t == Type::S32; });
    if (info.opClass == OpClass::Memory && info.space == MemorySpace::Param)
        return info.access == AccessKind::Store ? 2 : wide ? 6 : 3;
    if (info.isMemory)
        return info.access == AccessKind::Store ? 7 : 4;
    if (info.isBranch && info.isConditional)
        return 3;
    const bool predicates = anyType(is, [](Type t) { return t == Type::Pred; });
    switch (is.opcode) {
    case Opcode::Mov:
        return predicates ? 1 : 2;
    case Opcode::Cvta:
        return 7;
    case Opcode::Cvt:
        return !wide ? 2 : signs ? 11 : 6;
    case Opcode::Mul:
    case Opcode::Mad:
        return wide && !is.wide() ? 15 : std::max<std::uint8_t>(otherwise, 1);
    case Opcode::Div:
    case Opcode::Rem:
        return info.opClass == OpClass::Special && !anyType(is, [](Type t) { return ptx::isFloat(t); }) ? 42
                                                                                                        : otherwise;
    default:
        return std::max<std::uint8_t>(otherwise, 1);
    }
}

} // namespace warpglass::emulator
