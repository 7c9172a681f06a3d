// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of the SMs: cycles over ns of kernels with and without products of matrices, one after the other.
// nvcc -gencode arch=compute_90a,code=sm_90a -O3.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

enum class Work { Fma, F16, Tf32, S8, F64, Once, Wgmma, Ldmatrix };

__device__ inline uint64_t nanoseconds() {
    uint64_t t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}
__device__ inline uint64_t cycles() {
    uint64_t t;
    asm volatile("mov.u64 %0, %clock64;" : "=l"(t));
    return t;
}
template <Work work>
__device__ inline void product(float (&d)[4], int (&s)[4], double (&q)[2], unsigned a, unsigned shared) {
    if constexpr (work == Work::F16 || work == Work::Once)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a));
    if constexpr (work == Work::Tf32)
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a));
    if constexpr (work == Work::S8)
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
            : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
            : "r"(a));
    if constexpr (work == Work::F64)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%2}, {%0,%1};"
                     : "+d"(q[0]), "+d"(q[1])
                     : "d"(1.0));
    if constexpr (work == Work::Ldmatrix)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(s[0]) : "r"(shared));
    if constexpr (work == Work::Wgmma) {
        const uint64_t tile = uint64_t((shared & 0x3FFFF) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62;
        asm volatile("wgmma.fence.sync.aligned;");
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %4, 1, 1, 1, 0, 0;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "l"(tile));
        asm volatile("wgmma.commit_group.sync.aligned;");
        asm volatile("wgmma.wait_group.sync.aligned 0;");
    }
}
template <Work work>
__global__ void rounds(uint64_t* out, int count, float seed) {
    __shared__ __align__(1024) char tile[32768];
    const unsigned shared = unsigned(__cvta_generic_to_shared(tile));
    float f[8], d[4] = {};
    int s[4] = {};
    double q[2] = {};
    for (int k = 0; k < 8; ++k)
        f[k] = seed + float(threadIdx.x + k);
    const bool first = blockIdx.x == 0 && threadIdx.x == 0;
    if (first)
        out[0] = nanoseconds(), out[1] = cycles();
    for (int i = 0; i < count; ++i) {
        if (work != Work::Once || i == count / 8)
            product<work>(d, s, q, threadIdx.x, shared);
        for (int k = 0; k < 8; ++k)
            f[k] = f[k] * 1.0001f + 0.5f;
    }
    if (first)
        out[2] = nanoseconds(), out[3] = cycles();
    float all = d[0] + float(s[0]) + float(q[0]);
    for (const float x : f)
        all += x;
    if (all == 1.25f)
        out[4] = 1;
}
template <Work work>
void show(const char* name, int blocks) {
    static uint64_t* out = nullptr;
    if (!out)
        cudaMalloc(&out, 64);
    uint64_t t[4];
    rounds<work><<<blocks, 128>>>(out, 32000, 1.f);
    cudaMemcpy(t, out, sizeof t, cudaMemcpyDeviceToHost);
    std::printf("clock/%s/blocks:%d,%.3f,GHz\n", name, blocks, double(t[3] - t[1]) / double(t[2] - t[0]));
}

int main() {
    show<Work::Fma>("warm_up", 132);
    for (const int blocks : {1, 16, 132}) {
        show<Work::Fma>("fma", blocks);
        show<Work::F16>("mma_f16", blocks);
        show<Work::Fma>("fma_behind_mma", blocks);
        show<Work::Tf32>("mma_tf32", blocks);
        show<Work::S8>("mma_s8", blocks);
        show<Work::F64>("mma_f64", blocks);
        show<Work::Once>("mma_once", blocks);
        show<Work::Wgmma>("wgmma", blocks);
        show<Work::Ldmatrix>("ldmatrix", blocks);
    }
}
