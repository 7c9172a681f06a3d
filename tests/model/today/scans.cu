// SPDX-License-Identifier: GPL-3.0-or-later
// Scans, sums and selections, by the ways that libraries of today have: decoupled look-back, blocks that go through
// tiles, in one step and in two.
#include "scan_tiles.h"

template <class T, int Threads, int Items>
__global__ void __launch_bounds__(Threads)
    scanInOne(const T* in, T* out, unsigned long long* states, int* tickets, int count) {
    __shared__ T items[Threads * Items];
    __shared__ T prefix;
    const int tile = nextTile(tickets), first = tile * Threads * Items;
#pragma unroll
    for (int k = 0; k < Items; ++k) {
        const int at = first + k * Threads + int(threadIdx.x);
        items[k * Threads + threadIdx.x] = at < count ? in[at] : T(0);
    }
    __syncthreads();
    T own[Items], sum = 0, all;
#pragma unroll
    for (int k = 0; k < Items; ++k)
        own[k] = sum += items[threadIdx.x * Items + k];
    const T before = blockScan<Threads>(sum, all);
    if (threadIdx.x < 32) {
        const T back = lookBack(states, tile, all);
        if (threadIdx.x == 0)
            prefix = back;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Items; ++k)
        items[threadIdx.x * Items + k] = prefix + before + own[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Items; ++k) {
        const int at = first + k * Threads + int(threadIdx.x);
        if (at < count)
            out[at] = items[k * Threads + threadIdx.x];
    }
}
// In two steps: sums of tiles, and tiles with what is before them.
template <int Threads>
__global__ void __launch_bounds__(Threads) sumTiles(const uint4* in, unsigned* sums, int each) {
    unsigned sum = 0, all;
    for (int k = int(threadIdx.x); k < each; k += Threads) {
        const uint4 v = in[long(blockIdx.x) * each + k];
        sum += v.x + v.y + v.z + v.w;
    }
    blockScan<Threads>(sum, all);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = all;
}
template <int Threads>
__global__ void __launch_bounds__(Threads) scanTiles(const uint4* in, const unsigned* sums, uint4* out, int each) {
    unsigned before = 0, all;
    for (int k = int(threadIdx.x); k < int(blockIdx.x); k += Threads)
        before += sums[k];
    blockScan<Threads>(before, all);
    unsigned prefix = all;
    for (int k = 0; k < each; k += Threads) {
        const long at = long(blockIdx.x) * each + k + threadIdx.x;
        uint4 v = in[at];
        v.y += v.x;
        v.z += v.y;
        v.w += v.z;
        const unsigned own = prefix + blockScan<Threads>(v.w, all);
        out[at] = {own + v.x, own + v.y, own + v.z, own + v.w};
        prefix += all;
    }
}
// Blocks go through all, and the last one to end sums what they leave.
template <int Threads>
__global__ void __launch_bounds__(Threads) sumAll(const float4* in, float* parts, float* out, int* left, int count) {
    float sum = 0, all;
    for (int k = int(blockIdx.x * Threads + threadIdx.x); k < count; k += int(gridDim.x) * Threads) {
        const float4 v = in[k];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    blockScan<Threads>(sum, all);
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = all;
        __threadfence();
        last = atomicAdd(left, 1) == int(gridDim.x) - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    sum = 0;
    for (int k = int(threadIdx.x); k < int(gridDim.x); k += Threads)
        sum += __ldcg(parts + k);
    blockScan<Threads>(sum, all);
    if (threadIdx.x == 0)
        *out = all;
}
template <int Threads, int Items>
__global__ void __launch_bounds__(Threads)
    selectBelow(const unsigned* in, unsigned* out, unsigned limit, unsigned long long* states, int* tickets, int count,
                int* number) {
    __shared__ unsigned items[Threads * Items];
    __shared__ int prefix;
    const int tile = nextTile(tickets), first = tile * Threads * Items + int(threadIdx.x) * Items;
    alignas(16) unsigned own[Items];
    int some = 0, all;
#pragma unroll
    for (int k = 0; k < Items; k += 4)
        reinterpret_cast<uint4&>(own[k]) = *reinterpret_cast<const uint4*>(in + first + k);
#pragma unroll
    for (int k = 0; k < Items; ++k)
        some += own[k] < limit;
    int to = blockScan<Threads>(some, all);
    if (threadIdx.x < 32) {
        const int back = lookBack(states, tile, all);
        if (threadIdx.x == 0) {
            prefix = back;
            if ((tile + 1) * Threads * Items == count)
                *number = back + all;
        }
    }
#pragma unroll
    for (int k = 0; k < Items; ++k)
        if (own[k] < limit)
            items[to++] = own[k];
    __syncthreads();
    for (int k = int(threadIdx.x); k < all; k += Threads)
        out[prefix + k] = items[k];
}

template <class T, int Threads, int Items>
void scanned(const char* name, int count) {
    if (!chosen(name))
        return;
    std::vector<T> in;
    for (const unsigned w : words(count, 7))
        in.push_back(T(w));
    Memory memory;
    const int tiles = (count + Threads * Items - 1) / (Threads * Items);
    const T* from = memory.holding(in);
    T* to = memory.of<T>(count);
    auto* states = memory.of<unsigned long long>(tiles);
    auto* tickets = memory.of<int>(1);
    twice(
        [&] {
            CHECK(cudaMemset(states, 0, tiles * 8));
            CHECK(cudaMemset(tickets, 0, 4));
        },
        [&] { scanInOne<T, Threads, Items><<<tiles, Threads>>>(from, to, states, tickets, count); });
    T sum = 0;
    for (T& v : in) // sums stay below 2^24
        v = sum += v;
    say(name, back(to, count) == in);
}
void inSteps(const char* sumName, const char* scanName, int tiles, int each) {
    if (!chosen(sumName) && !chosen(scanName))
        return;
    auto in = words(tiles * each * 4, 255);
    Memory memory;
    const auto* from = (const uint4*)memory.holding(in);
    auto* sums = memory.of<unsigned>(tiles);
    auto* to = memory.of<unsigned>(in.size());
    twice([&] { sumTiles<256><<<tiles, 256>>>(from, sums, each); });
    std::vector<unsigned> wanted(tiles);
    for (std::size_t k = 0; k < in.size(); ++k)
        wanted[k / (std::size_t(each) * 4)] += in[k];
    say(sumName, back(sums, tiles) == wanted);
    twice([&] { scanTiles<256><<<tiles, 256>>>(from, sums, (uint4*)to, each); });
    unsigned sum = 0;
    for (unsigned& v : in)
        v = sum += v;
    say(scanName, back(to, in.size()) == in);
}
void summed(const char* name, int count) {
    if (!chosen(name))
        return;
    std::vector<float> in;
    double want = 0;
    for (const unsigned w : words(count, 3)) {
        in.push_back(float(w));
        want += w;
    }
    Memory memory;
    const int blocks = processors() * 4;
    const auto* from = (const float4*)memory.holding(in);
    float *parts = memory.of<float>(blocks), *to = memory.of<float>(1);
    int* left = memory.of<int>(1);
    twice([&] { CHECK(cudaMemset(left, 0, 4)); },
          [&] { sumAll<256><<<blocks, 256>>>(from, parts, to, left, count / 4); });
    say(name, back(to, 1)[0] == float(want));
}
template <int Threads, int Items>
void selected(const char* name, int tiles, unsigned limit) {
    if (!chosen(name))
        return;
    const int count = tiles * Threads * Items;
    const auto in = words(count);
    Memory memory;
    const auto* from = memory.holding(in);
    auto* to = memory.of<unsigned>(count);
    auto* states = memory.of<unsigned long long>(tiles);
    int *tickets = memory.of<int>(1), *number = memory.of<int>(1);
    twice(
        [&] {
            CHECK(cudaMemset(states, 0, tiles * 8));
            CHECK(cudaMemset(tickets, 0, 4));
        },
        [&] { selectBelow<Threads, Items><<<tiles, Threads>>>(from, to, limit, states, tickets, count, number); });
    std::vector<unsigned> wanted;
    std::copy_if(in.begin(), in.end(), std::back_inserter(wanted), [&](unsigned v) { return v < limit; });
    say(name, back(number, 1)[0] == int(wanted.size()) && back(to, wanted.size()) == wanted);
}
int main(int argc, char** argv) {
    begin(argc, argv);
    scanned<unsigned, 128, 16>("scan_u32_2m", 2 << 20);
    scanned<float, 256, 12>("scan_f32_3m", 3000000);
    scanned<unsigned, 256, 8>("scan_u32_small_tiles", 1 << 20);
    inSteps("scan_sums_of_tiles", "scan_of_tiles", 528, 2048);
    summed("sum_f32_8m", 8 << 20);
    summed("sum_f32_4m", 4 << 20);
    selected<128, 12>("select_half", 1024, 1u << 31);
    selected<256, 16>("select_tenth", 512, 429496729u);
    return end();
}
