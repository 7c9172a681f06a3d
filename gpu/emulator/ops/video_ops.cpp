// SPDX-License-Identifier: GPL-3.0-or-later
// Video instructions (PTX ISA, scalar and SIMD video instructions).
//
// Both kinds go the same way: elements of 8, 16 or 32 bits are taken from a and b and extended by their type, combined
// without loss, clamped if .sat asks for it, and then either joined with c by a second operation or put into a part of
// it. Scalar ones take one element from each of a and b; SIMD ones take two or four, each from a and b together, which
// count as one row of eight bytes with a's lowest.
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/emulator/run/exec.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

using ptx::Compare;
using ptx::Opcode;
using ptx::Operation;

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
__extension__ typedef __int128 i128;

i64 element(u64 from, u32 place, u32 bits, bool isSigned) {
    const u64 high = from >> (place * bits) << (64 - bits);
    return isSigned ? i64(high) >> (64 - bits) : i64(high >> (64 - bits));
}

template <class T>
T clamped(T v, u32 bits, bool isSigned) {
    const T most = isSigned ? (T(1) << (bits - 1)) - 1 : (T(1) << bits) - 1;
    return std::clamp<T>(v, isSigned ? -most - 1 : T(0), most);
}

bool holds(Compare compare, i64 a, i64 b) {
    switch (compare) {
    case Compare::Eq:
        return a == b;
    case Compare::Ne:
        return a != b;
    case Compare::Lt:
        return a < b;
    case Compare::Le:
        return a <= b;
    case Compare::Gt:
        return a > b;
    default:
        return a >= b;
    }
}

// The opcodes of both kinds fall together: vadd, vadd2 and vadd4 add.
template <Opcode op>
i64 combined(const VideoPart& v, i64 a, i64 b) {
    if constexpr (op == Opcode::Vadd)
        return a + b;
    if constexpr (op == Opcode::Vsub)
        return a - b;
    if constexpr (op == Opcode::Vabsdiff)
        return a < b ? b - a : a - b;
    if constexpr (op == Opcode::Vmin)
        return std::min(a, b);
    if constexpr (op == Opcode::Vmax)
        return std::max(a, b);
    if constexpr (op == Opcode::Vavrg2)
        return (a + b + (a + b >= 0)) >> 1; // halves are rounded away from zero
    if constexpr (op == Opcode::Vset)
        return holds(v.compare, a, b);
    return 0;
}

template <class T>
T clampedResult(const VideoPart& v, T result) {
    return v.sat ? clamped<T>(result, v.resultBits, v.resultSigned) : result;
}

u32 joined(const VideoPart& v, i64 result, u32 c) {
    const i64 third = v.resultSigned ? i64(std::int32_t(c)) : i64(c);
    switch (v.second) {
    case Operation::Add:
        return u32(u64(result) + c);
    case Operation::Min:
        return u32(std::min(result, third));
    case Operation::Max:
        return u32(std::max(result, third));
    default:
        break;
    }
    if (v.resultBits == 32)
        return u32(result);
    const u32 kept = ((1u << v.resultBits) - 1) << v.resultAt;
    return (u32(result) << v.resultAt & kept) | (c & ~kept);
}

template <class F>
bool each(Exec& x, const Inst& in, F f) {
    const auto *a = rowAt<const u32>(x, in.a), *b = rowAt<const u32>(x, in.b), *c = rowAt<const u32>(x, in.c);
    auto* d = rowAt<u32>(x, in.dst);
    for (u32 m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        d[lane] = f(a[lane], b[lane], c[lane]);
    }
    return true;
}

template <Opcode op>
bool scalar(Exec& x, const Inst& in) {
    const VideoPart& v = in.video;
    return each(x, in, [&](u32 a, u32 b, u32 c) {
        const i64 first = element(a, v.first[0], v.firstBits, v.firstSigned);
        const i64 other = element(b, v.other[0], v.otherBits, v.otherSigned);
        return joined(v, clampedResult(v, combined<op>(v, first, other)), c);
    });
}

template <bool left>
bool shift(Exec& x, const Inst& in) {
    const VideoPart& v = in.video;
    return each(x, in, [&](u32 a, u32 b, u32 c) {
        const i64 value = element(a, v.first[0], v.firstBits, v.firstSigned);
        const u32 asked = u32(element(b, v.other[0], v.otherBits, false));
        const u32 by = v.wraps ? asked & 31 : std::min(asked, 32u);
        // 33 bits and the shift's 32 are more than 64; only the clamp looks beyond the low half.
        const i128 result = left ? i128(value) << by : i128(value >> by);
        return joined(v, i64(clampedResult<i128>(v, result)), c);
    });
}

bool multiplyAdd(Exec& x, const Inst& in) {
    const VideoPart& v = in.video;
    return each(x, in, [&](u32 a, u32 b, u32 c) {
        const i128 product = i128(element(a, v.first[0], v.firstBits, v.firstSigned)) *
                             element(b, v.other[0], v.otherBits, v.otherSigned);
        const i64 third = v.resultSigned ? i64(std::int32_t(c)) : i64(c);
        i128 sum = v.minusProduct ? -product : product;
        sum += v.minusThird ? -third : third;
        sum = (sum + v.plusOne) >> v.scale;
        return u32(v.sat ? clamped<i128>(sum, 32, v.resultSigned) : sum);
    });
}

template <Opcode op, u32 elements>
bool simd(Exec& x, const Inst& in) {
    constexpr u32 bits = 32 / elements, ones = (1u << bits) - 1;
    const VideoPart& v = in.video;
    return each(x, in, [&](u32 a, u32 b, u32 c) {
        const u64 both = a | u64(b) << 32;
        u32 result = c;
        for (u32 k = 0; k < elements; ++k) {
            if (!(v.mask >> k & 1))
                continue;
            const i64 r = clampedResult(v, combined<op>(v, element(both, v.first[k], bits, v.firstSigned),
                                                        element(both, v.other[k], bits, v.otherSigned)));
            if (v.second == Operation::Add)
                result += u32(r);
            else
                result = (result & ~(ones << (bits * k))) | (u32(r) & ones) << (bits * k);
        }
        return result;
    });
}

} // namespace

Handler videoHandler(Opcode opcode) {
    switch (opcode) {
    case Opcode::Vadd:
        return &scalar<Opcode::Vadd>;
    case Opcode::Vsub:
        return &scalar<Opcode::Vsub>;
    case Opcode::Vabsdiff:
        return &scalar<Opcode::Vabsdiff>;
    case Opcode::Vmin:
        return &scalar<Opcode::Vmin>;
    case Opcode::Vmax:
        return &scalar<Opcode::Vmax>;
    case Opcode::Vset:
        return &scalar<Opcode::Vset>;
    case Opcode::Vshl:
        return &shift<true>;
    case Opcode::Vshr:
        return &shift<false>;
    case Opcode::Vmad:
        return &multiplyAdd;
    case Opcode::Vadd2:
        return &simd<Opcode::Vadd, 2>;
    case Opcode::Vsub2:
        return &simd<Opcode::Vsub, 2>;
    case Opcode::Vavrg2:
        return &simd<Opcode::Vavrg2, 2>;
    case Opcode::Vabsdiff2:
        return &simd<Opcode::Vabsdiff, 2>;
    case Opcode::Vmin2:
        return &simd<Opcode::Vmin, 2>;
    case Opcode::Vmax2:
        return &simd<Opcode::Vmax, 2>;
    case Opcode::Vset2:
        return &simd<Opcode::Vset, 2>;
    case Opcode::Vadd4:
        return &simd<Opcode::Vadd, 4>;
    case Opcode::Vsub4:
        return &simd<Opcode::Vsub, 4>;
    case Opcode::Vavrg4:
        return &simd<Opcode::Vavrg2, 4>;
    case Opcode::Vabsdiff4:
        return &simd<Opcode::Vabsdiff, 4>;
    case Opcode::Vmin4:
        return &simd<Opcode::Vmin, 4>;
    case Opcode::Vmax4:
        return &simd<Opcode::Vmax, 4>;
    case Opcode::Vset4:
        return &simd<Opcode::Vset, 4>;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator
