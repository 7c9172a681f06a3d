// SPDX-License-Identifier: GPL-3.0-or-later
// The passes over 32 addresses that every load, store and atomic begins with.
#include "gpu/emulator/ops/alu/lanes.h"
#include "gpu/emulator/ops/alu/moves.h"

#include <bit>

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

// A vector of addresses.
#if defined(__AVX512F__)
constexpr int width = 8;
#elif defined(__AVX2__)
constexpr int width = 4;
#else
constexpr int width = 2;
#endif
using Addresses = u64 __attribute__((vector_size(8 * width)));
inline Addresses from(const u64* a) {
    Addresses v;
    std::memcpy(&v, a, sizeof v);
    return v;
}
// All ones for those of lanes i and on that are in x.laneBits.
inline Addresses active(const Exec& x, int i) {
    using Words = i32 __attribute__((vector_size(4 * width)));
    using Longs = i64 __attribute__((vector_size(8 * width)));
    Words bits;
    std::memcpy(&bits, x.laneBits.data() + i, sizeof bits);
    return reinterpret_cast<Addresses>(__builtin_convertvector(bits, Longs));
}
inline bool isZero(Addresses v) {
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(v), reinterpret_cast<__m512i>(v)) == 0;
#elif defined(__AVX2__)
    return _mm256_testz_si256(reinterpret_cast<__m256i>(v), reinterpret_cast<__m256i>(v)) != 0;
#else
    return (v[0] | v[1]) == 0;
#endif
}

void fill(Exec& x, const Inst& in) {
    const auto offset = u64(in.memory.offset);
    u64* const to = x.address.data();
    if (in.memory.wideAddress) {
        const auto* a = rowAt<const u64>(x, in.a);
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            to[i] = a[i] + offset;
    } else if (in.memory.noBase) {
        for (int i = 0; i < 32; ++i)
            to[i] = offset;
    } else {
        const auto* a = rowAt<const u32>(x, in.a);
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            to[i] = u32(a[i] + u32(offset));
    }
}

bool atOne(Exec& x, u32 m) {
    const u64* a = x.address.data();
    const u64 base = a[std::countr_zero(m)];
    if (m == ~0u) {
        Addresses differs = {};
        for (int i = 0; i < 32; i += width)
            differs |= from(a + i) ^ base;
        return isZero(differs);
    }
    Addresses differs = {};
    if (x.laneBitsOf != m)
        x.expand(m);
    for (int i = 0; i < 32; i += width)
        differs |= (from(a + i) ^ base) & active(x, i);
    return isZero(differs);
}

// Compared with where each lane would be: to compare neighbours one would read across what was just written by vectors,
// and wait for it.
bool inOrder(Exec& x, u32 m, u32 size) {
    const u64* a = x.address.data();
    const int first = std::countr_zero(m);
    if (((m >> first) & ((m >> first) + 1)) != 0)
        return false; // a hole
    const u64 start = a[first] - u64(first) * size;
    Addresses steps, differs = {};
    for (int i = 0; i < width; ++i)
        steps[i] = u64(i);
    steps *= u64(size);
    if (m == ~0u) {
        for (int i = 0; i < 32; i += width)
            differs |= (from(a + i) - steps) ^ (start + u64(i) * size);
        return isZero(differs);
    }
    if (x.laneBitsOf != m)
        x.expand(m);
    for (int i = 0; i < 32; i += width)
        differs |= ((from(a + i) - steps) ^ (start + u64(i) * size)) & active(x, i);
    return isZero(differs);
}

// Two lanes tell which of the two orders can be.
Lanes order(Exec& x, u32 m, u32 size) {
    const u32 others = m & (m - 1);
    if (others == 0)
        return Lanes::InOrder;
    const u64 step = x.address[std::size_t(std::countr_zero(others))] - x.address[std::size_t(std::countr_zero(m))];
    if (step == 0)
        return atOne(x, m) ? Lanes::AtOne : Lanes::Scattered;
    return step == size && inOrder(x, m, size) ? Lanes::InOrder : Lanes::Scattered;
}

bool liesAs(Exec& x, u32 m, const u64* distance) {
    const u64* a = x.address.data();
    const u64 first = a[std::countr_zero(m)];
    if (m == ~0u) {
        Addresses differs = {};
        for (int i = 0; i < 32; i += width)
            differs |= (from(a + i) - first) ^ from(distance + i);
        return isZero(differs);
    }
    Addresses differs = {};
    if (x.laneBitsOf != m)
        x.expand(m);
    for (int i = 0; i < 32; i += width)
        differs |= ((from(a + i) - first) ^ from(distance + i)) & active(x, i);
    return isZero(differs);
}

bool liesAbove(const u32* row, u32 from, const LanesAbove& above) {
    using Words = u32 __attribute__((vector_size(8 * width)));
    const auto at = [](const u32* words) {
        Words v;
        std::memcpy(&v, words, sizeof v);
        return v;
    };
    Words differs = {};
    for (int i = 0; i < 32; i += 2 * width)
        differs |= (at(row + i) - from) ^ at(above.data() + i);
    return isZero(reinterpret_cast<Addresses>(differs));
}

void pieces(u64* to, u64 base, u32 first, u32 shift, u32 size, u64 stride) {
    const u32 last = (1u << shift) - 1;
    Addresses lane;
    for (int i = 0; i < width; ++i)
        lane[i] = u64(i);
    for (int i = 0; i < 32; i += width) {
        const Addresses piece = lane + (u64(first) + u64(i)), line = piece >> shift, part = piece & u64(last);
        const Addresses at = base + line * stride + part * u64(size);
        std::memcpy(to + i, &at, sizeof at);
    }
}

} // namespace

const AddressPasses addressPasses = {
    &fill,       &atOne,     &order,     &liesAs,         &liesAbove,       &pieces,         &loadFours, &storeFours,
    &turnHalves, &takeFours, &takeEight, &loadFoursAbove, &storeFoursAbove, &takeEightAbove, &turnLines, &permute};

} // namespace warpglass::emulator::WARPGLASS_ALU
