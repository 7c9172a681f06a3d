// SPDX-License-Identifier: GPL-3.0-or-later
// How blocks meet at words of global memory: loads that L1 does not serve, by the half of L2 that has the word; a word that one SM
// stores and another waits for; tickets that all blocks draw as they begin; tables that blocks add to once or many times: meet_*,
// ticket and merge_* of h200-micro.csv. nvcc -std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define OK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s %s\n", #x, cudaGetErrorString(e_)); exit(1);} } while (0)
using u64 = unsigned long long;
__device__ unsigned smid() { unsigned s; asm volatile("mov.u32 %0, %%smid;" : "=r"(s)); return s; }
enum How { Plain, Cg, Volatile, Relaxed, Acquire, Atomic };
template <int HOW> __device__ unsigned get(unsigned* p) {
    unsigned x;
    if (HOW == Plain) asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
    if (HOW == Cg) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
    if (HOW == Volatile) asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
    if (HOW == Relaxed) asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
    if (HOW == Acquire) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
    if (HOW == Atomic) asm volatile("atom.global.add.u32 %0, [%1], 0;" : "=r"(x) : "l"(p) : "memory");
    return x;
}
// One SM, one thread: a chain through pages; rounds times the same word (p holds zeros). written: stored before by SM writer.
template <int HOW>
__global__ void wait1(unsigned* p, int only, int writer, int rounds, unsigned* out, volatile unsigned* flag) {
    if (threadIdx.x) return;
    if (writer >= 0 && int(smid()) == writer) { *(volatile unsigned*)p = 0; __threadfence(); *flag = 1; return; }
    if (int(smid()) != only) return;
    if (writer >= 0) while (*flag == 0);
    unsigned x = 0;
    u64 t0 = clock64(), t1 = 0;
    unsigned first = 0;
    for (int r = 0; r < rounds; ++r) {
        x = get<HOW>(p + x);
        if (x == 77) break;
        if (r == 0) { t1 = clock64(); first = unsigned(t1 - t0); }
    }
    u64 t2 = clock64();
    out[0] = first;
    out[1] = unsigned((t2 - t1) / (rounds - 1)) + (x == 77);
}
template <int HOW> void loads(const char* name, char* p, unsigned* out, unsigned* flag) {
    for (int writer : {-1, 5})
        for (int pages : {8}) {
            std::vector<unsigned> firsts, later;
            for (int page = 0; page < pages; ++page)
                for (int sm = 0; sm < 132; sm += 12) {
                    if (sm == writer) continue;
                    OK(cudaMemset(p + page * 4096, 0, 4096));
                    OK(cudaMemset(flag, 0, 4));
                    wait1<HOW><<<132, 32>>>((unsigned*)(p + page * 4096), sm, writer, 33, out, flag);
                    unsigned c[2];
                    OK(cudaMemcpy(c, out, 8, cudaMemcpyDeviceToHost));
                    firsts.push_back(c[0]);
                    later.push_back(c[1]);
                }
            std::sort(firsts.begin(), firsts.end());
            std::sort(later.begin(), later.end());
            auto q = [](std::vector<unsigned>& v, double f) { return v[std::min(v.size() - 1, std::size_t(f * v.size()))]; };
            for (double f : {0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0}) {
                printf("meet_load_first/%s/writer:%d/share:%.2f,%u,cycles\n", name, writer, f, q(firsts, f));
                printf("meet_load/%s/writer:%d/share:%.2f,%u,cycles\n", name, writer, f, q(later, f));
            }
        }
}
// SMs a and b hand a word to and fro.
__global__ void pingpong(volatile unsigned* p, int a, int b, int rounds, unsigned* out, int fence) {
    if (threadIdx.x) return;
    int me = int(smid()) == a ? 0 : int(smid()) == b ? 1 : -1;
    if (me < 0) return;
    u64 t0 = clock64();
    for (int r = 0; r < rounds; ++r) {
        unsigned want = 2 * r + me;
        while (*p != want);
        if (fence) __threadfence();
        *p = want + 1;
    }
    u64 t1 = clock64();
    if (me == 0) out[0] = unsigned((t1 - t0) / rounds);
}
// Tickets: thread 0 of each block draws one as it begins.
__global__ void tickets(int* next, unsigned* cycles, int hold) {
    __shared__ int mine;
    u64 t0 = clock64();
    if (threadIdx.x == 0) mine = atomicAdd(next, 1);
    __syncthreads();
    u64 t1 = clock64();
    if (threadIdx.x == 0) cycles[mine] = unsigned(t1 - t0);
    while (clock64() < t1 + hold);
}
// Each block adds rounds times, a warp 32 words, to a table.
template <class T>
__global__ void merges(T* table, int words, int rounds, int delay, unsigned* cycles) {
    u64 t0 = clock64();
    while (clock64() < t0 + delay);
    u64 t1 = clock64();
    for (int r = 0; r < rounds; ++r)
        for (int k = int(threadIdx.x); k < words; k += int(blockDim.x))
            atomicAdd(table + k, T(1));
    u64 t2 = clock64();
    if (threadIdx.x == 0) cycles[blockIdx.x] = unsigned(t2 - t1);
}
template <class Launch> float timed(Launch launch) { // us a launch, of 20 behind each other; the least of 5
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    float best = 1e9;
    for (int t = 0; t < 6; ++t) {
        cudaEventRecord(a);
        for (int k = 0; k < 20; ++k) launch();
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        float ms;
        cudaEventElapsedTime(&ms, a, b);
        best = std::min(best, ms * 1000 / 20);
    }
    OK(cudaGetLastError());
    return best;
}
template <class T> void merging(const char* name, char* p, unsigned* out) {
    for (int blocks : {132, 264, 528, 1056})
        for (int words : {32, 256, 1024, 4096})
            for (int rounds : {1, 2, 4, 16}) {
                const float none = timed([&] { merges<T><<<blocks, 256>>>((T*)p, 0, rounds, 4000, out); });
                const float some = timed([&] { merges<T><<<blocks, 256>>>((T*)p, words, rounds, 4000, out); });
                std::vector<unsigned> c(blocks);
                OK(cudaMemcpy(c.data(), out, 4 * blocks, cudaMemcpyDeviceToHost));
                std::sort(c.begin(), c.end());
                printf("merge_%s/blocks:%d/words:%d/rounds:%d,%.3f,us more\n", name, blocks, words, rounds, some - none);
                printf("merge_%s_kept/blocks:%d/words:%d/rounds:%d,%u,cycles\n", name, blocks, words, rounds, c[blocks / 2]);
            }
}
int main() {
    char* p;
    unsigned *out, *flag;
    OK(cudaMalloc(&p, 1 << 22));
    OK(cudaMalloc(&out, 1 << 16));
    OK(cudaMalloc(&flag, 4096));
    OK(cudaMemset(p, 0, 1 << 22));
    loads<Plain>("plain", p, out, flag);
    loads<Cg>("cg", p, out, flag);
    loads<Volatile>("volatile", p, out, flag);
    loads<Relaxed>("relaxed", p, out, flag);
    loads<Acquire>("acquire", p, out, flag);
    loads<Atomic>("atomic", p, out, flag);
    for (int fence : {0, 1})
        for (int a : {0, 1, 2, 40})
            for (int b : {3, 16, 17, 60, 61, 100, 131}) {
                OK(cudaMemset(p, 0, 4096));
                pingpong<<<132, 32>>>((unsigned*)p, a, b, 64, out, fence);
                unsigned c;
                OK(cudaMemcpy(&c, out, 4, cudaMemcpyDeviceToHost));
                printf("meet_handed/fence:%d/sms:%d-%d,%u,cycles\n", fence, a, b, c);
            }
    for (int blocks : {132, 264, 528, 1056})
        for (int threads : {32, 128, 256}) {
            std::vector<unsigned> c(blocks);
            for (int t = 0; t < 3; ++t) {
                OK(cudaMemset(flag, 0, 4));
                tickets<<<blocks, threads>>>((int*)flag, out, 8000);
                OK(cudaMemcpy(c.data(), out, 4 * blocks, cudaMemcpyDeviceToHost));
            }
            std::sort(c.begin(), c.end());
            double sum = 0;
            for (unsigned v : c) sum += v;
            printf("ticket/blocks:%d/threads:%d/least,%u,cycles\nticket/blocks:%d/threads:%d/mean,%.0f,cycles\nticket/blocks:%d/threads:%d/most,%u,cycles\n",
                   blocks, threads, c[0], blocks, threads, sum / blocks, blocks, threads, c[blocks - 1]);
        }
    merging<unsigned>("u32", p, out);
    merging<float>("f32", p, out);
}
