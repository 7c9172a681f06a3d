// SPDX-License-Identifier: GPL-3.0-or-later
// Bit fields, permutations, carries, packing, lane by lane. Definitions: PTX ISA, integer and logic instructions.
#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/emulator/state/exec.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
__extension__ typedef unsigned __int128 u128;

// A handler from a function of up to four values; R result, A first operands, C further 32-bit operands.
template <class R, class A, class F>
bool each(Exec& x, const Inst& in, F f) {
    R* const d = rowAt<R>(x, in.dst);
    const A* const a = rowAt<const A>(x, in.a);
    u32 m = activeMask(x, in);
    if (m == ~0u) {
        for (int lane = 0; lane < 32; ++lane)
            d[lane] = f(a[lane], lane);
        return true;
    }
    for (; m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        d[lane] = f(a[lane], lane);
    }
    return true;
}
template <class T>
T at(Exec& x, Row row, int lane) {
    return rowAt<const T>(x, row)[lane];
}

template <class T>
bool bfind(Exec& x, const Inst& in) {
    return each<u32, T>(x, in, [&](T a, int) {
        if (in.bits.isSigned && a >> (8 * sizeof(T) - 1))
            a = ~a;
        if (a == 0)
            return ~0u;
        const u32 high = u32(8 * sizeof(T)) - 1 - u32(std::countl_zero(a));
        return in.bits.shiftAmount ? u32(8 * sizeof(T)) - 1 - high : high;
    });
}
u32 lop3Of(u32 table, u32 a, u32 b, u32 c) {
    u32 r = 0;
    for (u32 k = 0; k < 8; ++k)
        if (table >> k & 1)
            r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return r;
}
template <bool conjunction>
bool lop3Predicate(Exec& x, const Inst& in) {
    const u32 m = activeMask(x, in);
    const u32 q = in.bits.high ? ~predicate(x, in.bits.fourth) : predicate(x, in.bits.fourth);
    u32 notZero = 0;
    for (u32 rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const u32 r = lop3Of(in.bits.table, at<u32>(x, in.a, lane), at<u32>(x, in.b, lane), at<u32>(x, in.c, lane));
        if (in.dst != noRow)
            rowAt<u32>(x, in.dst)[lane] = r;
        notZero |= u32(r != 0) << lane;
    }
    if (in.bits.second != noRow)
        setPredicate(x, in.bits.second, m, conjunction ? notZero & q : notZero | q);
    return true;
}
template <bool isSigned>
bool sad16(Exec& x, const Inst& in) { // 16-bit registers lie in the low half of 32 bits
    return each<u32, u32>(x, in, [&](u32 ua, int lane) {
        const u32 ub = at<u32>(x, in.b, lane), c = at<u32>(x, in.c, lane);
        const i32 a = isSigned ? i32(std::int16_t(ua)) : i32(ua & 0xffff);
        const i32 b = isSigned ? i32(std::int16_t(ub)) : i32(ub & 0xffff);
        return (c + u32(a < b ? b - a : a - b)) & 0xffff;
    });
}
template <class T>
bool sad(Exec& x, const Inst& in) {
    using U = std::make_unsigned_t<T>;
    return each<U, U>(x, in, [&](U ua, int lane) {
        const T a = T(ua), b = T(at<U>(x, in.b, lane));
        return U(at<U>(x, in.c, lane) + (a < b ? U(b) - U(a) : U(a) - U(b)));
    });
}
template <class T>
bool slct(Exec& x, const Inst& in) { // by the sign of c
    return each<T, T>(x, in, [&](T a, int lane) {
        const u32 c = at<u32>(x, in.c, lane);
        const float f = in.bits.ftz && (c & 0x7f800000) == 0 ? 0.0f : std::bit_cast<float>(c);
        const bool first = in.bits.byFloat ? f >= 0 : i32(c) >= 0;
        return first ? a : at<T>(x, in.b, lane);
    });
}
template <class T>
bool cnot(Exec& x, const Inst& in) {
    return each<T, T>(x, in, [](T a, int) { return T(a == 0); });
}
bool szext(Exec& x, const Inst& in) {
    return each<u32, u32>(x, in, [&](u32 a, int lane) {
        u32 n = at<u32>(x, in.b, lane);
        n = in.bits.wraps ? n & 31 : std::min(n, 32u);
        if (n == 0)
            return 0u;
        const u32 low = n == 32 ? a : a & ((1u << n) - 1);
        return in.bits.isSigned && n < 32 && (a >> (n - 1) & 1) ? low | ~((1u << n) - 1) : low;
    });
}
bool bmsk(Exec& x, const Inst& in) {
    return each<u32, u32>(x, in, [&](u32 a, int lane) {
        u32 b = at<u32>(x, in.b, lane);
        if (in.bits.wraps)
            a &= 31, b &= 31;
        if (a >= 32)
            return 0u;
        const u64 ones = b >= 32 ? 0xffffffffull : (u64(1) << b) - 1;
        return u32(ones << a);
    });
}
bool mul24(Exec& x, const Inst& in) { // and mad24
    return each<u32, u32>(x, in, [&](u32 a, int lane) {
        const u32 b = at<u32>(x, in.b, lane);
        const i64 p =
            in.bits.isSigned ? i64(i32(a << 8) >> 8) * i64(i32(b << 8) >> 8) : i64(u64(a & 0xffffff) * (b & 0xffffff));
        const u32 r = in.bits.high ? u32(u64(p) >> 16) : u32(u64(p));
        if (in.bits.clamps) {
            const i64 sum = (p >> 16) + i32(at<u32>(x, in.c, lane));
            return u32(i32(std::clamp<i64>(sum, INT32_MIN, INT32_MAX)));
        }
        return in.bits.adds ? r + at<u32>(x, in.c, lane) : r;
    });
}
template <bool four>
bool dp(Exec& x, const Inst& in) { // dp4a, dp2a
    const auto *a = rowAt<const u32>(x, in.a), *b = rowAt<const u32>(x, in.b), *c = rowAt<const u32>(x, in.c);
    constexpr u32 bitsA = four ? 8 : 16;
    const u32 signA = in.bits.isSigned ? 1u << (bitsA - 1) : 0, signB = in.bits.secondSigned ? 0x80 : 0;
    const u32 high = !four && in.bits.high ? 16 : 0;
    storeLanes(x, activeMask(x, in), rowAt<u32>(x, in.dst), [=](int i) {
        u32 r = c[i];
        for (u32 k = 0; k < (four ? 4 : 2); ++k) { // turning the sign bit and taking its weight off extends it
            const u32 va = ((a[i] >> (bitsA * k) & ((1u << bitsA) - 1)) ^ signA) - signA;
            const u32 vb = ((b[i] >> (high + 8 * k) & 0xff) ^ signB) - signB;
            r += va * vb; // modulo 2^32
        }
        return r;
    });
    return true;
}
bool fns(Exec& x, const Inst& in) { // the n-th set bit from a base
    return each<u32, u32>(x, in, [&](u32 mask, int lane) {
        const u32 base = at<u32>(x, in.b, lane);
        const i64 offset = at<i32>(x, in.c, lane);
        if (base > 31)
            return ~0u;
        if (offset == 0)
            return mask >> base & 1 ? base : ~0u;
        u32 left = offset > 0 ? mask >> base << base : mask << (31 - base) >> (31 - base);
        for (i64 n = offset > 0 ? offset : -offset; n > 1 && left; --n)
            left = offset > 0 ? left & (left - 1) : left & ~std::bit_floor(left);
        return left == 0 ? ~0u : u32(offset > 0 ? std::countr_zero(left) : 31 - std::countl_zero(left));
    });
}
// mode: 0 finite, 1 infinite, 2 number, 3 notanumber, 4 normal, 5 subnormal: magnitudes from `low` on, `count` of them.
template <class U>
u32 lanesTested(const U* row, u32 mode) {
    constexpr int fraction = sizeof(U) == 8 ? 52 : 23;
    constexpr U sign = U(1) << (8 * sizeof(U) - 1), infinity = U(~U(0) << fraction) & ~sign,
                leastNormal = U(1) << fraction;
    constexpr struct {
        U low, count;
    } ranges[] = {{0, infinity},
                  {infinity, 1},
                  {0, infinity + 1},
                  {infinity + 1, sign - infinity - 1},
                  {leastNormal, infinity - leastNormal},
                  {1, leastNormal - 1}};
    const auto range = ranges[mode];
    const bool zeroToo = mode == 4; // PTX ISA: zeros count as normal
    u32 r = 0;
    for (u32 lane = 0; lane < 32; ++lane) {
        const U magnitude = row[lane] & ~sign;
        r |= u32(U(magnitude - range.low) < range.count || (zeroToo && magnitude == 0)) << lane;
    }
    return r;
}
bool testp(Exec& x, const Inst& in) {
    const u32 r = in.bits.isWide ? lanesTested(rowAt<const u64>(x, in.a), in.bits.mode)
                                 : lanesTested(rowAt<const u32>(x, in.a), in.bits.mode);
    setPredicate(x, in.dst, activeMask(x, in), r);
    return true;
}

u32 saturated(i64 v) {
    return u32(i32(std::clamp<i64>(v, INT32_MIN, INT32_MAX)));
}
template <bool subtracts>
bool saturatingAdd(Exec& x, const Inst& in) {
    return each<u32, u32>(x, in, [&](u32 a, int lane) {
        const i64 b = i32(at<u32>(x, in.b, lane));
        return saturated(i32(a) + (subtracts ? -b : b));
    });
}
bool saturatingMadHi(Exec& x, const Inst& in) {
    return each<u32, u32>(x, in, [&](u32 a, int lane) {
        const i64 product = i64(i32(a)) * i32(at<u32>(x, in.b, lane));
        return saturated((product >> 32) + i32(at<u32>(x, in.c, lane)));
    });
}
template <bool isMin>
bool reluMinMax(Exec& x, const Inst& in) { // negative results become 0
    return each<u32, u32>(x, in, [&](u32 a, int lane) {
        const i32 b = i32(at<u32>(x, in.b, lane));
        return u32(std::max(isMin ? std::min(i32(a), b) : std::max(i32(a), b), 0));
    });
}

// Extended-precision arithmetic; the carry of a lane is a bit of WarpContext::carry. A subtraction is an addition of the
// complement, as in the hardware: its carry out is 1 when nothing was borrowed.
// Sums of all lanes' words; vector code.
void carryAll(Exec& x, const Inst& in) {
    constexpr auto bit = [] {
        std::array<u32, 32> bits{};
        for (u32 lane = 0; lane < 32; ++lane)
            bits[lane] = 1u << lane;
        return bits;
    }();
    const auto *a = rowAt<const u32>(x, in.a), *b = rowAt<const u32>(x, in.b);
    auto* const d = rowAt<u32>(x, in.dst);
    const u32 taken = in.carry.takes       ? x.warp->carry
                      : in.carry.subtracts ? ~0u
                                           : 0u,
              turned = in.carry.subtracts ? ~0u : 0u;
    u32 given = 0;
#pragma GCC ivdep
    for (std::size_t i = 0; i < 32; ++i) {
        const u32 c = (taken & bit[i]) != 0, one = a[i], sum = one + (b[i] ^ turned), r = sum + c;
        given |= (0u - u32(sum < one || r < sum)) & bit[i];
        d[i] = r;
    }
    if (in.carry.gives)
        x.warp->carry = given;
}
template <class T>
bool carry(Exec& x, const Inst& in) {
    const u32 active = activeMask(x, in);
    if constexpr (sizeof(T) == 4)
        if (active == ~0u && !in.carry.multiplies) {
            carryAll(x, in);
            return true;
        }
    for (u32 m = active; m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        T a = at<T>(x, in.a, lane), b = at<T>(x, in.b, lane);
        if (in.carry.multiplies) {
            constexpr int width = 8 * sizeof(T);
            if (in.carry.high) {
                using S = std::make_signed_t<T>;
                if (in.carry.isSigned)
                    a = T((u128(__int128_t(S(a)) * S(b))) >> width);
                else
                    a = T(u128(a) * b >> width);
            } else {
                a = T(a * b);
            }
            b = at<T>(x, in.c, lane);
        }
        const u32 c = in.carry.takes ? x.warp->carry >> lane & 1u : in.carry.subtracts ? 1u : 0u;
        if (in.carry.subtracts)
            b = T(~b);
        const u128 wide = u128(a) + b + c;
        rowAt<T>(x, in.dst)[lane] = T(wide);
        if (in.carry.gives)
            x.warp->carry = (x.warp->carry & ~(1u << lane)) | u32(wide >> (8 * sizeof(T)) & 1) << lane;
    }
    return true;
}

bool pack(Exec& x, const Inst& in) {
    const auto& rows = x.program->vectors[in.memory.vector];
    for (u32 m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        u64 v = 0;
        for (u32 k = 0; k < in.memory.elements; ++k) {
            const u64 part = in.memory.bytes == 8 ? at<u64>(x, rows[k], lane) : at<u32>(x, rows[k], lane);
            v |= (in.memory.bytes == 2   ? part & 0xffff
                  : in.memory.bytes == 1 ? part & 0xff
                                         : part)
                 << (8 * in.memory.bytes * k);
        }
        if (in.memory.rowBytes == 8)
            rowAt<u64>(x, in.dst)[lane] = v;
        else
            rowAt<u32>(x, in.dst)[lane] = u32(v);
    }
    return true;
}
bool unpack(Exec& x, const Inst& in) {
    const auto& rows = x.program->vectors[in.memory.vector];
    for (u32 m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        const u64 v = in.memory.rowBytes == 8 ? at<u64>(x, in.a, lane) : at<u32>(x, in.a, lane);
        for (u32 k = 0; k < in.memory.elements; ++k) {
            if (rows[k] == noRow)
                continue;
            const u64 part = v >> (8 * in.memory.bytes * k);
            if (in.memory.bytes == 8)
                rowAt<u64>(x, rows[k])[lane] = part;
            else
                rowAt<u32>(x, rows[k])[lane] = in.memory.bytes == 2   ? u32(part & 0xffff)
                                               : in.memory.bytes == 1 ? u32(part & 0xff)
                                                                      : u32(part);
        }
    }
    return true;
}

} // namespace

Handler lop3PredicateHandler(bool conjunction) {
    return conjunction ? &lop3Predicate<true> : &lop3Predicate<false>;
}
Handler packHandler() {
    return &pack;
}
Handler unpackHandler() {
    return &unpack;
}

Handler bitHandler(const ptx::Description& is, Inst& in) {
    using ptx::Modifier;
    using ptx::Opcode;
    using ptx::Type;
    const bool wide = is.bytes() == 8, isSigned = ptx::isSigned(is.type());
    const bool high = is.half == ptx::Half::High;
    BitsPart& bits = in.bits;
    bits.isSigned = isSigned;
    bits.isWide = wide;
    bits.high = high;
    bits.wraps = is.wrap;
    bits.clamps = is.clamp;
    bits.right = is.right;
    bits.shiftAmount = is.shiftAmount;
    bits.ftz = is.ftz;
    const auto offset = [&](Modifier first, int from) { return std::uint8_t(int(is.mode) - int(first) + from); };
    const auto vector = [&](AluOp op) { return aluHandler({op, is.type()}); };
    const auto carries = [&](bool takes) -> Handler {
        const bool subtracts = is.opcode == Opcode::Sub || is.opcode == Opcode::Subc;
        const bool multiplies = is.opcode == Opcode::Mad || is.opcode == Opcode::Madc;
        in.carry = {takes, is.carryOut, subtracts, multiplies, high, isSigned};
        return wide ? &carry<u64> : &carry<u32>;
    };
    switch (is.opcode) {
    case Opcode::Clz:
        return vector(AluOp::Clz);
    case Opcode::Popc:
        return vector(AluOp::Popc);
    case Opcode::Brev:
        return vector(AluOp::Brev);
    case Opcode::Bfind:
        return wide ? &bfind<u64> : &bfind<u32>;
    case Opcode::Bfe:
        return vector(AluOp::Bfe);
    case Opcode::Bfi:
        return vector(AluOp::Bfi);
    case Opcode::Prmt:
        bits.mode = is.mode == Modifier::Unknown ? std::uint8_t(0) : offset(Modifier::F4e, 1);
        return vector(AluOp::Prmt);
    case Opcode::Shf:
        return vector(AluOp::Shf);
    case Opcode::Lop3:
        return vector(AluOp::Lop3);
    case Opcode::Sad:
        if (is.bytes() == 2)
            return isSigned ? &sad16<true> : &sad16<false>;
        if (wide)
            return isSigned ? &sad<i64> : &sad<u64>;
        return isSigned ? &sad<i32> : &sad<u32>;
    case Opcode::Slct:
        bits.byFloat = is.type() == Type::F32;
        return bytesOf(is.firstType()) == 8 ? &slct<u64> : &slct<u32>;
    case Opcode::Cnot:
        return wide ? &cnot<u64> : &cnot<u32>;
    case Opcode::Szext:
        return &szext;
    case Opcode::Bmsk:
        return &bmsk;
    case Opcode::Mul24:
    case Opcode::Mad24:
        bits.adds = is.opcode == Opcode::Mad24;
        bits.clamps = is.sat;
        return &mul24;
    case Opcode::Dp4a:
    case Opcode::Dp2a:
        bits.isSigned = is.types[0] == Type::S32;
        bits.secondSigned = is.types[1] == Type::S32;
        return is.opcode == Opcode::Dp4a ? &dp<true> : &dp<false>;
    case Opcode::Fns:
        return &fns;
    case Opcode::Testp:
        bits.mode = offset(Modifier::Finite, 0);
        return &testp;
    case Opcode::Addc:
    case Opcode::Subc:
    case Opcode::Madc:
        return carries(true);
    case Opcode::Add:
    case Opcode::Sub:
        if (is.carryOut)
            return carries(false);
        if (is.sat && is.type() == Type::S32)
            return is.opcode == Opcode::Add ? &saturatingAdd<false> : &saturatingAdd<true>;
        return nullptr;
    case Opcode::Mad:
        if (is.carryOut)
            return carries(false);
        return is.sat && is.type() == Type::S32 ? &saturatingMadHi : nullptr;
    case Opcode::Min:
        return is.relu ? &reluMinMax<true> : nullptr;
    case Opcode::Max:
        return is.relu ? &reluMinMax<false> : nullptr;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator
