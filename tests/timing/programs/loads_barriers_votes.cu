// SPDX-License-Identifier: GPL-3.0-or-later
// Loads behind stores, barriers that reduce, votes, operands from constant memory: the rows load_*, bar_*, vote_* and constant_operand_*
// of h200-micro.csv. nvcc -arch=sm_90 -O3.
#include <algorithm>
#include <cstdio>
#include <cuda.h>
// What a load finds that follows a store of the same thread. F: 0 same word, 1 other word of the sector (lane+1), 2 other sector of the line, 3 same byte by all lanes,
// 4 no store at all (L1 hit), 5 same word, the store once more behind, 6: st then ld.volatile
template <int F>
__global__ void k(unsigned* p, int rounds, long long* out) {
    unsigned lane = threadIdx.x & 31;
    unsigned* mine = p + blockIdx.x * 4096 + (threadIdx.x >> 5) * 128;
    unsigned v = 0;
    for (int i = 0; i < 4; ++i)
        v += mine[lane + 32 * i];
    unsigned* a = mine + lane;
    unsigned* b = F == 1 ? mine + (lane ^ 1) : F == 2 ? mine + (lane ^ 8) : a;
    if (F == 3)
        a = b = mine;
    __syncthreads();
    long long t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        unsigned w;
        if (F == 3) {
            asm volatile("st.global.u8 [%0], %1;" ::"l"(a), "r"(v) : "memory");
            asm volatile("ld.global.u8 %0, [%1];" : "=r"(w) : "l"(b) : "memory");
        } else if (F == 6) {
            asm volatile("st.global.u32 [%0], %1;" ::"l"(a), "r"(v) : "memory");
            asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(w) : "l"(b) : "memory");
        } else {
            if (F != 4)
                asm volatile("st.global.u32 [%0], %1;" ::"l"(a), "r"(v) : "memory");
            asm volatile("ld.global.u32 %0, [%1];" : "=r"(w) : "l"(b + (v & 0x80000000u ? 1 : 0)) : "memory");
        }
        v = (w & 0x7fffffff) + 1 & 0x7fffffff;
    }
    long long t1 = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *out = t1 - t0;
    p[blockIdx.x * 4096 + threadIdx.x] = v;
}
// F: 0 bar.sync, 1 bar.red.and, 2 bar.red.popc
template <int F>
__global__ void bars(unsigned* p, int rounds, long long* out) {
    int v = threadIdx.x;
    __syncthreads();
    long long t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if (F == 0)
            __syncthreads();
        if (F == 1)
            v = __syncthreads_and(v + r);
        if (F == 2)
            v = __syncthreads_count(v + r);
    }
    long long t1 = clock64();
    if (threadIdx.x == 0)
        *out = t1 - t0;
    p[threadIdx.x] = v;
}
// Voting in a chain. F: 0 any, 1 ballot, 2 all with a branch behind it
template <int F>
__global__ void votes(unsigned* p, int rounds, long long* out) {
    unsigned v = threadIdx.x;
    long long t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if (F == 0)
            v += __any_sync(~0u, v == r) ? 1 : 2;
        if (F == 1)
            v += __ballot_sync(~0u, v > r);
        if (F == 2) {
            if (__all_sync(~0u, v != r))
                v = v * 3 + 1;
        }
    }
    long long t1 = clock64();
    if (threadIdx.x == 0)
        *out = t1 - t0;
    p[threadIdx.x] = v;
}
__constant__ float c4[4096];
__constant__ float2 c8[2048];
__constant__ float4 c16[1024];
// Operands that lie at constant addresses of constant memory. F: 0 one word each, 1 two, 2 four
template <int F>
__global__ void operands(float* p, int rounds, long long* out) {
    float v = threadIdx.x, w = 1, x = 2, y = 3;
    long long t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int i = 0; i < 64; ++i) {
            if (F == 0) {
                v = fmaf(v, 1.01f, c4[i * 3]);
                w = fmaf(w, 1.02f, c4[i * 3 + 400]);
                x = fmaf(x, 1.03f, c4[i * 3 + 800]);
                y = fmaf(y, 1.04f, c4[i * 3 + 1200]);
            }
            if (F == 1) {
                float2 a = c8[i * 3], b = c8[i * 3 + 400];
                v = fmaf(v, 1.01f, a.x);
                w = fmaf(w, 1.02f, a.y);
                x = fmaf(x, 1.03f, b.x);
                y = fmaf(y, 1.04f, b.y);
            }
            if (F == 2) {
                float4 a = c16[i * 3];
                v = fmaf(v, 1.01f, a.x);
                w = fmaf(w, 1.02f, a.y);
                x = fmaf(x, 1.03f, a.z);
                y = fmaf(y, 1.04f, a.w);
            }
            if (F == 3) {
                v = fmaf(v, 1.01f, 1.5f * i);
                w = fmaf(w, 1.02f, 2.5f * i);
                x = fmaf(x, 1.03f, 3.5f * i);
                y = fmaf(y, 1.04f, 4.5f * i);
            }
        }
    }
    long long t1 = clock64();
    if (threadIdx.x == 0)
        *out = t1 - t0;
    p[threadIdx.x] = v + w + x + y;
}
template <class K, class P>
void time(K kernel, const char* name, int blocks, int threads, int rounds, double per, P p, long long* out) {
    long long best = 1ll << 60;
    for (int t = 0; t < 4; ++t) {
        kernel<<<blocks, threads>>>(p, rounds, out);
        long long v;
        cudaMemcpy(&v, out, 8, cudaMemcpyDeviceToHost);
        best = std::min(best, v);
    }
    printf("%s/blocks:%d/threads:%d,%.2f,cycles\n", name, blocks, threads, best / double(rounds) / per);
}
int main() {
    unsigned* p;
    long long* out;
    cudaMalloc(&p, 64 << 20);
    cudaMemset(p, 0, 64 << 20);
    cudaMalloc(&out, 64);
    float* f = (float*)p;
    for (int blocks : {1, 132})
        for (int threads : {32, 256}) {
            time(k<4>, "load_only", blocks, threads, 200, 1, p, out);
            time(k<0>, "load_behind_store_same_word", blocks, threads, 200, 1, p, out);
            time(k<1>, "load_behind_store_same_sector", blocks, threads, 200, 1, p, out);
            time(k<2>, "load_behind_store_same_line", blocks, threads, 200, 1, p, out);
            time(k<3>, "load_behind_store_same_byte", blocks, threads, 200, 1, p, out);
            time(k<6>, "volatile_load_behind_store", blocks, threads, 200, 1, p, out);
        }
    for (int threads : {32, 128, 256, 1024}) {
        time(bars<0>, "bar_sync", 1, threads, 200, 1, p, out);
        time(bars<1>, "bar_red_and", 1, threads, 200, 1, p, out);
        time(bars<2>, "bar_red_popc", 1, threads, 200, 1, p, out);
    }
    for (int threads : {32, 256, 1024}) {
        time(votes<0>, "vote_any", 1, threads, 200, 1, p, out);
        time(votes<1>, "vote_ballot", 1, threads, 200, 1, p, out);
        time(votes<2>, "vote_all_branch", 1, threads, 200, 1, p, out);
    }
    for (int threads : {32, 128, 1024}) {
        time(operands<0>, "constant_operand_1", 1, threads, 20, 256, f, out);
        time(operands<1>, "constant_operand_2", 1, threads, 20, 256, f, out);
        time(operands<2>, "constant_operand_4", 1, threads, 20, 256, f, out);
        time(operands<3>, "constant_operand_0", 1, threads, 20, 256, f, out);
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
