// SPDX-License-Identifier: GPL-3.0-or-later
// Video instructions (PTX ISA, scalar and SIMD video instructions) but for shifts and vmad (ops/video_ops.cpp).
//
// Both kinds go the same way: elements of 8, 16 or 32 bits are taken from a and b and extended by their type, combined
// without loss, clamped if .sat asks for it, and then either joined with c by a second operation or put into a part of
// it. Scalar ones take one element from each of a and b; SIMD ones take two or four, each from a and b together, which
// count as one row of eight bytes with a's lowest. What an instruction leaves open is the same for all lanes: each step
// is a loop of its own over them.
#include "gpu/emulator/lanes/alu/lanes.h"

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

using ptx::Opcode;
using ptx::Operation;

// Elements of so many bits at bit `at`, as numbers. T: room for what is made of two of them.
template <class T>
void elements(const u32* row, u32 at, u32 bits, bool isSignedElement, T* to) {
    const u32 ones = u32(~u64(0) >> (64 - bits));
    const auto sign = T(isSignedElement ? u64(1) << (bits - 1) : 0);
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        to[i] = T(T(Wrap<T>(row[i] >> at & ones)) ^ sign) - sign;
}

// Which of less, equal and greater a comparison takes: all ones or none.
template <class T>
struct Taken {
    T less = 0, equal = 0, greater = 0;
    explicit Taken(Compare compare) {
        using enum Compare;
        const auto is = [&](Compare one, Compare other, Compare third) {
            return T(compare == one || compare == other || compare == third ? 1 : 0);
        };
        less = is(Lt, Le, Ne);
        equal = is(Eq, Le, Ge);
        greater = is(Gt, Ge, Ne);
    }
};

// The opcodes of both kinds fall together: vadd, vadd2 and vadd4 add.
template <Opcode op, class T>
T combined(T a, T b, const Taken<T>& taken) {
    if constexpr (op == Opcode::Vadd)
        return a + b;
    if constexpr (op == Opcode::Vsub)
        return a - b;
    if constexpr (op == Opcode::Vabsdiff)
        return a < b ? b - a : a - b;
    if constexpr (op == Opcode::Vmin)
        return a < b ? a : b;
    if constexpr (op == Opcode::Vmax)
        return a < b ? b : a;
    if constexpr (op == Opcode::Vavrg2)
        return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; // halves are rounded away from zero
    if constexpr (op == Opcode::Vset)
        return a < b ? taken.less : a == b ? taken.equal : taken.greater;
    return 0;
}

template <Opcode op, class T>
void combine(const VideoPart& v, T* a, const T* b) {
    const Taken<T> taken(v.compare);
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        a[i] = combined<op, T>(a[i], b[i], taken);
    if (!v.sat)
        return;
    const T most = T((u64(1) << (v.resultBits - (v.resultSigned ? 1 : 0))) - 1), least = v.resultSigned ? -most - 1 : 0;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const T low = a[i] < least ? least : a[i];
        a[i] = low > most ? most : low;
    }
}

void write(Exec& x, const Inst& in, const u32* results) {
    storeLanes(x, activeMask(x, in), rowAt<u32>(x, in.dst), [&](int i) { return results[i]; });
}

template <Opcode op>
bool scalar(Exec& x, const Inst& in) {
    const VideoPart& v = in.video;
    const u32* c = rowAt<const u32>(x, in.c);
    alignas(64) i64 a[32], b[32];
    alignas(64) u32 r[32];
    elements<i64>(rowAt<const u32>(x, in.a), u32(v.first[0]) * v.firstBits, v.firstBits, v.firstSigned, a);
    elements<i64>(rowAt<const u32>(x, in.b), u32(v.other[0]) * v.otherBits, v.otherBits, v.otherSigned, b);
    combine<op>(v, a, b);
    const auto each = [&](auto f) {
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            r[i] = f(a[i], c[i]);
    };
    const u32 kept = u32(~u64(0) >> (64 - v.resultBits)) << v.resultAt;
    if (v.second == Operation::Add)
        each([](i64 result, u32 third) { return u32(u64(result) + third); });
    else if (v.second == Operation::Min && v.resultSigned)
        each([](i64 result, u32 third) { return u32(result < i32(third) ? result : i64(i32(third))); });
    else if (v.second == Operation::Min)
        each([](i64 result, u32 third) { return u32(result < i64(third) ? result : i64(third)); });
    else if (v.second == Operation::Max && v.resultSigned)
        each([](i64 result, u32 third) { return u32(result > i32(third) ? result : i64(i32(third))); });
    else if (v.second == Operation::Max)
        each([](i64 result, u32 third) { return u32(result > i64(third) ? result : i64(third)); });
    else
        each([kept, at = v.resultAt](i64 result, u32 third) { return (u32(result) << at & kept) | (third & ~kept); });
    write(x, in, r);
    return true;
}

template <Opcode op, u32 count>
bool simd(Exec& x, const Inst& in) {
    constexpr u32 bits = 32 / count, ones = (1u << bits) - 1;
    const VideoPart& v = in.video;
    const u32 *rows[2] = {rowAt<const u32>(x, in.a), rowAt<const u32>(x, in.b)}, *c = rowAt<const u32>(x, in.c);
    alignas(64) u32 r[32];
    std::memcpy(r, c, sizeof r);
    for (u32 k = 0; k < count; ++k) {
        if (!(v.mask >> k & 1))
            continue;
        alignas(64) i32 a[32], b[32];
        elements<i32>(rows[v.first[k] / count], v.first[k] % count * bits, bits, v.firstSigned, a);
        elements<i32>(rows[v.other[k] / count], v.other[k] % count * bits, bits, v.otherSigned, b);
        combine<op>(v, a, b);
        if (v.second == Operation::Add)
#pragma GCC ivdep
            for (int i = 0; i < 32; ++i)
                r[i] += u32(a[i]);
        else
#pragma GCC ivdep
            for (int i = 0; i < 32; ++i)
                r[i] = (r[i] & ~(ones << (bits * k))) | (u32(a[i]) & ones) << (bits * k);
    }
    write(x, in, r);
    return true;
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

} // namespace warpglass::emulator::WARPGLASS_ALU
