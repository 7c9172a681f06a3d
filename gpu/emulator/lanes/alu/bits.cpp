// SPDX-License-Identifier: GPL-3.0-or-later
// Bit fields and permutations as arithmetic on masks, so that 32 lanes are a loop without branches. Definitions: PTX
// ISA, integer and logic instructions.
#include "gpu/emulator/lanes/alu/lanes.h"

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

// Shifts by any amount: over the width nothing is left.
template <class T>
inline T left(T v, u32 n) {
    return n < 8 * sizeof(T) ? T(v << (n & (8 * sizeof(T) - 1))) : T(0);
}
template <class T>
inline T right(T v, u32 n) {
    return n < 8 * sizeof(T) ? T(v >> (n & (8 * sizeof(T) - 1))) : T(0);
}
template <class T>
inline T lowBits(u32 n) {
    return T(left<T>(T(1), n) - 1); // over the width: 0 - 1, all of them
}

template <class T>
struct Operands {
    const T *a, *b;
    const u32 *b32, *c, *d;
    Operands(Exec& x, const Inst& in)
        : a(rowAt<const T>(x, in.a)), b(rowAt<const T>(x, in.b)), b32(rowAt<const u32>(x, in.b)),
          c(rowAt<const u32>(x, in.c)), d(rowAt<const u32>(x, in.bits.fourth)) {}
};

template <class T>
bool brev(Exec& x, const Inst& in) {
    const auto* a = rowAt<const T>(x, in.a);
    storeLanes(x, activeMask(x, in), rowAt<T>(x, in.dst), [=](int i) {
        T v = a[i]; // neighbours change places: bits, pairs, fours, bytes, ...
        v = T((v >> 1 & T(0x5555555555555555)) | (v & T(0x5555555555555555)) << 1);
        v = T((v >> 2 & T(0x3333333333333333)) | (v & T(0x3333333333333333)) << 2);
        v = T((v >> 4 & T(0x0f0f0f0f0f0f0f0f)) | (v & T(0x0f0f0f0f0f0f0f0f)) << 4);
        v = T((v >> 8 & T(0x00ff00ff00ff00ff)) | (v & T(0x00ff00ff00ff00ff)) << 8);
        v = T((v >> 16 & T(0x0000ffff0000ffff)) | (v & T(0x0000ffff0000ffff)) << 16);
        if constexpr (sizeof(T) == 8)
            v = v >> 32 | v << 32;
        return v;
    });
    return true;
}

// Places and lengths are 0 to 255 by the PTX ISA; of more, 32-bit forms take the lower eight bits, and 64-bit ones, which are
// shifts on an H200, come out as with 255.
template <class T>
inline u32 upTo255(u32 v) {
    return sizeof(T) == 8 ? (v < 255 ? v : 255) : v & 0xff;
}

// len bits of a from pos on; bits of a beyond its end are copies of the field's sign, or 0.
template <class T, bool withSign>
bool bfe(Exec& x, const Inst& in) {
    constexpr u32 msb = 8 * sizeof(T) - 1;
    const Operands<T> from(x, in);
    storeLanes(x, activeMask(x, in), rowAt<T>(x, in.dst), [=](int i) {
        const T a = from.a[i];
        const u32 pos = upTo255<T>(from.b32[i]), len = upTo255<T>(from.c[i]), last = pos + len - 1;
        const T field = lowBits<T>(len);
        const T value = T(right(a, pos) & field);
        if constexpr (!withSign)
            return value;
        const T sign = T(T(0) - (right(a, last < msb ? last : msb) & 1));
        const T known = T(field & right(T(~T(0)), pos)); // bits that a has
        return len == 0 ? T(0) : T(value | (sign & ~known));
    });
    return true;
}

// len bits of a put into b at pos.
template <class T>
bool bfi(Exec& x, const Inst& in) {
    const Operands<T> from(x, in);
    storeLanes(x, activeMask(x, in), rowAt<T>(x, in.dst), [=](int i) {
        const u32 pos = upTo255<T>(from.c[i]), len = upTo255<T>(from.d[i]);
        const T field = left(lowBits<T>(len), pos);
        return T((from.b[i] & ~field) | (left(from.a[i], pos) & field));
    });
    return true;
}

// The table as a choice by c between two choices by b between two functions of a.
inline u32 choose(u32 by, u32 one, u32 zero) {
    return zero ^ (by & (one ^ zero));
}
bool lop3(Exec& x, const Inst& in) {
    const Operands<u32> from(x, in);
    const auto ones = [&](u32 k) { return 0u - (u32(in.bits.table) >> k & 1u); };
    const u32 t0 = ones(0), t1 = ones(1), t2 = ones(2), t3 = ones(3), t4 = ones(4), t5 = ones(5), t6 = ones(6),
              t7 = ones(7);
    storeLanes(x, activeMask(x, in), rowAt<u32>(x, in.dst), [=](int i) {
        const u32 a = from.a[i], b = from.b[i], c = from.c[i];
        return choose(c, choose(b, choose(a, t7, t3), choose(a, t5, t1)),
                      choose(b, choose(a, t6, t2), choose(a, t4, t0)));
    });
    return true;
}

bool shf(Exec& x, const Inst& in) {
    const Operands<u32> from(x, in);
    const u32 m = activeMask(x, in);
    const bool clamps = in.bits.clamps;
    const auto amount = [=](int i) { return clamps ? (from.c[i] < 32 ? from.c[i] : 32) : from.c[i] & 31; };
    const auto both = [=](int i) { return from.a[i] | u64(from.b[i]) << 32; };
    if (in.bits.right)
        storeLanes(x, m, rowAt<u32>(x, in.dst), [=](int i) { return u32(both(i) >> amount(i)); });
    else
        storeLanes(x, m, rowAt<u32>(x, in.dst), [=](int i) { return u32((both(i) << amount(i)) >> 32); });
    return true;
}

// What the selector of a mode of prmt is in the default mode: four numbers of bytes, 4 bits each.
u32 selectorOf(u32 mode, u32 c) {
    const u32 s = c & 3;
    u32 selector = 0;
    for (u32 k = 0; k < 4; ++k) {
        u32 byte = 0;
        switch (mode) {
        case 1: // f4e
            byte = (s + k) & 7;
            break;
        case 2: // b4e
            byte = (s - k) & 7;
            break;
        case 3: // rc8
            byte = s;
            break;
        case 4: // ecl
            byte = k > s ? k : s;
            break;
        case 5: // ecr
            byte = k < s ? k : s;
            break;
        default: // rc16
            byte = (s & 1) * 2 + (k & 1);
            break;
        }
        selector |= byte << (4 * k);
    }
    return selector;
}
inline u32 permuted(u32 a, u32 b, u32 selector) {
    u32 r = 0;
#pragma GCC unroll 4
    for (u32 k = 0; k < 4; ++k) {
        const u32 s = selector >> (4 * k);
        const u32 byte = (s & 4 ? b : a) >> (8 * (s & 3)) & 0xff;
        const u32 sign = (0u - (byte >> 7)) & 0xff;
        r |= (s & 8 ? sign : byte) << (8 * k);
    }
    return r;
}
bool prmt(Exec& x, const Inst& in) { // mode: 0 default, 1 f4e, 2 b4e, 3 rc8, 4 ecl, 5 ecr, 6 rc16
    const u32 m = activeMask(x, in);
    if (m == 0)
        return true;
    const Operands<u32> from(x, in);
    auto* d = rowAt<u32>(x, in.dst);
    if (in.bits.mode == 0 && !sameInAll(x, m, from.c)) {
        storeLanes(x, m, d, [=](int i) { return permuted(from.a[i], from.b[i], from.c[i]); });
        return true;
    }
    if (in.bits.mode == 0) { // as compilers write it: one selector for all
        const u32 selector = from.c[__builtin_ctz(m)];
        storeLanes(x, m, d, [=](int i) { return permuted(from.a[i], from.b[i], selector); });
        return true;
    }
    const u32 mode = in.bits.mode;
    // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the loop over lanes reads them
    const u32 selectors[4] = {selectorOf(mode, 0), selectorOf(mode, 1), selectorOf(mode, 2), selectorOf(mode, 3)};
    storeLanes(x, m, d, [=](int i) { return permuted(from.a[i], from.b[i], selectors[from.c[i] & 3]); });
    return true;
}

template <class T>
inline T countOnes(T v) {
    v = T(v - (v >> 1 & T(0x5555555555555555)));
    v = T((v & T(0x3333333333333333)) + (v >> 2 & T(0x3333333333333333)));
    v = T((v + (v >> 4)) & T(0x0f0f0f0f0f0f0f0f));
    v = T(v + (v >> 8));
    v = T(v + (v >> 16));
    if constexpr (sizeof(T) == 8)
        v = v + (v >> 32);
    return v & 0x7f;
}
template <class T>
bool popc(Exec& x, const Inst& in) {
    const auto* a = rowAt<const T>(x, in.a);
    storeLanes(x, activeMask(x, in), rowAt<u32>(x, in.dst), [=](int i) { return u32(countOnes(a[i])); });
    return true;
}
template <class T>
bool clz(Exec& x, const Inst& in) { // the zeros above the first one, made ones below it, are what is not counted
    const auto* a = rowAt<const T>(x, in.a);
    storeLanes(x, activeMask(x, in), rowAt<u32>(x, in.dst), [=](int i) {
        T v = a[i];
        v |= v >> 1;
        v |= v >> 2;
        v |= v >> 4;
        v |= v >> 8;
        v |= v >> 16;
        if constexpr (sizeof(T) == 8)
            v |= v >> 32;
        return u32(countOnes(T(~v)));
    });
    return true;
}

} // namespace

Handler bitsHandler(const AluKey& key) {
    const bool wide = bytesOf(key.type) == 8, withSign = ptx::isSigned(key.type);
    switch (key.op) {
    case AluOp::Brev:
        return wide ? &brev<u64> : &brev<u32>;
    case AluOp::Bfe:
        if (withSign)
            return wide ? &bfe<u64, true> : &bfe<u32, true>;
        return wide ? &bfe<u64, false> : &bfe<u32, false>;
    case AluOp::Bfi:
        return wide ? &bfi<u64> : &bfi<u32>;
    case AluOp::Lop3:
        return &lop3;
    case AluOp::Shf:
        return &shf;
    case AluOp::Prmt:
        return &prmt;
    case AluOp::Popc:
        return wide ? &popc<u64> : &popc<u32>;
    case AluOp::Clz:
        return wide ? &clz<u64> : &clz<u32>;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator::WARPGLASS_ALU
