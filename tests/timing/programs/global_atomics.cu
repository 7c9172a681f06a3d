// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics of global memory by all SMs: the rows atomics2_* of h200-micro.csv. nvcc -arch=sm_90 -O3.
#include <algorithm>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
enum Op { U32, MAX32, OR32, EXCH, CAS, U64, MAX64, F32, F32R, F64, H1, H2, B2, F2, F4, U32R };
__device__ unsigned mixed(unsigned v) {
    v = ((v >> 16) ^ v) * 0x45d9f3b;
    v = ((v >> 16) ^ v) * 0x45d9f3b;
    return (v >> 16) ^ v;
}
template <int OP>
__global__ void k(void* p, int lanes, unsigned mask, int step, int rounds, unsigned* o) {
    unsigned lane = threadIdx.x & 31, warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (lane >= lanes)
        return;
    unsigned at = warp * lanes + lane, sum = 0;
    for (int r = 0; r < rounds; ++r) {
        unsigned i = step < 0 ? mixed(at + r * 1234567u) & mask : (at + r * step) & mask;
        if (OP == U32)
            atomicAdd((unsigned*)p + i, 1u + r);
        if (OP == U32R)
            sum += atomicAdd((unsigned*)p + i, 1u + r);
        if (OP == MAX32)
            atomicMax((unsigned*)p + i, 1u + r);
        if (OP == OR32)
            atomicOr((unsigned*)p + i, 1u + r);
        if (OP == EXCH)
            sum += atomicExch((unsigned*)p + i, 1u + r);
        if (OP == CAS)
            sum += atomicCAS((unsigned*)p + i, 7u, 1u + r);
        if (OP == U64)
            atomicAdd((unsigned long long*)p + i, 1ull + r);
        if (OP == MAX64)
            atomicMax((unsigned long long*)p + i, 1ull + r);
        if (OP == F32)
            atomicAdd((float*)p + i, 1.f);
        if (OP == F32R)
            sum += (unsigned)atomicAdd((float*)p + i, 1.f);
        if (OP == F64)
            atomicAdd((double*)p + i, 1.0);
        if (OP == H1)
            atomicAdd((__half*)p + i, __half(1.f));
        if (OP == H2)
            atomicAdd((__half2*)p + i, __half2(1.f, 1.f));
        if (OP == B2)
            atomicAdd((__nv_bfloat162*)p + i, __nv_bfloat162(1.f, 1.f));
        if (OP == F2)
            atomicAdd((float2*)p + i, make_float2(1.f, 1.f));
        if (OP == F4)
            atomicAdd((float4*)p + i, make_float4(1.f, 1.f, 1.f, 1.f));
    }
    if (sum == 12345u)
        *o = sum;
}
template <int OP>
void all(const char* name, int bytes, void* p, unsigned* o) {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    for (int lanes : {1, 8, 32})
        for (unsigned words : {1u, 8u, 32u, 256u, 1024u, 8192u, 65536u, 1u << 20})
            for (int step : {0, 97, -1}) {
                if (words == 1 && step)
                    continue;
                float best = 1e9;
                for (int t = 0; t < 4; ++t) {
                    cudaEventRecord(a);
                    k<OP><<<1056, 256>>>(p, lanes, words - 1, step, 16, o);
                    cudaEventRecord(b);
                    cudaEventSynchronize(b);
                    float ms;
                    cudaEventElapsedTime(&ms, a, b);
                    best = std::min(best, ms);
                }
                printf("atomics2_%s/lanes:%d/words:%u/step:%d,%.4f,Gops/s\n", name, lanes, words, step,
                       1056.0 * 8 * lanes * 16 / (best * 1e6));
            }
}
int main() {
    void* p;
    unsigned* o;
    cudaMalloc(&p, 64 << 20);
    cudaMalloc(&o, 4);
    cudaMemset(p, 0, 64 << 20);
    all<U32>("u32", 4, p, o);
    all<U32R>("u32_return", 4, p, o);
    all<MAX32>("max32", 4, p, o);
    all<OR32>("or32", 4, p, o);
    all<EXCH>("exch", 4, p, o);
    all<CAS>("cas", 4, p, o);
    all<U64>("u64", 8, p, o);
    all<MAX64>("max64", 8, p, o);
    all<F32>("f32", 4, p, o);
    all<F32R>("f32_return", 4, p, o);
    all<F64>("f64", 8, p, o);
    all<H1>("f16", 2, p, o);
    all<H2>("f16x2", 4, p, o);
    all<B2>("bf16x2", 4, p, o);
    all<F2>("f32x2", 8, p, o);
    all<F4>("f32x4", 16, p, o);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
