// SPDX-License-Identifier: GPL-3.0-or-later
// Words between lanes and memory, and between lanes: what addresses.cpp offers beside its passes over addresses. Private
// to alu/.
#pragma once

#include "gpu/emulator/lanes/alu/lanes.h"
#include "gpu/emulator/lanes/turned.h"

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

#if defined(__AVX512F__)

// Sixteen lanes at a time: of the lanes 0 4 8 12 the first words, of 1 5 9 13 the second ones ... are turned in each
// quarter of a vector, so that rows come out in order of lanes.
inline void turn(__m512i (&v)[4]) {
    const __m512i a = _mm512_unpacklo_epi32(v[0], v[1]), b = _mm512_unpacklo_epi32(v[2], v[3]),
                  c = _mm512_unpackhi_epi32(v[0], v[1]), d = _mm512_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm512_unpacklo_epi64(a, b);
    v[1] = _mm512_unpackhi_epi64(a, b);
    v[2] = _mm512_unpacklo_epi64(c, d);
    v[3] = _mm512_unpackhi_epi64(c, d);
}
[[gnu::always_inline]] inline void loadFoursAt(auto place, u32* const (&rows)[4]) {
    const auto at = [&](std::size_t lane) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(place(lane))); };
    for (std::size_t lane = 0; lane < 32; lane += 16) {
        __m512i v[4];
        for (std::size_t i = 0; i < 4; ++i) {
            const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(at(lane + i)), at(lane + 4 + i), 1),
                          high =
                              _mm256_inserti128_si256(_mm256_castsi128_si256(at(lane + 8 + i)), at(lane + 12 + i), 1);
            v[i] = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
        }
        turn(v);
        for (std::size_t i = 0; i < 4; ++i)
            _mm512_storeu_si512(rows[i] + lane, v[i]);
    }
}
[[gnu::always_inline]] inline void storeFoursAt(auto place, const u32* const (&rows)[4]) {
    const auto put = [&](std::size_t lane, __m128i v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(place(lane)), v); };
    for (std::size_t lane = 0; lane < 32; lane += 16) {
        __m512i v[4];
        for (std::size_t i = 0; i < 4; ++i)
            v[i] = _mm512_loadu_si512(rows[i] + lane);
        turn(v);
        // In order of lanes: of those that store to the same place, the last one's words stay, as everywhere.
        for (std::size_t i = 0; i < 4; ++i)
            put(lane + i, _mm512_castsi512_si128(v[i]));
        for (std::size_t i = 0; i < 4; ++i)
            put(lane + 4 + i, _mm512_extracti32x4_epi32(v[i], 1));
        for (std::size_t i = 0; i < 4; ++i)
            put(lane + 8 + i, _mm512_extracti32x4_epi32(v[i], 2));
        for (std::size_t i = 0; i < 4; ++i)
            put(lane + 12 + i, _mm512_extracti32x4_epi32(v[i], 3));
    }
}
// Half 8 * r + c of the 64 is half 8 * c + r of the result.
inline void turnHalves(const void* from, void* to) {
    alignas(64) static constexpr auto places = [] {
        std::array<u16, 64> p{};
        for (u32 i = 0; i < 64; ++i)
            p[i] = u16(i % 8 * 8 + i / 8);
        return p;
    }();
    const auto* source = static_cast<const std::byte*>(from);
    auto* target = static_cast<std::byte*>(to);
    const __m512i low = _mm512_loadu_si512(source), high = _mm512_loadu_si512(source + 64);
    _mm512_storeu_si512(target, _mm512_permutex2var_epi16(low, _mm512_load_si512(places.data()), high));
    _mm512_storeu_si512(target + 64, _mm512_permutex2var_epi16(low, _mm512_load_si512(places.data() + 32), high));
}
// The pieces at(0) ... at(7).
struct EightPieces {
    __m512i low, high;
};
inline EightPieces eightPieces(auto at) {
    const auto piece = [&](std::size_t k) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at(k))); };
    const auto four = [&](std::size_t k) {
        const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(piece(k)), piece(k + 1), 1),
                      high = _mm256_inserti128_si256(_mm256_castsi128_si256(piece(k + 2)), piece(k + 3), 1);
        return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    };
    return {four(0), four(4)};
}
inline void takeFours(const std::byte* from, const u16* starts, void* to, void* again) {
    const auto [low, high] = eightPieces([&](std::size_t k) { return from + starts[4 * k]; });
    for (void* target : {to, again}) {
        _mm512_storeu_si512(target, low);
        _mm512_storeu_si512(static_cast<std::byte*>(target) + 64, high);
    }
}
[[gnu::always_inline]] inline void takeEightAt(const std::byte* from, const auto* at, void* to) {
    const auto [low, high] = eightPieces([&](std::size_t k) { return from + at[k]; });
    _mm512_storeu_si512(to, low);
    _mm512_storeu_si512(static_cast<std::byte*>(to) + 64, high);
}
// Two matrices' lines of four words: word w of the sixteen, in order, to rows[w].
inline void turnLines(const u32* first, const u32* second, u32* const (&rows)[4], std::size_t lane) {
    alignas(64) static constexpr auto places =
        [] { // two words of each line: the eight first ones, the eight second ones
            std::array<std::array<u32, 16>, 2> p{};
            for (u32 pair = 0; pair < 2; ++pair)
                for (u32 i = 0; i < 16; ++i)
                    p[pair][i] = i % 8 * 4 + 2 * pair + i / 8;
            return p;
        }();
    const __m512i firstLow = _mm512_loadu_si512(first), firstHigh = _mm512_loadu_si512(first + 16),
                  secondLow = _mm512_loadu_si512(second), secondHigh = _mm512_loadu_si512(second + 16);
    for (std::size_t pair = 0; pair < 2; ++pair) {
        const __m512i at = _mm512_load_si512(places[pair].data()),
                      a = _mm512_permutex2var_epi32(firstLow, at, firstHigh),
                      b = _mm512_permutex2var_epi32(secondLow, at, secondHigh);
        _mm512_storeu_si512(rows[2 * pair] + lane, _mm512_shuffle_i64x2(a, b, 0x44));
        _mm512_storeu_si512(rows[2 * pair + 1] + lane, _mm512_shuffle_i64x2(a, b, 0xee));
    }
}
inline void permute(const u32* from, const u32* source, u32* to) {
    const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + 16);
    for (std::size_t lane = 0; lane < 32; lane += 16)
        _mm512_storeu_si512(to + lane, _mm512_permutex2var_epi32(low, _mm512_loadu_si512(source + lane), high));
}

#else

[[gnu::always_inline]] inline void loadFoursAt(auto place, u32* const (&rows)[4]) {
    for (std::size_t lane = 0; lane < 32; lane += 4) {
        FourWords v[4];
        for (std::size_t i = 0; i < 4; ++i)
            v[i] = fourWords(reinterpret_cast<const void*>(place(lane + i)));
        turn(v);
        for (std::size_t i = 0; i < 4; ++i)
            std::memcpy(rows[i] + lane, &v[i], sizeof v[i]);
    }
}
[[gnu::always_inline]] inline void storeFoursAt(auto place, const u32* const (&rows)[4]) {
    for (std::size_t lane = 0; lane < 32; lane += 4) {
        FourWords v[4];
        for (std::size_t i = 0; i < 4; ++i)
            v[i] = fourWords(rows[i] + lane);
        turn(v);
        for (std::size_t i = 0; i < 4; ++i)
            std::memcpy(reinterpret_cast<void*>(place(lane + i)), &v[i], sizeof v[i]);
    }
}
inline void turnHalves(const void* from, void* to) {
    EightHalves v[8];
    std::memcpy(v, from, sizeof v);
    turn(v);
    std::memcpy(to, v, sizeof v);
}
inline void takeFours(const std::byte* from, const u16* starts, void* to, void* again) {
    for (std::size_t k = 0; k < 8; ++k) {
        const FourWords piece = fourWords(from + starts[4 * k]);
        std::memcpy(static_cast<std::byte*>(to) + 16 * k, &piece, sizeof piece);
        std::memcpy(static_cast<std::byte*>(again) + 16 * k, &piece, sizeof piece);
    }
}
[[gnu::always_inline]] inline void takeEightAt(const std::byte* from, const auto* at, void* to) {
    for (std::size_t k = 0; k < 8; ++k)
        std::memcpy(static_cast<std::byte*>(to) + 16 * k, from + at[k], 16);
}
inline void turnLines(const u32* first, const u32* second, u32* const (&rows)[4], std::size_t lane) {
    for (const u32* lines : {first, second})
        for (std::size_t half = 0; half < 2; ++half, lane += 4) {
            FourWords v[4];
            std::memcpy(v, lines + 16 * half, sizeof v);
            turn(v);
            for (std::size_t w = 0; w < 4; ++w)
                std::memcpy(rows[w] + lane, &v[w], sizeof v[w]);
        }
}
inline void permute(const u32* from, const u32* source, u32* to) {
    for (std::size_t lane = 0; lane < 32; ++lane)
        to[lane] = from[source[lane]];
}

#endif

inline void loadFours(const Exec& x, Reach memory, u32* const (&rows)[4]) {
    const std::uintptr_t shift = memory.shift();
    loadFoursAt([&](std::size_t lane) { return std::uintptr_t(x.address[lane] + shift); }, rows);
}
inline void storeFours(const Exec& x, Reach memory, const u32* const (&rows)[4]) {
    const std::uintptr_t shift = memory.shift();
    storeFoursAt([&](std::size_t lane) { return std::uintptr_t(x.address[lane] + shift); }, rows);
}
inline void loadFoursAbove(const std::byte* from, const LanesAbove& above, u32* const (&rows)[4]) {
    loadFoursAt([&](std::size_t lane) { return from + above[lane]; }, rows);
}
inline void storeFoursAbove(std::byte* to, const LanesAbove& above, const u32* const (&rows)[4]) {
    storeFoursAt([&](std::size_t lane) { return to + above[lane]; }, rows);
}
inline void takeEight(Reach memory, const u64* at, void* to) {
    takeEightAt(memory.at(0), at, to);
}
inline void takeEightAbove(const std::byte* from, const u32* above, void* to) {
    takeEightAt(from, above, to);
}

} // namespace
} // namespace warpglass::emulator::WARPGLASS_ALU
