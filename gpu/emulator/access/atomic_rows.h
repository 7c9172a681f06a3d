// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics of all 32 lanes of a warp at once, where no lane has another one's word or all have the same.
#pragma once

#include "gpu/emulator/access/atomic_values.h"
#include "gpu/emulator/access/lane_elements.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpglass::emulator {

// All lanes, word behind word. Vector code: no lane can see what another one did.
template <class T, Operation op>
[[gnu::noinline]] void updateRow(T* __restrict at, const T* b, const T* c, T* d) {
    if (d)
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i) {
            const T old = at[i];
            at[i] = apply<T, op>(old, b[i], c[i]);
            d[i] = old;
        }
    else
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            at[i] = apply<T, op>(at[i], b[i], c[i]);
}

// before[lane]: start and what the lanes before it add; the sum of all. by fours: a lane's own, its neighbour's, the
// neighbouring pair's.
inline std::uint32_t sumsBefore(std::uint32_t start, const std::uint32_t* values, std::uint32_t* before) {
    FourWords carry = FourWords{} + start;
    for (std::size_t lane = 0; lane < 32; lane += 4) {
        const FourWords own = fourWords(values + lane), none = {};
        const FourWords twos = own + __builtin_shufflevector(none, own, 0, 4, 5, 6);
        const FourWords sums = twos + __builtin_shufflevector(none, twos, 0, 1, 4, 5) + carry;
        const FourWords others = sums - own;
        std::memcpy(before + lane, &others, sizeof others);
        carry = __builtin_shufflevector(sums, sums, 3, 3, 3, 3);
    }
    return carry[0];
}

// Sums of all lanes at one word, one after the other, subnormal ones taken for zeros: as the chain of additions alone, if
// none of them came to such a number. False: one did, and nothing is done.
inline bool addInOrder(float* at, const float* values, float* before) {
    std::array<float, 33> sums;
    std::array<float, 32> own;
    for (std::size_t i = 0; i < 32; ++i)
        own[i] = flushed(values[i]);
    sums[0] = flushed(*at);
    for (std::size_t i = 0; i < 32; ++i)
        sums[i + 1] = sums[i] + own[i];
    std::uint32_t subnormal = 0;
    for (std::size_t i = 1; i < sums.size(); ++i)
        subnormal |= std::bit_cast<std::uint32_t>(sums[i]) != std::bit_cast<std::uint32_t>(flushed(sums[i])) ? 1u : 0u;
    if (subnormal)
        return false;
    if (before) {
        sums[0] = *at;
        std::memcpy(before, sums.data(), 32 * sizeof(float));
    }
    *at = sums[32];
    return true;
}

} // namespace warpglass::emulator
