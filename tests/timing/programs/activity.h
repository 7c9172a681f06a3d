// SPDX-License-Identifier: GPL-3.0-or-later
// Durations of kernels by CUPTI's records, in the order in which they ran, and a kernel that reads memory through, which puts
// out of L2 what was there.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cupti.h>
#include <string>
#include <vector>
struct Ran {
    std::string name;
    double start, ns;
};
inline std::vector<Ran> ran;
inline void CUPTIAPI giveBuffer(uint8_t** b, size_t* size, size_t* records) {
    *size = 8 << 20;
    *b = (uint8_t*)aligned_alloc(8, *size);
    *records = 0;
}
inline void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t* b, size_t, size_t valid) {
    CUpti_Activity* r = nullptr;
    while (cuptiActivityGetNextRecord(b, valid, &r) == CUPTI_SUCCESS)
        if (r->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || r->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
            auto* k = (CUpti_ActivityKernel10*)r;
            ran.push_back({k->name, double(k->start), double(k->end - k->start)});
        }
    free(b);
}
inline void beginActivity() {
    cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer);
    if (cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS) {
        puts("no activity");
        exit(1);
    }
}
inline void flushActivity() {
    cudaDeviceSynchronize();
    cuptiActivityFlushAll(1);
}
#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        cudaError_t e_ = (x);                                                                                          \
        if (e_ != cudaSuccess) {                                                                                       \
            printf("%s: %s\n", #x, cudaGetErrorString(e_));                                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
__global__ void read_all(const float4* p, long n, float* out) {
    float s = 0;
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) {
        float4 v = p[i];
        s += v.x + v.y + v.z + v.w;
    }
    if (s == 1.234f)
        *out = s;
}
