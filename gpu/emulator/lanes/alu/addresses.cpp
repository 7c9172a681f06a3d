// SPDX-License-Identifier: GPL-3.0-or-later
// The passes over 32 addresses that every load, store and atomic begins with.
#include "gpu/emulator/lanes/alu/lanes.h"
#include "gpu/emulator/lanes/alu/moves.h"

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

using Words = u32 __attribute__((vector_size(8 * width)));
inline Words wordsFrom(const u32* words) {
    Words v;
    std::memcpy(&v, words, sizeof v);
    return v;
}
bool liesAbove(const u32* row, u32 from, const LanesAbove& above) {
    Words differs = {};
    for (int i = 0; i < 32; i += 2 * width)
        differs |= (wordsFrom(row + i) - from) ^ wordsFrom(above.data() + i);
    return isZero(reinterpret_cast<Addresses>(differs));
}
bool partLiesAbove(const u32* row, u32 from, const LanesAbove& above, const u32* bits) {
    Words differs = {};
    for (int i = 0; i < 32; i += 2 * width)
        differs |= ((wordsFrom(row + i) - from) ^ wordsFrom(above.data() + i)) & wordsFrom(bits + i);
    return isZero(reinterpret_cast<Addresses>(differs));
}

bool isRow(const u64* row, u32 size) {
    static constexpr auto steps = [] {
        std::array<std::array<u64, 32>, 3> all{}; // of 0, 4 and 8 bytes
        for (u64 lane = 0; lane < 32; ++lane)
            for (u64 k = 1; k < all.size(); ++k)
                all[k][lane] = 4 * k * lane;
        return all;
    }();
    const u64 *const above = steps[size / 4].data(), first = row[0];
    Addresses differs = {};
    for (int i = 0; i < 32; i += width)
        differs |= (from(row + i) - first) ^ from(above + i);
    return isZero(differs);
}

void copyPart(const u32* bits, const u32* from, u32* to) {
    for (int i = 0; i < 32; i += 2 * width) {
        const Words k = wordsFrom(bits + i), v = (wordsFrom(from + i) & k) | (wordsFrom(to + i) & ~k);
        std::memcpy(to + i, &v, sizeof v);
    }
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

void exchange(void* at, const void* values, void* before, std::size_t bytes) {
    using Some = u64 __attribute__((vector_size(8 * width)));
    for (std::size_t i = 0; i < bytes; i += sizeof(Some)) {
        Some old, own;
        std::memcpy(&own, static_cast<const std::byte*>(values) + i, sizeof own);
        std::memcpy(&old, static_cast<std::byte*>(at) + i, sizeof old);
        std::memcpy(static_cast<std::byte*>(at) + i, &own, sizeof own);
        std::memcpy(static_cast<std::byte*>(before) + i, &old, sizeof old);
    }
}

template <class T>
void swapRow(T* at, const T* expected, const T* values, T* before) {
    typedef T Row __attribute__((vector_size(8 * width))); // of a type that depends, an alias cannot
    constexpr std::size_t each = sizeof(Row) / sizeof(T);
    for (std::size_t i = 0; i < 32; i += each) {
        Row old, wanted, own;
        std::memcpy(&old, at + i, sizeof old);
        std::memcpy(&wanted, expected + i, sizeof wanted);
        std::memcpy(&own, values + i, sizeof own);
        const Row there = old == wanted ? own : old;
        std::memcpy(at + i, &there, sizeof there);
        if (before)
            std::memcpy(before + i, &old, sizeof old);
    }
}
void swapWords(u32* at, const u32* expected, const u32* values, u32* before) {
    swapRow(at, expected, values, before);
}
void swapLongs(u64* at, const u64* expected, const u64* values, u64* before) {
    swapRow(at, expected, values, before);
}

u32 countUp(u32 start, u32 limit, u32* before) {
    // Above the limit the next one is 0, and all others are as if the first had found the limit.
    const u32 from = start < limit ? start : limit;
    alignas(64) u32 found[32];
    if (limit >= 32) {
        for (u32 lane = 0; lane < 32; ++lane)
            found[lane] = lane > limit - from ? from + lane - limit - 1 : from + lane;
    } else {
        // from + lane < 64 and values <= 32: the product of the two is below 2^16 / values, so that the quotient is exact.
        const u32 values = limit + 1, reciprocal = (65536 + limit) / values;
        for (u32 lane = 0; lane < 32; ++lane) {
            const u32 now = from + lane;
            found[lane] = now - (now * reciprocal >> 16) * values;
        }
    }
    const u32 last = found[31];
    found[0] = start;
    if (before)
        std::memcpy(before, found, sizeof found);
    return last >= limit ? 0 : last + 1;
}

inline Words flushed(Words v) {
    return v & ~(Words((v & 0x7f800000u) == 0u) & 0x7fffffffu);
}
void addFlushed(float* at, const float* values, float* before) {
    using Floats = float __attribute__((vector_size(8 * width)));
    for (int i = 0; i < 32; i += 2 * width) {
        Words there, added;
        std::memcpy(&there, at + i, sizeof there);
        std::memcpy(&added, values + i, sizeof added);
        const auto sum = reinterpret_cast<Floats>(flushed(there)) + reinterpret_cast<Floats>(flushed(added));
        const Words flat = flushed(reinterpret_cast<Words>(sum));
        if (before)
            std::memcpy(before + i, &there, sizeof there);
        std::memcpy(at + i, &flat, sizeof flat);
    }
}

} // namespace

const AddressPasses addressPasses = {
    &fill,      &atOne,      &order,      &liesAs,    &liesAbove, &partLiesAbove,  &isRow,           &pieces,
    &loadFours, &storeFours, &turnHalves, &takeFours, &takeEight, &loadFoursAbove, &storeFoursAbove, &takeEightAbove,
    &turnLines, &permute,    &copyPart,   &exchange,  &swapWords, &swapLongs,      &countUp,         &addFlushed};

} // namespace warpglass::emulator::WARPGLASS_ALU
