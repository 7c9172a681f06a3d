// SPDX-License-Identifier: GPL-3.0-or-later
// How many sectors, lines and banks the scattered addresses of a warp want: 32 keys, sorted by a network of 15 steps,
// so that equal ones lie beside each other. No branch depends on where the lanes lie.
#include "gpu/emulator/lanes/alu/lanes.h"
#include "gpu/emulator/state/access_summary.h"

#include <bit>

namespace warpglass::emulator::WARPGLASS_ALU {

#if defined(__AVX2__)
namespace {

using Eight = __m256i; // keys
// The 32 keys as they are sorted: the one of index 4 * i + v is the i-th of vector v, so that nine of the fifteen steps
// exchange whole vectors.
struct Keys {
    Eight v[4];
};

[[gnu::always_inline]] inline void exchange(Eight& low, Eight& high) {
    const Eight least = _mm256_min_epu32(low, high);
    high = _mm256_max_epu32(low, high);
    low = least;
}
// Between keys whose indices differ by a vector's number alone.
[[gnu::always_inline]] inline void exchangeVectors(Keys& k, std::size_t a, std::size_t b, std::size_t c,
                                                   std::size_t d) {
    exchange(k.v[a], k.v[b]);
    exchange(k.v[c], k.v[d]);
}
[[gnu::always_inline]] inline void endOfMerge(Keys& k) { // distances 2 and 1
    exchangeVectors(k, 0, 2, 1, 3);
    exchangeVectors(k, 0, 1, 2, 3);
}
// Of a vector and the partners of its keys: the lesser ones, but the greater ones where upper has a bit.
template <int upper>
[[gnu::always_inline]] inline Eight chosen(Eight own, Eight partner) {
    return _mm256_blend_epi32(_mm256_min_epu32(own, partner), _mm256_max_epu32(own, partner), upper);
}
// Partners in the same vector.
template <int upper, class F>
[[gnu::always_inline]] inline void exchangeWithin(Keys& k, const F& partners) {
    for (Eight& v : k.v)
        v = chosen<upper>(v, partners(v));
}
// The second half of what is to be merged, backwards: partners in the vector from the other end.
template <int upper, class F>
[[gnu::always_inline]] inline void exchangeTurned(Keys& k, const F& partners) {
    const Keys turned = {{partners(k.v[3]), partners(k.v[2]), partners(k.v[1]), partners(k.v[0])}};
    for (std::size_t i = 0; i < 4; ++i)
        k.v[i] = chosen<upper>(k.v[i], turned.v[i]);
}

[[gnu::always_inline]] inline Eight neighbours(Eight v) {
    return _mm256_shuffle_epi32(v, 0xb1);
}
[[gnu::always_inline]] inline Eight pairs(Eight v) {
    return _mm256_shuffle_epi32(v, 0x4e);
}
[[gnu::always_inline]] inline Eight foursTurned(Eight v) {
    return _mm256_shuffle_epi32(v, 0x1b);
}
[[gnu::always_inline]] inline Eight turned(Eight v) {
    return foursTurned(_mm256_permute2x128_si256(v, v, 1));
}

// Batcher's bitonic sort, with every exchange upwards.
[[gnu::always_inline]] inline Keys sorted(const u32* keys) {
    Keys k;
    for (std::size_t i = 0; i < 4; ++i)
        k.v[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + 8 * i));
    exchangeVectors(k, 0, 1, 2, 3); // runs of two
    exchangeVectors(k, 0, 3, 1, 2); // of four
    exchangeVectors(k, 0, 1, 2, 3);
    exchangeTurned<0xaa>(k, neighbours); // of eight
    endOfMerge(k);
    exchangeTurned<0xcc>(k, foursTurned); // of sixteen
    exchangeWithin<0xaa>(k, neighbours);
    endOfMerge(k);
    exchangeTurned<0xf0>(k, turned); // all
    exchangeWithin<0xcc>(k, pairs);
    exchangeWithin<0xaa>(k, neighbours);
    endOfMerge(k);
    return k;
}

// For each vector, a bit a key: whether the key behind it, shifted so far, is another one. The last one's is clear.
[[gnu::always_inline]] inline std::array<u32, 4> steps(const Keys& k, int shift) {
    Keys s;
    for (std::size_t i = 0; i < 4; ++i)
        s.v[i] = _mm256_srli_epi32(k.v[i], shift);
    const Eight behind = _mm256_permutevar8x32_epi32(s.v[0], _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 7));
    const auto differ = [](Eight a, Eight b) {
        return ~u32(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)))) & 0xff;
    };
    return {differ(s.v[0], s.v[1]), differ(s.v[1], s.v[2]), differ(s.v[2], s.v[3]), differ(s.v[3], behind) & 0x7f};
}
[[gnu::always_inline]] inline u32 distinct(const Keys& k, int shift) {
    const auto [a, b, c, d] = steps(k, shift);
    return 1 + u32(std::popcount(a | b << 8 | c << 16 | d << 24));
}
// The same as one mask by index.
[[gnu::always_inline]] inline u32 byIndex(const std::array<u32, 4>& steps) {
    const auto spread = [](u32 bits) { // each bit four places from the next
        u32 r = (bits | bits << 12) & 0x000f000f;
        r = (r | r << 6) & 0x03030303;
        return (r | r << 3) & 0x11111111;
    };
    return spread(steps[0]) | spread(steps[1]) << 1 | spread(steps[2]) << 2 | spread(steps[3]) << 3;
}

// Each lane's key is of(its address's distance from base); inactive ones have the first active one's. False: a distance
// does not fit 32 bits, or an address is not aligned to `unit` bytes.
template <class F>
[[gnu::always_inline]] inline bool takeKeys(const u64* addresses, u32 m, u64 base, u64 unit, u32* keys, const F& of) {
    u64 high = 0, low = 0;
    const u64 first = addresses[std::countr_zero(m)];
    alignas(32) u64 taken[32];
    if (m == ~0u) {
        for (std::size_t i = 0; i < 32; ++i)
            taken[i] = addresses[i];
    } else {
        for (u32 i = 0; i < 32; ++i) {
            const u64 own = u64(0) - (m >> i & 1);
            taken[i] = (addresses[i] & own) | (first & ~own);
        }
    }
    for (std::size_t i = 0; i < 32; ++i) {
        const u64 d = taken[i] - base;
        high |= d >> 32;
        low |= taken[i];
        keys[i] = of(u32(d));
    }
    return high == 0 && (low & (unit - 1)) == 0;
}

} // namespace

bool countSectors(const u64* addresses, u32 m, u32 bytes, SectorCount& count) {
    if (m == 0 || bytes == 0 || bytes > 32 || !std::has_single_bit(bytes))
        return false;
    alignas(32) u32 keys[32];
    const u64 base = (addresses[std::countr_zero(m)] & ~u64(127)) - (u64(1) << 31);
    if (!takeKeys(addresses, m, base, bytes, keys, [](u32 d) { return d; }))
        return false;
    const Keys k = sorted(keys);
    count.bytesDistinct = distinct(k, 0) * bytes;
    count.sectors = distinct(k, 5);
    count.lines = distinct(k, 7);
    return true;
}

namespace {
// Each pass serves the lowest element that is left of every bank: a one added at a bank's beginning is carried to there.
inline u32 passesOver(u32 banks, u32 elements, u32 all) {
    u32 left = elements & ~banks, passes = 1;
    for (; left != 0; ++passes)
        left &= ~((~left & all) + banks);
    return passes;
}
// The key of an element: its bank (or its two or four), then its row of 128 bytes.
inline u32 bankKey(u32 d, u32 shift) {
    return (d >> shift & (127 >> shift)) << 25 | d >> 7;
}
} // namespace

u32 countPasses(const u64* addresses, u32 m, u32 bytes) {
    const u32 unit = bytes < 4 ? 4 : bytes;
    if (m == 0 || unit > 16 || !std::has_single_bit(bytes))
        return 0;
    const u32 shift = u32(std::countr_zero(unit));
    alignas(32) u32 keys[32];
    if (!takeKeys(addresses, m, 0, bytes, keys, [=](u32 d) { return bankKey(d, shift); }))
        return 0;
    u32 banks = 0;
    for (u32 i = 0; i < 32; ++i)
        banks |= u32(1) << (keys[i] >> 25) & (u32(0) - (m >> i & 1));
    if (std::popcount(banks) == std::popcount(m))
        return 1; // each lane has a bank of its own
    const Keys k = sorted(keys);
    // Bits of the sorted keys: where another bank begins, and where another element.
    return passesOver(byIndex(steps(k, 25)) << 1 | 1, byIndex(steps(k, 0)) << 1 | 1, ~0u);
}
// Parts are sorted together, each behind the one before it.
u32 countPartPasses(const u64* addresses, u32 bytes) {
    if (bytes != 8 && bytes != 16)
        return 0;
    const u32 shift = u32(std::countr_zero(bytes)), width = 128 / bytes;
    alignas(32) u32 keys[32];
    if (!takeKeys(addresses, ~0u, 0, bytes, keys, [=](u32 d) { return bankKey(d, shift); }))
        return 0;
    for (u32 i = 0; i < 32; ++i)
        keys[i] |= i / width << 30;
    const Keys k = sorted(keys);
    const u32 banks = byIndex(steps(k, 25)) << 1 | 1, elements = byIndex(steps(k, 0)) << 1 | 1, all = (1u << width) - 1;
    u32 passes = 0;
    for (u32 first = 0; first < 32; first += width)
        passes += passesOver(banks >> first & all, elements >> first & all, all);
    return passes;
}
#else
bool countSectors(const u64*, u32, u32, SectorCount&) {
    return false;
}
u32 countPasses(const u64*, u32, u32) {
    return 0;
}
u32 countPartPasses(const u64*, u32) {
    return 0;
}
#endif

} // namespace warpglass::emulator::WARPGLASS_ALU
