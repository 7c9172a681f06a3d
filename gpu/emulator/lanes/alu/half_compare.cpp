// SPDX-License-Identifier: GPL-3.0-or-later
// setp of halves, and set of everything: a comparison whose answer goes into a number instead of a predicate.
#include "gpu/emulator/lanes/alu/small_floats.h"

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

struct Order { // a bit a lane
    u32 less = 0, equal = 0, greater = 0;
};

// An f32 that compares as the half does: its bits, which stand in the same order, and a NaN for a NaN.
template <class F>
inline float ordered(u32 v) {
    return __builtin_bit_cast(float, v << 16 | (i32(v & 0x7fff) > i32(F::infinity) ? 0x7fc00000u : 0u));
}

template <class F>
inline Order order(const u32* a, const u32* b, u32 shift, bool ftz) {
    alignas(64) u32 less[32], equal[32], greater[32];
    const u32 stays = ftz ? u32(F::sign) : 0xffffu; // of a subnormal
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        u32 va = (a[i] >> shift) & 0xffff, vb = (b[i] >> shift) & 0xffff;
        va &= (va & F::infinity) == 0 ? stays : ~0u;
        vb &= (vb & F::infinity) == 0 ? stays : ~0u;
        const float fa = ordered<F>(va), fb = ordered<F>(vb);
        less[i] = fa < fb ? ~0u : 0u;
        equal[i] = fa == fb ? ~0u : 0u;
        greater[i] = fa > fb ? ~0u : 0u;
    }
    return {packBits(less), packBits(equal), packBits(greater)};
}

inline u32 answer(Compare c, const Order& o) {
    const u32 unordered = ~(o.less | o.equal | o.greater);
    switch (c) {
    case Compare::Eq:
        return o.equal;
    case Compare::Ne:
        return o.less | o.greater;
    case Compare::Lt:
        return o.less;
    case Compare::Le:
        return o.less | o.equal;
    case Compare::Gt:
        return o.greater;
    case Compare::Ge:
        return o.greater | o.equal;
    case Compare::Equ:
        return o.equal | unordered;
    case Compare::Neu:
        return ~o.equal;
    case Compare::Ltu:
        return o.less | unordered;
    case Compare::Leu:
        return ~o.greater;
    case Compare::Gtu:
        return o.greater | unordered;
    case Compare::Geu:
        return ~o.less;
    case Compare::Num:
        return ~unordered;
    default:
        return unordered;
    }
}

// One half a register: p, and q = not p if there is one. Two: p is of the lower one, q of the upper one.
template <class F>
bool halfCompare(Exec& x, const Inst& in) {
    const ComparePart& k = in.compare;
    const auto* a = rowAt<const u32>(x, in.a);
    const auto* b = rowAt<const u32>(x, in.b);
    const u32 first = answer(k.compare, order<F>(a, b, 0, k.ftz));
    const u32 second = k.pair ? answer(k.compare, order<F>(a, b, 16, k.ftz)) : ~first;
    const u32 m = activeMask(x, in);
    using ptx::Operation;
    const Operation op = k.combine;
    const u32 c = op == Operation::None ? 0 : k.negated ? ~predicate(x, in.c) : predicate(x, in.c);
    const auto with = [&](u32 v) {
        return op == Operation::None ? v : op == Operation::And ? v & c : op == Operation::Or ? v | c : v ^ c;
    };
    if (in.dst != noRow)
        setPredicate(x, in.dst, m, with(first));
    if (k.second != noRow)
        setPredicate(x, k.second, m, with(second));
    return true;
}

// The comparison leaves its answers in predicates that no register names.
bool set(Exec& x, const Inst& in) {
    const ComparePart& k = in.compare;
    Inst comparison = in;
    comparison.guard = {};
    comparison.dst = k.answer;
    k.run(x, comparison);
    const u32 first = predicate(x, k.answer), m = activeMask(x, in);
    using ptx::Type;
    const u32 yes = k.to == Type::F32                            ? 0x3f800000u
                    : k.to == Type::F16 || k.to == Type::F16x2   ? 0x3c00u
                    : k.to == Type::BF16 || k.to == Type::BF16x2 ? 0x3f80u
                    : k.pair || ptx::bytesOf(k.to) == 2          ? 0xffffu
                                                                 : ~0u;
    const u32 second = k.pair ? predicate(x, k.second) : 0;
    storeLanes(x, m, rowAt<u32>(x, in.dst),
               [=](int i) { return (yes & (0 - ((first >> i) & 1))) | (yes << 16 & (0 - ((second >> i) & 1))); });
    return true;
}

} // namespace

Handler halfCompareHandler(bool bf16) {
    return bf16 ? &halfCompare<BF16> : &halfCompare<F16>;
}
Handler setHandler() {
    return &set;
}

} // namespace warpglass::emulator::WARPGLASS_ALU
