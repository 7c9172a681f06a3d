// SPDX-License-Identifier: GPL-3.0-or-later
// What the words of one instruction mean, read once.
#pragma once

#include "gpu/ptx/instruction_set.h"

namespace warpglass::ptx {

enum class Rounding : std::uint8_t { Nearest, Zero, Down, Up, NearestAway, Stochastic };
enum class Compare : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Lo, Ls, Hi, Hs, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };
// Of atom, red, redux and bar.red; And, Or and Xor also of setp with a predicate.
enum class Operation : std::uint8_t { None, Add, Min, Max, Inc, Dec, And, Or, Xor, Exch, Cas, Popc };
enum class ShuffleMode : std::uint8_t { Up, Down, Bfly, Idx };
enum class VoteMode : std::uint8_t { All, Any, Uni, Ballot };
enum class Half : std::uint8_t { Low, High, Wide }; // of a product
enum class Access : std::uint8_t { None, Load, Store, Atomic };
enum class CacheOperator : std::uint8_t { Default, Ca, Cg, Cs, Lu, Cv, Wb, Wt, Nc };
enum class Semantics : std::uint8_t {
    Default, // weak
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    Sequential,
    Volatile,
    Mmio
};
enum class Scope : std::uint8_t { Default, Cta, Cluster, Gpu, System };

struct Description {
    Opcode opcode = Opcode::Unknown;
    Family family = Family::Unknown;
    std::uint8_t typeCount = 0;
    std::array<Type, 4> types{}; // in order of the text; further ones are left out

    StateSpace space = StateSpace::Generic;
    bool cluster = false;    // .shared::cluster, barrier.cluster
    bool entryParam = false; // .param::entry
    Access access = Access::None;
    std::uint8_t elements = 1; // .v2 .v4 .v8
    CacheOperator cache = CacheOperator::Default;
    Semantics semantics = Semantics::Default;
    Scope scope = Scope::Default;

    bool rounds = false; // a rounding is named
    Rounding rounding = Rounding::Nearest;
    bool integral = false; // .rni .rzi .rmi .rpi
    bool ftz = false, sat = false, satfinite = false, relu = false, oob = false, nan = false, xorsign = false,
         absolute = false, approx = false, full = false, packs = false, carryOut = false, noftz = false,
         shiftAmount = false;
    Half half = Half::Low;
    bool compares = false;
    Compare compare = Compare::Eq;
    Operation operation = Operation::None;

    ShuffleMode shuffle = ShuffleMode::Idx;
    VoteMode vote = VoteMode::All;
    bool all = false; // match.all
    bool sync = false, arrive = false, reduces = false, warp = false, aligned = false, toSpace = false;
    bool right = false, clamp = false, wrap = false; // shf, szext, bmsk
    Modifier mode = Modifier::Unknown;               // of prmt and testp

    Type type() const { return typeCount == 0 ? Type::None : types[typeCount - 1u]; } // the last one
    Type firstType() const { return types[0]; }                                       // the result's, of cvt and set
    std::uint32_t bytes() const { return std::uint32_t(bytesOf(type())); }            // of an element
    bool wide() const { return half == Half::Wide; }
    bool jumps() const { return family == Family::Branch; }
};
Description describe(const Instruction& instruction);
// Of an instruction's first word as it stands in the text: "mad.lo.s32".
Description describe(std::string_view opcodeWithModifiers);

} // namespace warpglass::ptx
