// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons, selections and what is made of predicates.
#include "gpu/emulator/lanes/alu/lanes.h"

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

template <class T, Compare c>
inline bool compare(T a, T b) {
    if constexpr (c == Compare::Eq)
        return a == b;
    if constexpr (c == Compare::Ne)
        return isFloat<T> ? (a < b) | (a > b) : a != b;
    if constexpr (c == Compare::Lt || c == Compare::Lo)
        return a < b;
    if constexpr (c == Compare::Le || c == Compare::Ls)
        return a <= b;
    if constexpr (c == Compare::Gt || c == Compare::Hi)
        return a > b;
    if constexpr (c == Compare::Ge || c == Compare::Hs)
        return a >= b;
    if constexpr (c == Compare::Equ)
        return !((a < b) | (a > b));
    if constexpr (c == Compare::Neu)
        return a != b;
    if constexpr (c == Compare::Ltu)
        return !(a >= b);
    if constexpr (c == Compare::Leu)
        return !(a > b);
    if constexpr (c == Compare::Gtu)
        return !(a <= b);
    if constexpr (c == Compare::Geu)
        return !(a < b);
    if constexpr (c == Compare::Num)
        return (a == a) & (b == b);
    if constexpr (c == Compare::Nan)
        return (a != a) | (b != b);
}

template <class T, Compare c, bool ftz>
inline u32 compareLanes(Exec& x, const Inst& in) {
    const auto* a = rowAt<const Raw<T>>(x, in.a);
    const auto* b = rowAt<const Raw<T>>(x, in.b);
    alignas(64) u32 t[32];
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        if constexpr (ftz)
            t[i] = compare<T, c>(flush(decode<T>(a[i])), flush(decode<T>(b[i]))) ? ~0u : 0u;
        else
            t[i] = compare<T, c>(decode<T>(a[i]), decode<T>(b[i])) ? ~0u : 0u;
    }
    return packBits(t);
}
template <class T, Compare c, bool ftz>
bool setp(Exec& x, const Inst& in) {
    const u32 r = compareLanes<T, c, ftz>(x, in), m = activeMask(x, in);
    setPredicate(x, in.dst, m, r);
    if (in.compare.second != noRow)
        setPredicate(x, in.compare.second, m, ~r);
    return true;
}
template <class T, Compare c, bool ftz>
bool setpBool(Exec& x, const Inst& in) {
    const u32 r = compareLanes<T, c, ftz>(x, in), m = activeMask(x, in);
    using ptx::Operation;
    const u32 k = in.compare.negated ? ~predicate(x, in.c) : predicate(x, in.c);
    const Operation op = in.compare.combine;
    const auto with = [&](u32 v) { return op == Operation::And ? v & k : op == Operation::Or ? v | k : v ^ k; };
    setPredicate(x, in.dst, m, with(r));
    if (in.compare.second != noRow)
        setPredicate(x, in.compare.second, m, with(~r));
    return true;
}

template <class R>
bool selp(Exec& x, const Inst& in) {
    const auto* a = rowAt<const R>(x, in.a);
    const auto* b = rowAt<const R>(x, in.b);
    const u32 p = in.compare.negated ? ~predicate(x, in.c) : predicate(x, in.c);
    storeLanes(x, activeMask(x, in), rowAt<R>(x, in.dst), [=](int i) {
        const R k = R(i64(i32(0u - ((p >> i) & 1u))));
        return (a[i] & k) | (b[i] & ~k);
    });
    return true;
}

template <int op>
bool predicateOp(Exec& x, const Inst& in) {
    const u32 a = predicate(x, in.a), b = op >= 3 ? 0 : predicate(x, in.b);
    setPredicate(x, in.dst, activeMask(x, in), op == 0 ? a & b : op == 1 ? a | b : op == 2 ? a ^ b : op == 3 ? ~a : a);
    return true;
}

template <Compare c>
Handler setpForm(const AluKey& k) {
    const auto form = [&k](auto tag) -> Handler {
        using T = typename decltype(tag)::type;
        constexpr bool floatOnly = int(c) >= int(Compare::Equ);
        if constexpr (floatOnly && !isFloat<T>)
            return nullptr;
        else if constexpr (__is_same(T, float)) {
            if (k.op == AluOp::Setp)
                return k.ftz ? &setp<T, c, true> : &setp<T, c, false>;
            return k.ftz ? &setpBool<T, c, true> : &setpBool<T, c, false>;
        } else
            return k.op == AluOp::Setp ? &setp<T, c, false> : &setpBool<T, c, false>;
    };
    if constexpr (c == Compare::Eq || c == Compare::Ne) { // the same for either sign
        return k.type == ptx::Type::F32   ? form(Tag<float>{})
               : k.type == ptx::Type::F64 ? form(Tag<double>{})
                                          : forBits(k.type, form);
    } else
        return forNumber(k.type, form);
}

} // namespace

Handler compareHandler(const AluKey& k) {
    switch (k.op) {
    case AluOp::MovPred:
        return &predicateOp<4>;
    case AluOp::PredAnd:
        return &predicateOp<0>;
    case AluOp::PredOr:
        return &predicateOp<1>;
    case AluOp::PredXor:
        return &predicateOp<2>;
    case AluOp::PredNot:
        return &predicateOp<3>;
    case AluOp::Selp:
        return k.dstRowBytes == 8 ? &selp<u64> : &selp<u32>;
    case AluOp::Setp:
    case AluOp::SetpBool:
        break;
    default:
        return nullptr;
    }
    switch (k.compare) {
    case Compare::Eq:
        return setpForm<Compare::Eq>(k);
    case Compare::Ne:
        return setpForm<Compare::Ne>(k);
    case Compare::Lt:
    case Compare::Lo:
        return setpForm<Compare::Lt>(k);
    case Compare::Le:
    case Compare::Ls:
        return setpForm<Compare::Le>(k);
    case Compare::Gt:
    case Compare::Hi:
        return setpForm<Compare::Gt>(k);
    case Compare::Ge:
    case Compare::Hs:
        return setpForm<Compare::Ge>(k);
    case Compare::Equ:
        return setpForm<Compare::Equ>(k);
    case Compare::Neu:
        return setpForm<Compare::Neu>(k);
    case Compare::Ltu:
        return setpForm<Compare::Ltu>(k);
    case Compare::Leu:
        return setpForm<Compare::Leu>(k);
    case Compare::Gtu:
        return setpForm<Compare::Gtu>(k);
    case Compare::Geu:
        return setpForm<Compare::Geu>(k);
    case Compare::Num:
        return setpForm<Compare::Num>(k);
    case Compare::Nan:
        return setpForm<Compare::Nan>(k);
    }
    return nullptr;
}

} // namespace warpglass::emulator::WARPGLASS_ALU
