// SPDX-License-Identifier: GPL-3.0-or-later
// What copies and kernels leave in L2, and what puts it out: one thread times single loads of lines; below 515 cycles is L2, though
// one in twenty lines of DRAM is as quick. Name, share found, share within 400 cycles, mean of those found, and each eighth of it.
// nvcc -arch=sm_90 -O3 -I. -lcupti.
#include "tests/timing/programs/activity.h"
#include <algorithm>
#include <cstring>
#include <functional>
__global__ void write_all(float4* p, long n) {
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
        p[i] = make_float4(i, 1, 2, 3);
}
__global__ void add_all(float4* p, long n) {
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) {
        float4 v = p[i];
        v.x += 1;
        p[i] = v;
    }
}
constexpr int samples = 512;
__global__ void probe(const unsigned* p, const long* at, int n, unsigned* cycles) {
    __shared__ unsigned took[samples], got[samples];
    __shared__ long where[samples];
    for (int i = threadIdx.x; i < n; i += 32)
        where[i] = at[i];
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < n; i++) {
            const unsigned* q = p + where[i];
            unsigned a, v, b;
            asm volatile("mov.u32 %0, %%clock;" : "=r"(a));
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(q) : "memory");
            got[i] = v;
            asm volatile("membar.cta;" ::: "memory");
            asm volatile("mov.u32 %0, %%clock;" : "=r"(b));
            took[i] = b - a;
        }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 32)
        cycles[i] = took[i] + (got[i] == 0x12345678);
}
int main() {
    char *flush, *a, *b, *host, *pinned;
    float* out;
    unsigned* cycles;
    long* at;
    const size_t most = 256l << 20;
    CHECK(cudaMalloc(&flush, 1l << 30));
    CHECK(cudaMalloc(&a, most));
    CHECK(cudaMalloc(&b, most));
    CHECK(cudaMalloc(&out, 4096));
    CHECK(cudaMalloc(&cycles, samples * 4));
    CHECK(cudaMalloc(&at, samples * 8));
    CHECK(cudaMemset(flush, 0, 1l << 30));
    CHECK(cudaMemset(a, 0, most));
    CHECK(cudaMemset(b, 0, most));
    host = (char*)malloc(most);
    memset(host, 1, most);
    CHECK(cudaMallocHost(&pinned, most));
    memset(pinned, 1, most);
    auto flushing = [&] {
        read_all<<<1056, 256>>>((float4*)flush, 1l << 26, out);
        CHECK(cudaDeviceSynchronize());
    };
    std::vector<unsigned> got(samples);
    // hits of each eighth of `bytes` at p
    auto look = [&](const char* name, char* p, size_t bytes) {
        long lines = bytes / 128;
        int n = (int)std::min<long>(samples, lines) / 8 * 8;
        if (n < 8)
            n = (int)lines;
        std::vector<long> where(n);
        unsigned long long x = 88172645463325252ull;
        for (int i = 0; i < n; i++) {
            long lo = lines * i / n, hi = lines * (i + 1) / n;
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            where[i] = (lo + long(x % (hi - lo))) * 32;
        }
        std::vector<int> order(n);
        for (int i = 0; i < n; i++)
            order[i] = (i * 197) % n; // n is a multiple of 8 up to 512: 197 is prime to it
        std::vector<long> w(n);
        for (int i = 0; i < n; i++)
            w[i] = where[order[i]];
        // the list itself goes by a small copy before the launch
        CHECK(cudaMemcpy(at, w.data(), n * 8, cudaMemcpyHostToDevice));
        probe<<<1, 32>>>((unsigned*)p, at, n, cycles);
        CHECK(cudaMemcpy(got.data(), cycles, n * 4, cudaMemcpyDeviceToHost));
        double hit[8] = {}, all = 0, near = 0, sum = 0;
        int parts = std::min(8, n);
        for (int i = 0; i < n; i++) {
            bool h = got[i] < 515;
            hit[order[i] * parts / n] += h;
            all += h;
            near += got[i] < 400;
            if (h)
                sum += got[i];
        }
        printf("%s,%.3f,%.3f,%.0f", name, all / n, near / n, all ? sum / all : 0);
        for (int k = 0; k < parts; k++)
            printf(",%.2f", hit[k] / (double(n) / parts));
        puts("");
        fflush(stdout);
    };
    struct Way {
        const char* name;
        std::function<void(size_t)> f;
    };
    std::vector<Way> ways = {
        {"nothing", [&](size_t) {}},
        {"pageable", [&](size_t n) { CHECK(cudaMemcpy(a, host, n, cudaMemcpyHostToDevice)); }},
        {"pinned", [&](size_t n) { CHECK(cudaMemcpy(a, pinned, n, cudaMemcpyHostToDevice)); }},
        {"device_to", [&](size_t n) { CHECK(cudaMemcpy(a, b, n, cudaMemcpyDeviceToDevice)); }},
        {"device_from", [&](size_t n) { CHECK(cudaMemcpy(b, a, n, cudaMemcpyDeviceToDevice)); }},
        {"memset", [&](size_t n) { CHECK(cudaMemset(a, 0, n)); }},
        {"to_host", [&](size_t n) { CHECK(cudaMemcpy(host, a, n, cudaMemcpyDeviceToHost)); }},
        {"read", [&](size_t n) { read_all<<<1056, 256>>>((float4*)a, n / 16, out); }},
        {"written", [&](size_t n) { write_all<<<1056, 256>>>((float4*)a, n / 16); }},
        {"added", [&](size_t n) { add_all<<<1056, 256>>>((float4*)a, n / 16); }},
    };
    for (auto& way : ways)
        for (size_t kb :
             {1, 4, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 24576, 32768, 49152, 65536, 131072})
            for (int rep = 0; rep < 2; rep++) {
                flushing();
                way.f(kb << 10);
                CHECK(cudaDeviceSynchronize());
                char name[99];
                snprintf(name, 99, "left_%s/KB:%zu", way.name, kb);
                look(name, a, kb << 10);
            }
    // what was there before: read or copied first, then something else by another way; then the first is looked for
    for (auto first : {"read", "written", "pageable"})
        for (size_t kb : {64, 1024, 4096, 16384})
            for (auto second : {"pageable", "pinned", "memset", "read", "written", "to_host"})
                for (size_t more : {1024, 4096, 16384, 32768, 65536}) {
                    flushing();
                    for (auto& w : ways)
                        if (!strcmp(w.name, first))
                            w.f(kb << 10);
                    CHECK(cudaDeviceSynchronize());
                    std::swap(a, b);
                    for (auto& w : ways)
                        if (!strcmp(w.name, second))
                            w.f(more << 10);
                    CHECK(cudaDeviceSynchronize());
                    std::swap(a, b);
                    char name[120];
                    snprintf(name, 120, "kept_%s/KB:%zu/then_%s/KB:%zu", first, kb, second, more);
                    look(name, a, kb << 10);
                }
}
