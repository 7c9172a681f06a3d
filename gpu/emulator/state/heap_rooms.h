// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the device heap a piece of the kernels' malloc takes: more than was asked for, since it lies among others of
// its class. An H200 gave so many pieces, held at once, out of its first 8 MiB: 90,670 of 16 to 64 bytes (92.5 bytes each),
// half as many of up to 128 and a quarter of up to 256; 2,220 bytes went to each from 1000 to 2048, 4,443 to 4096, 17,772 to
// 16,384, which is so many times a page of 2048. What lies between or beyond was not asked: up to 512 the small classes go on,
// from there on pages.
#pragma once

#include <cstdint>

namespace warpglass::emulator {

inline constexpr std::uint64_t heapGrain = 1024; // parts of a byte in which rooms are counted

struct HeapClass {
    std::uint64_t bytes = 0, pieces = 0; // up to so large; in 8 MiB
};
inline constexpr HeapClass smallHeapClasses[] = {{64, 90670}, {128, 45335}, {256, 22667}, {512, 11333}};
inline constexpr HeapClass heapPage{2048, 3776};

// In parts of a byte, of a heap of any size.
constexpr std::uint64_t heapRoom(std::uint64_t bytes) {
    constexpr std::uint64_t all = (8u << 20) * heapGrain;
    for (const HeapClass& c : smallHeapClasses)
        if (bytes <= c.bytes)
            return all / c.pieces;
    return (bytes + heapPage.bytes - 1) / heapPage.bytes * (all / heapPage.pieces);
}

} // namespace warpglass::emulator
