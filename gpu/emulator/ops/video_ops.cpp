// SPDX-License-Identifier: GPL-3.0-or-later
// The video instructions whose results need more than 64 bits on their way: shifts and vmad. The others: alu/video.cpp.
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/emulator/state/exec.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

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

} // namespace

Handler wideVideoHandler(Opcode opcode) {
    switch (opcode) {
    case Opcode::Vshl:
        return &shift<true>;
    case Opcode::Vshr:
        return &shift<false>;
    case Opcode::Vmad:
        return &multiplyAdd;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator
