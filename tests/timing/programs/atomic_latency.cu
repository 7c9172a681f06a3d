// SPDX-License-Identifier: GPL-3.0-or-later
// How long who waits for an atomic of global memory waits: by kind, lanes and the words that they want, from some SMs alone and from
// all at once: the rows atomic_wait_* of h200-micro.csv. An SM finds a word in its own half of L2 (265 cycles)
// or in the other (495). nvcc -arch=sm_90 -O3.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

enum Op { Add, Exch, Cas, Add64, Cas64, AddF };
template <int OP>
__global__ void waits(char* p, int lanes, int spread, int rounds, int only, unsigned* cycles, unsigned* sink) {
    unsigned sm;
    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    if (int(threadIdx.x) >= lanes || (only >= 0 && int(sm) != only))
        return;
    char* at = p + threadIdx.x * spread;
    unsigned x = 0;
    unsigned long long y = 0;
    float f = 0;
    for (int warm = 0; warm < 2; ++warm) {
        long long t0 = clock64();
        for (int r = 0; r < rounds; ++r) {
            if (OP == Add) asm volatile("atom.global.add.u32 %0, [%1], %0;" : "+r"(x) : "l"(at) : "memory");
            if (OP == Exch) asm volatile("atom.global.exch.b32 %0, [%1], %0;" : "+r"(x) : "l"(at) : "memory");
            if (OP == Cas) asm volatile("atom.global.cas.b32 %0, [%1], %0, 5;" : "+r"(x) : "l"(at) : "memory");
            if (OP == Add64) asm volatile("atom.global.add.u64 %0, [%1], %0;" : "+l"(y) : "l"(at) : "memory");
            if (OP == Cas64) asm volatile("atom.global.cas.b64 %0, [%1], %0, 5;" : "+l"(y) : "l"(at) : "memory");
            if (OP == AddF) asm volatile("atom.global.add.f32 %0, [%1], %0;" : "+f"(f) : "l"(at) : "memory");
        }
        if (x + y + (unsigned)f == 123456789u)
            *sink = x;
        long long t1 = clock64();
        if (threadIdx.x == 0)
            cycles[sm] = unsigned(t1 - t0);
    }
}
template <int OP>
void of(const char* name, int bytes, char* p, unsigned* cycles, unsigned* sink) {
    const int rounds = 64;
    for (int lanes : {1, 2, 4, 8, 16, 32})
        for (int spread : {0, bytes, 32, 128, 4096}) {
            if (lanes == 1 && spread)
                continue;
            // Median, least and most of some SMs, each alone; then the median of all at once.
            std::vector<double> alone;
            for (int sm = 0; sm < 132; sm += lanes == 1 || lanes == 32 ? 4 : 16) {
                cudaMemset(p, 0, 1 << 20);
                cudaMemset(cycles, 0, 4096);
                waits<OP><<<132, 32>>>(p, lanes, spread, rounds, sm, cycles, sink);
                unsigned c = 0;
                cudaMemcpy(&c, cycles + sm, 4, cudaMemcpyDeviceToHost);
                if (c)
                    alone.push_back(c / double(rounds));
            }
            std::sort(alone.begin(), alone.end());
            if (!alone.empty())
                printf("atomic_wait_%s/lanes:%d/apart:%d,%.1f,cycles\natomic_wait_%s_least/lanes:%d/apart:%d,%.1f,cycles\n"
                       "atomic_wait_%s_most/lanes:%d/apart:%d,%.1f,cycles\n",
                       name, lanes, spread, alone[alone.size() / 2], name, lanes, spread, alone[0], name, lanes, spread,
                       alone.back());
            if (lanes != 1 && lanes != 32)
                continue;
            std::vector<unsigned> all(132);
            waits<OP><<<132, 32>>>(p, lanes, spread, rounds, -1, cycles, sink);
            cudaMemcpy(all.data(), cycles, 132 * 4, cudaMemcpyDeviceToHost);
            std::sort(all.begin(), all.end());
            printf("atomic_wait_%s_together/lanes:%d/apart:%d,%.1f,cycles\n", name, lanes, spread,
                   all[66] / double(rounds));
        }
}
int main() {
    char* p;
    unsigned *cycles, *sink;
    cudaMalloc(&p, 1 << 20);
    cudaMalloc(&cycles, 4096);
    cudaMalloc(&sink, 4);
    of<Add>("add", 4, p, cycles, sink);
    of<Exch>("exch", 4, p, cycles, sink);
    of<Cas>("cas", 4, p, cycles, sink);
    of<Add64>("add64", 8, p, cycles, sink);
    of<Cas64>("cas64", 8, p, cycles, sink);
    of<AddF>("addf", 4, p, cycles, sink);
    printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
