// SPDX-License-Identifier: GPL-3.0-or-later
// Which lanes hold the same: a byte of all lanes is a vector, and one comparison answers for a lane.
#include "gpu/emulator/lanes/alu/lanes.h"

namespace warpglass::emulator::WARPGLASS_ALU {

void keepEqual(const std::uint8_t* bytes, std::uint32_t* sets) {
#if defined(__AVX2__)
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
    for (int i = 0; i < 32; ++i)
        sets[i] &= u32(_mm256_movemask_epi8(_mm256_cmpeq_epi8(all, _mm256_set1_epi8(char(bytes[i])))));
#elif defined(__SSE2__)
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)),
                  high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + 1);
    for (int i = 0; i < 32; ++i) {
        const __m128i own = _mm_set1_epi8(char(bytes[i]));
        sets[i] &= u32(_mm_movemask_epi8(_mm_cmpeq_epi8(low, own))) | u32(_mm_movemask_epi8(_mm_cmpeq_epi8(high, own)))
                                                                          << 16;
    }
#else
    for (int i = 0; i < 32; ++i) {
        u32 equal = 0;
        for (int k = 0; k < 32; ++k)
            equal |= u32(bytes[k] == bytes[i]) << k;
        sets[i] &= equal;
    }
#endif
}

} // namespace warpglass::emulator::WARPGLASS_ALU
