// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that are in no cache, wanted by many SMs at once: a block each reads the same 4 MB, or 4 MB of its own that no other
// has read (as far as memory reaches, else the same again by turns), all in the same order. Rows first_touch/same|own/sms:N/
// warps:W of h200-micro.csv: bytes a cycle and SM; chase/sms:N: cycles from one load to the next, by one thread of each block,
// where all go the same way. nvcc -arch=sm_90 -O3 -std=c++17 first_touch.cu.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (const cudaError_t e_ = (x); e_ != cudaSuccess) {                                                           \
            printf("%s: %s\n", #x, cudaGetErrorString(e_));                                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

constexpr size_t part = 4 << 20, most = 132;

// All blocks begin when the last one has come.
__device__ void meet(unsigned* arrived) {
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (*(volatile unsigned*)arrived < gridDim.x) {
        }
    }
    __syncthreads();
}

__global__ void reads(const uint4* data, bool own, unsigned* arrived, long long* clocks, unsigned* sink) {
    const uint4* const from = data + (own ? blockIdx.x * (part / 16) : 0);
    meet(arrived);
    const long long begin = clock64();
    unsigned all = 0;
    for (size_t k = threadIdx.x; k < part / 16; k += 4 * blockDim.x) {
        uint4 v[4];
#pragma unroll
        for (int u = 0; u < 4; ++u)
            v[u] = k + u * blockDim.x < part / 16 ? __ldcg(from + k + u * blockDim.x) : make_uint4(0, 0, 0, 0);
#pragma unroll
        for (int u = 0; u < 4; ++u)
            all ^= v[u].x ^ v[u].y ^ v[u].z ^ v[u].w;
    }
    if (all == 12345)
        *sink = all;
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - begin;
}

// Memory holds zeros: the next line is a step further on.
__global__ void chase(const unsigned* data, int steps, unsigned* arrived, long long* clocks, unsigned* sink) {
    meet(arrived);
    unsigned at = 0;
    const long long begin = clock64();
    for (int k = 0; k < steps; ++k)
        at += __ldcg(data + at) + 32 * 33; // 33 lines
    clocks[blockIdx.x] = clock64() - begin;
    if (at == 12345)
        *sink = at;
}

__global__ void readThrough(const uint4* data, size_t count, unsigned* sink) {
    unsigned all = 0;
    for (size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x; k < count; k += size_t(gridDim.x) * blockDim.x)
        all ^= data[k].x;
    if (all == 12345)
        *sink = all;
}

int main() {
    char *data, *other;
    unsigned *arrived, *sink;
    long long* clocks;
    const size_t otherBytes = 256 << 20;
    CHECK(cudaMalloc(&data, part * most));
    CHECK(cudaMalloc(&other, otherBytes));
    CHECK(cudaMalloc(&arrived, 4));
    CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaMalloc(&clocks, most * 8));
    CHECK(cudaMemset(data, 0, part * most));
    CHECK(cudaMemset(other, 0, otherBytes));
    const auto mean = [&](int sms, auto launch) {
        double least = 1e18;
        for (int time = 0; time < 3; ++time) {
            readThrough<<<528, 256>>>((const uint4*)other, otherBytes / 16, sink); // L2 holds nothing of data
            CHECK(cudaMemset(arrived, 0, 4));
            launch();
            CHECK(cudaDeviceSynchronize());
            std::vector<long long> took(sms);
            CHECK(cudaMemcpy(took.data(), clocks, sms * 8, cudaMemcpyDeviceToHost));
            double sum = 0;
            for (const long long t : took)
                sum += double(t);
            least = std::min(least, sum / sms);
        }
        return least;
    };
    for (const bool own : {false, true})
        for (const int sms : {1, 2, 4, 8, 16, 32, 66, 132})
            for (const int warps : {4, 16})
                printf("first_touch/%s/sms:%d/warps:%d,%.6g,B/cycle\n", own ? "own" : "same", sms, warps,
                       double(part) / mean(sms, [&] {
                           reads<<<sms, warps * 32>>>((const uint4*)data, own, arrived, clocks, sink);
                       }));
    for (const int sms : {1, 2, 4, 8, 16, 32, 66, 132})
        printf("first_touch/chase/sms:%d,%.6g,cycles\n", sms,
               mean(sms, [&] { chase<<<sms, 1>>>((const unsigned*)data, 900, arrived, clocks, sink); }) / 900);
}
