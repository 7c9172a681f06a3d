// SPDX-License-Identifier: GPL-3.0-or-later
// Passes of a radix sort: digits counted in all and by tiles, ranks by match, tiles put in order in shared memory
// before they are written, in one step (looking back) and with places that are known.
#include "scan_tiles.h"

#include <utility>

constexpr int digits = 256;
// How often each digit of four comes, in all.
__global__ void __launch_bounds__(256) countDigits(const uint4* keys, int* counts, int count) {
    __shared__ int own[4][digits];
    for (int d = 0; d < 4; ++d)
        own[d][threadIdx.x] = 0;
    __syncthreads();
    for (int k = int(blockIdx.x * 256 + threadIdx.x); k < count; k += int(gridDim.x) * 256) {
        const uint4 four = keys[k];
        for (const unsigned key : {four.x, four.y, four.z, four.w})
#pragma unroll
            for (int d = 0; d < 4; ++d)
                atomicAdd(&own[d][key >> 8 * d & 255], 1);
    }
    __syncthreads();
    for (int d = 0; d < 4; ++d)
        if (const int n = own[d][threadIdx.x])
            atomicAdd(&counts[d * digits + threadIdx.x], n);
}
// How often each digit comes in a tile: counters of each warp.
template <int Items>
__global__ void __launch_bounds__(256) countTile(const unsigned* keys, int* counts, int shift) {
    __shared__ int own[8][digits];
    for (auto& warp : own)
        warp[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Items; ++k)
        atomicAdd(&own[threadIdx.x / 32][keys[(long(blockIdx.x) * Items + k) * 256 + threadIdx.x] >> shift & 255], 1);
    __syncthreads();
    int sum = 0;
    for (const auto& warp : own)
        sum += warp[threadIdx.x];
    counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
}
// A pass of 8 bits. In one (states): how many of a digit are in earlier tiles is found by looking back, a thread for
// each digit. Else `before` says where the tile's keys of a digit go.
template <bool InOne, bool Pairs, int Items>
__global__ void __launch_bounds__(256)
    sortPass(const unsigned* keys, const unsigned* values, unsigned* keysOut, unsigned* valuesOut, const int* before,
             unsigned* states, int* tickets, int shift) {
    constexpr int tileItems = 256 * Items;
    __shared__ int counters[8][digits];
    __shared__ unsigned items[tileItems];
    __shared__ int place[digits]; // of a digit's keys in memory, less their place in the tile
    int tile = int(blockIdx.x);
    if constexpr (InOne)
        tile = nextTile(tickets);
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32, digit = int(threadIdx.x);
    const long first = long(tile) * tileItems + warp * 32 * Items + lane;
    unsigned own[Items];
    int rank[Items];
#pragma unroll
    for (int k = 0; k < Items; ++k)
        own[k] = keys[first + 32 * k];
    for (auto& w : counters)
        w[digit] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Items; ++k) {
        const int d = int(own[k] >> shift & 255);
        const unsigned same = __match_any_sync(~0u, d);
        const int earlier = lanesBelow(same);
        int old = 0;
        if (earlier == 0) {
            old = counters[warp][d];
            counters[warp][d] = old + __popc(same);
        }
        rank[k] = __shfl_sync(~0u, old, __ffs(int(same)) - 1) + earlier;
        __syncwarp();
    }
    __syncthreads();
    int sum = 0, all;
#pragma unroll
    for (auto& w : counters) {
        const int n = w[digit];
        w[digit] = sum;
        sum += n;
    }
    if constexpr (InOne)
        *(volatile unsigned*)(states + tile * digits + digit) = (tile == 0 ? 2u : 1u) << 30 | unsigned(sum);
    const int inTile = blockScan<256>(sum, all);
    for (auto& w : counters)
        w[digit] += inTile;
    if constexpr (InOne) {
        int earlier = 0;
        for (int t = tile - 1; t >= 0; --t) {
            unsigned word;
            do
                word = *(volatile unsigned*)(states + t * digits + digit);
            while (word == 0);
            earlier += int(word & 0x3fffffff);
            if (word >> 31)
                break;
        }
        if (tile > 0)
            *(volatile unsigned*)(states + tile * digits + digit) = 2u << 30 | unsigned(earlier + sum);
        place[digit] = before[digit] + earlier - inTile;
    } else {
        place[digit] = before[digit * gridDim.x + tile] - inTile;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Items; ++k) {
        rank[k] += counters[warp][own[k] >> shift & 255];
        items[rank[k]] = own[k];
    }
    __syncthreads();
    int to[Items];
#pragma unroll
    for (int k = 0; k < Items; ++k) {
        const unsigned key = items[k * 256 + digit];
        to[k] = place[key >> shift & 255] + k * 256 + digit;
        keysOut[to[k]] = key;
    }
    if constexpr (Pairs) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < Items; ++k)
            items[rank[k]] = values[first + 32 * k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < Items; ++k)
            valuesOut[to[k]] = items[k * 256 + digit];
    }
}

void digitsCounted(const char* name, int count, unsigned mask) {
    if (!chosen(name))
        return;
    const auto keys = words(count, mask);
    Memory memory;
    const auto* from = (const uint4*)memory.holding(keys);
    int* counts = memory.of<int>(4 * digits);
    twice([&] { CHECK(cudaMemset(counts, 0, 4 * digits * 4)); },
          [&] { countDigits<<<processors() * 4, 256>>>(from, counts, count / 4); });
    std::vector<int> wanted(4 * digits);
    for (const unsigned key : keys)
        for (int d = 0; d < 4; ++d)
            ++wanted[d * digits + int(key >> 8 * d & 255)];
    say(name, back(counts, 4 * digits) == wanted);
}
template <int Items>
void tilesCounted(const char* name, int tiles) {
    if (!chosen(name))
        return;
    const auto keys = words(tiles * 256 * Items);
    Memory memory;
    const auto* from = memory.holding(keys);
    int* counts = memory.of<int>(std::size_t(tiles) * digits);
    twice([&] { countTile<Items><<<tiles, 256>>>(from, counts, 8); });
    std::vector<int> wanted(std::size_t(tiles) * digits);
    for (std::size_t k = 0; k < keys.size(); ++k)
        ++wanted[(keys[k] >> 8 & 255) * tiles + k / (256 * Items)];
    say(name, back(counts, wanted.size()) == wanted);
}
template <bool InOne, bool Pairs, int Items>
void sorted(const char* name, int tiles, int shift, unsigned mask = ~0u) {
    if (!chosen(name))
        return;
    const std::size_t count = std::size_t(tiles) * 256 * Items;
    const auto keys = words(int(count), mask);
    std::vector<unsigned> order(count);
    for (std::size_t k = 0; k < count; ++k)
        order[k] = unsigned(k);
    const auto digit = [&](std::size_t k) { return keys[k] >> shift & 255; };
    std::vector<int> before(InOne ? digits : std::size_t(digits) * tiles);
    for (std::size_t k = 0; k < count; ++k)
        ++before[InOne ? digit(k) : digit(k) * tiles + k / (256 * Items)];
    for (int sum = 0; int& b : before)
        sum += std::exchange(b, sum);
    Memory memory;
    const auto *from = memory.holding(keys), *values = memory.holding(order);
    auto *to = memory.of<unsigned>(count), *valuesTo = memory.of<unsigned>(count);
    const int* starts = memory.holding(before);
    auto* states = memory.of<unsigned>(std::size_t(tiles) * digits);
    int* tickets = memory.of<int>(1);
    twice(
        [&] {
            if (InOne) {
                CHECK(cudaMemset(states, 0, std::size_t(tiles) * digits * 4));
                CHECK(cudaMemset(tickets, 0, 4));
            }
        },
        [&] {
            sortPass<InOne, Pairs, Items><<<tiles, 256>>>(from, values, to, valuesTo, starts, states, tickets, shift);
        });
    std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return digit(a) < digit(b); });
    const auto got = back(to, count);
    bool right = !Pairs || back(valuesTo, count) == order;
    for (std::size_t k = 0; k < count; ++k)
        right = right && got[k] == keys[order[k]];
    say(name, right);
}

int main(int argc, char** argv) {
    begin(argc, argv);
    digitsCounted("radix_digits_2m", 2 << 20, ~0u);
    digitsCounted("radix_digits_few", 1 << 20, 0x03030303u);
    tilesCounted<16>("radix_tiles_counted", 528);
    tilesCounted<8>("radix_small_tiles_counted", 512);
    sorted<true, false, 16>("radix_in_one_keys", 396, 0);
    sorted<true, true, 12>("radix_in_one_pairs", 400, 8);
    sorted<false, false, 16>("radix_pass_keys", 396, 8);
    sorted<false, true, 8>("radix_pass_pairs", 512, 16, 0x000f00ffu);
    return end();
}
