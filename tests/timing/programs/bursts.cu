// SPDX-License-Identifier: GPL-3.0-or-later
// Bursts of a tile's results in rounds with a pause before each, by how the code stores them (burst of h200-micro.csv): a constant, a word
// that the round makes, two words of each lane, one a round of the loop, made before each store. Cycles until the last store is issued and
// until a fence behind it is through. nvcc -arch=sm_90a -O3.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("error %s line %d\n", cudaGetErrorString(e), __LINE__); std::exit(1); } } while (0)



template <int V>
__global__ void burst(float* to, int pitch, int n, int rounds, int pause, int active, const float* values, unsigned* out) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float2 mine = V == 2 ? make_float2(values[threadIdx.x], values[threadIdx.x + 512]) : make_float2(1.f, 2.f);
    for (int r = 0; r < rounds; ++r) {
        asm volatile("bar.sync 1, %0;" ::"r"(active * 32) : "memory");
        const long long begin = clock64();
        while (clock64() - begin < pause) {}
        float* const base = to + (size_t(r) * gridDim.x + blockIdx.x) * 16 * active * pitch;
        const long long t0 = clock64();
        for (int half = 0; half < 2; ++half) {
            float* p = base + size_t(16 * warp + lane / 4 + 8 * half) * pitch + lane % 4 * 2;
            if (V == 3) {
#pragma unroll 1
                for (int j = 0; j < n / 8; ++j)
                    *reinterpret_cast<float2*>(p + 8 * j) = make_float2(1.0f, float(r));
            } else if (V == 4) {
#pragma unroll 8
                for (int j = 0; j < n / 8; ++j)
                    *reinterpret_cast<float2*>(p + 8 * j) = make_float2(float(j) + mine.x, float(r * j) + mine.y);
            } else {
#pragma unroll 8
                for (int j = 0; j < n / 8; ++j)
                    *reinterpret_cast<float2*>(p + 8 * j) = V == 0 ? make_float2(1.0f, 2.0f) : V == 1 ? make_float2(1.0f, float(r)) : mine;
            }
        }
        const long long t1 = clock64();
        __threadfence();
        const long long t2 = clock64();
        if (lane == 0) {
            out[(blockIdx.x * 16 + warp) * 16 + r] = unsigned(t1 - t0);
            out[(blockIdx.x * 16 + warp) * 16 + 8 + r] = unsigned(t2 - t0);
        }
    }
}
using Kernel = void (*)(float*, int, int, int, int, int, const float*, unsigned*);

int main() {
    unsigned* out;
    float* to, *values;
    CHECK(cudaMalloc(&out, 132 * 256 * 4));
    CHECK(cudaMalloc(&values, 4096));
    CHECK(cudaMalloc(&to, 1024ull << 20));
    CHECK(cudaMemset(to, 0, 1024ull << 20));
    std::vector<unsigned> h(132 * 256);
    std::vector<float> v(1024);
    for (float& x : v) x = std::rand() / 1e6f;
    CHECK(cudaMemcpy(values, v.data(), 4096, cudaMemcpyHostToDevice));
    const Kernel all[] = {burst<0>, burst<1>, burst<2>, burst<3>, burst<4>};
    for (int again : {0, 1})
    for (int variant = 0; variant < 5; ++variant)
    for (int blocks : {1, 132})
        for (int pitch : {256, 1024})
            for (int n : {256})
                for (int pause : {0, 8000}) {
                        const int rounds = 6;
                        if (again) CHECK(cudaMemset(to, 0, 256 << 20));
                        for (int run = 0; run < 2; ++run)
                            all[variant]<<<blocks, 256>>>(to, pitch, n, rounds, pause, 8, values, out);
                        CHECK(cudaDeviceSynchronize());
                        CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
                        std::printf("v%d again:%d blocks:%d pitch:%d n:%d pause:%d", variant, again, blocks, pitch, n, pause);
                        for (int r = 0; r < rounds; ++r) {
                            double a = 0, b = 0;
                            for (int k = 0; k < blocks; ++k)
                                for (int w = 0; w < 8; ++w)
                                    a += h[(k * 16 + w) * 16 + r], b += h[(k * 16 + w) * 16 + 8 + r];
                            std::printf(" %.0f/%.0f", a / blocks / 8, b / blocks / 8);
                        }
                        std::puts("");
                    }
    std::puts("done");
}
