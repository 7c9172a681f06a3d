// SPDX-License-Identifier: GPL-3.0-or-later
// What queues where many want the same: loops that compare and swap, locks, stores to lines that all SMs write; constants beyond the
// first cache, and values that are the same in all lanes: the rows cas_loop_*, lock, part_store_*, constant_set*, uniform_*, lanes_*,
// loop_turn_* and votes_*_full of h200-micro.csv. nvcc -arch=sm_90 -O3.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

template <class F>
float best(F f, int times = 4) {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    float least = 1e9;
    for (int t = 0; t < times; ++t) {
        cudaEventRecord(a);
        f();
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        float ms;
        cudaEventElapsedTime(&ms, a, b);
        least = std::min(least, ms);
    }
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    return least;
}

// Each lane adds to a word by reading it and swapping until nobody came in between. O: 0 int, 1 float, 2 double.
template <int O>
__global__ void casLoop(void* p, int lanes, unsigned mask, int rounds, unsigned long long* tries) {
    unsigned lane = threadIdx.x & 31, warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (lane >= lanes)
        return;
    unsigned at = warp * lanes + lane, count = 0;
    for (int r = 0; r < rounds; ++r) {
        unsigned i = (at + r * 97) & mask;
        if (O == 0) {
            unsigned* w = (unsigned*)p + i;
            unsigned old = *(volatile unsigned*)w, seen;
            do {
                seen = old;
                old = atomicCAS(w, seen, seen + 3);
                ++count;
            } while (old != seen);
        } else if (O == 1) {
            int* w = (int*)p + i;
            int old = *(volatile int*)w, seen;
            do {
                seen = old;
                old = atomicCAS(w, seen, __float_as_int(fmaxf(__int_as_float(seen), 1.f) + 1.f));
                ++count;
            } while (old != seen);
        } else {
            unsigned long long* w = (unsigned long long*)p + i;
            unsigned long long old = *(volatile unsigned long long*)w, seen;
            do {
                seen = old;
                old = atomicCAS(w, seen, __double_as_longlong(__longlong_as_double(seen) + 1.0));
                ++count;
            } while (old != seen);
        }
    }
    atomicAdd(tries, (unsigned long long)count);
}
template <int O>
void casLoops(const char* name, void* p, unsigned long long* tries) {
    for (int blocks : {1, 16, 132, 1056})
        for (int threads : {32, 256})
            for (int lanes : {1, 32})
                for (unsigned words : {1u, 32u, 1024u, 65536u}) {
                    if (words == 1 && blocks * threads / 32 * lanes > 40000)
                        continue;
                    int rounds = words == 1 ? 1 : words == 32 ? 2 : 8;
                    cudaMemset(p, 0, 1 << 20);
                    cudaMemset(tries, 0, 8);
                    int runs = words <= 32 ? 1 : 3;
                    float ms = best([&] { casLoop<O><<<blocks, threads>>>(p, lanes, words - 1, rounds, tries); }, runs);
                    unsigned long long n;
                    cudaMemcpy(&n, tries, 8, cudaMemcpyDeviceToHost);
                    double all = double(blocks) * threads / 32 * lanes * rounds;
                    printf("cas_loop_%s/blocks:%d/threads:%d/lanes:%d/words:%u,%.1f,ns\n", name, blocks, threads, lanes,
                           words, ms * 1e6);
                    printf("cas_loop_%s_tries/blocks:%d/threads:%d/lanes:%d/words:%u,%.3f,tries\n", name, blocks,
                           threads, lanes, words, n / (all * runs));
                }
}

// A thread of each block takes a lock, adds to a word, gives the lock back.
__global__ void locks(unsigned* lock, unsigned* word, int many, int rounds) {
    if (threadIdx.x != 0)
        return;
    for (int r = 0; r < rounds; ++r) {
        unsigned k = (blockIdx.x + r) % many;
        while (atomicCAS(lock + k * 32, 0u, 1u) != 0u)
            ;
        __threadfence();
        volatile unsigned* w = word + k * 32;
        *w = *w + 1;
        __threadfence();
        atomicExch(lock + k * 32, 0u);
    }
}

// All warps store parts of the same lines, again and again.
template <class T>
__global__ void partStores(T* p, int lanes, unsigned elements, int apart, int rounds) {
    unsigned lane = threadIdx.x & 31, warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (lane >= lanes)
        return;
    for (int r = 0; r < rounds; ++r) {
        unsigned i = ((warp + r * 97) * lanes + lane) % elements;
        T v{};
        reinterpret_cast<char*>(&v)[0] = char(r + 1);
        p[std::size_t(i) * apart] = v;
    }
}
template <class T>
void storesOf(const char* name, void* p) {
    for (int lanes : {1, 8, 32})
        for (unsigned bytes : {32u, 256u, 1024u, 4096u, 65536u, 1u << 20}) {
            unsigned elements = bytes / sizeof(T);
            float ms = best([&] { partStores<T><<<1056, 256>>>((T*)p, lanes, elements, 1, 16); });
            printf("part_store_%s/lanes:%d/bytes:%u,%.4f,requests/ns\n", name, lanes, bytes,
                   1056.0 * 8 * 16 / (ms * 1e6));
        }
    for (int apart : {32, 128}) { // a sector, a line each
        for (unsigned elements : {1u, 132u, 1056u, 8448u}) {
            float ms = best([&] { partStores<T><<<1056, 256>>>((T*)p, 1, elements, apart / int(sizeof(T)), 16); });
            printf("part_store_%s_apart/apart:%d/elements:%u,%.4f,requests/ns\n", name, apart, elements,
                   1056.0 * 8 * 16 / (ms * 1e6));
        }
    }
}

// Constants at an index that all lanes share, over so many bytes, again and again.
__constant__ unsigned table[16384];
template <int CHAIN>
__global__ void constants(unsigned* out, long long* cycles, unsigned words, unsigned step, int rounds) {
    unsigned i = 0, sum = 0;
    for (unsigned k = 0; k < words; k += step)
        sum += table[k];
    __syncthreads();
    long long t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        unsigned v = table[i];
        if (CHAIN)
            i = (i + step + v) % words; // all zero
        else
            i = (i + step) % words;
        sum += v;
    }
    long long t1 = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *cycles = t1 - t0;
    out[threadIdx.x] = sum;
}

// Integer work on what all lanes share (U 1) and on what is each lane's own (U 0): 16 operations of three kinds a round.
template <int U, int K>
__global__ void uniform(unsigned* out, const unsigned* in, long long* cycles, int rounds, unsigned a, unsigned b) {
    unsigned v = U ? a + blockIdx.x : a + threadIdx.x, w = U ? b * 3 : b * 3 + threadIdx.x;
    __syncthreads();
    long long t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            if (K == 0)
                v = (v + w) ^ (w << 3), w = w + 0x5bd1 + i; // add, logic, shift
            if (K == 1)
                v = v * w + i; // multiply
            if (K == 2)
                v = v < w ? v + 7 : w - i; // compare and select
        }
    }
    long long t1 = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *cycles = t1 - t0;
    out[blockIdx.x * blockDim.x + threadIdx.x] = v + w;
}
// One counter of a loop that all lanes share, and so many additions of each lane's own a turn.
template <int OWN>
__global__ void turns(unsigned* out, long long* cycles, int rounds) {
    unsigned v = threadIdx.x, w = v * 3;
    __syncthreads();
    long long t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int i = 0; i < OWN; ++i)
            v = (v ^ (w + r)) + i;
    }
    long long t1 = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *cycles = t1 - t0;
    out[blockIdx.x * blockDim.x + threadIdx.x] = v + w;
}
// Votes by many warps. F: 0 any, 1 ballot, 2 all with a branch behind it.
template <int F>
__global__ void votes(unsigned* out, long long* cycles, int rounds) {
    unsigned v = threadIdx.x;
    __syncthreads();
    long long t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if (F == 0)
            v += __any_sync(~0u, v == r) ? 1 : 2;
        if (F == 1)
            v += __ballot_sync(~0u, v > r);
        if (F == 2 && __all_sync(~0u, v != r))
            v = v * 3 + 1;
    }
    long long t1 = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *cycles = t1 - t0;
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

int main() {
    char* p;
    unsigned* out;
    long long* cycles;
    unsigned long long* tries;
    cudaMalloc(&p, 64 << 20);
    cudaMalloc(&out, 64 << 20);
    cudaMalloc(&cycles, 64);
    cudaMalloc(&tries, 64);
    cudaMemset(p, 0, 64 << 20);
    const auto last = [&] {
        long long v;
        cudaMemcpy(&v, cycles, 8, cudaMemcpyDeviceToHost);
        return v;
    };
    casLoops<0>("u32", p, tries);
    casLoops<1>("f32", p, tries);
    casLoops<2>("f64", p, tries);
    for (int blocks : {1, 2, 16, 132, 1056})
        for (int many : {1, 16, 1024}) {
            cudaMemset(p, 0, 1 << 20);
            float ms = best([&] { locks<<<blocks, 32>>>((unsigned*)p, (unsigned*)(p + (1 << 20)), many, 4); }, 3);
            printf("lock/blocks:%d/locks:%d,%.1f,ns\n", blocks, many, ms * 1e6);
        }
    storesOf<unsigned char>("u8", p);
    storesOf<unsigned>("u32", p);
    storesOf<uint4>("u128", p);
    for (unsigned bytes : {1024u, 2048u, 4096u, 8192u, 16384u, 32768u, 65536u})
        for (unsigned step : {1u, 16u, 64u})
            for (int threads : {32, 256, 1024}) {
                constants<1><<<1, threads>>>(out, cycles, bytes / 4, step, 2000);
                constants<1><<<1, threads>>>(out, cycles, bytes / 4, step, 2000);
                printf("constant_set_chain/bytes:%u/step:%u/threads:%d,%.3f,cycles\n", bytes, step * 4, threads,
                       last() / 2000.0);
                constants<0><<<1, threads>>>(out, cycles, bytes / 4, step, 2000);
                constants<0><<<1, threads>>>(out, cycles, bytes / 4, step, 2000);
                printf("constant_set/bytes:%u/step:%u/threads:%d,%.3f,cycles\n", bytes, step * 4, threads,
                       last() / 2000.0);
            }
#define WARPGLASS_CLOCKED(name, call, rounds)                                                                          \
    for (int threads : {32, 128, 512, 1024}) {                                                                         \
        for (int t = 0; t < 2; ++t)                                                                                    \
            call;                                                                                                      \
        printf(name "/threads:%d,%.3f,cycles\n", threads, last() / double(rounds));                                    \
    }
    WARPGLASS_CLOCKED("uniform_add_logic_shift",
                      (uniform<1, 0><<<132, threads>>>(out, (unsigned*)p, cycles, 200, 5, 7)), 200)
    WARPGLASS_CLOCKED("lanes_add_logic_shift", (uniform<0, 0><<<132, threads>>>(out, (unsigned*)p, cycles, 200, 5, 7)),
                      200)
    WARPGLASS_CLOCKED("uniform_multiply", (uniform<1, 1><<<132, threads>>>(out, (unsigned*)p, cycles, 200, 5, 7)), 200)
    WARPGLASS_CLOCKED("lanes_multiply", (uniform<0, 1><<<132, threads>>>(out, (unsigned*)p, cycles, 200, 5, 7)), 200)
    WARPGLASS_CLOCKED("uniform_select", (uniform<1, 2><<<132, threads>>>(out, (unsigned*)p, cycles, 200, 5, 7)), 200)
    WARPGLASS_CLOCKED("lanes_select", (uniform<0, 2><<<132, threads>>>(out, (unsigned*)p, cycles, 200, 5, 7)), 200)
    WARPGLASS_CLOCKED("loop_turn_of_1", (turns<1><<<264, threads>>>(out, cycles, 500)), 500)
    WARPGLASS_CLOCKED("loop_turn_of_4", (turns<4><<<264, threads>>>(out, cycles, 500)), 500)
    WARPGLASS_CLOCKED("loop_turn_of_16", (turns<16><<<264, threads>>>(out, cycles, 500)), 500)
    WARPGLASS_CLOCKED("votes_any_full", (votes<0><<<264, threads>>>(out, cycles, 500)), 500)
    WARPGLASS_CLOCKED("votes_ballot_full", (votes<1><<<264, threads>>>(out, cycles, 500)), 500)
    WARPGLASS_CLOCKED("votes_all_branch_full", (votes<2><<<264, threads>>>(out, cycles, 500)), 500)
    printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
