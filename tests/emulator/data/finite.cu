// SPDX-License-Identifier: GPL-3.0-or-later
// Where numbers go bad: tests/emulator/finite_test.cpp. finite.ptx is made from this file:
//   nvcc -arch=compute_80 -O3 -lineinfo -ptx finite.cu -o finite.ptx   (the paths in .file cut down to the names)
#include <cuda_fp16.h>

extern "C" __global__ void halfSum(const __half* in, __half* out, int n) {
    __half sum = __float2half(0.0f);
    for (int i = 0; i < n; ++i)
        sum = __hadd(sum, in[threadIdx.x]);
    out[threadIdx.x] = sum;
}

extern "C" __global__ void roots(const float* in, float* out) {
    out[threadIdx.x] = sqrtf(in[threadIdx.x]) + 1.0f;
}

extern "C" __global__ void quotients(const double* in, double* out, int from) {
    if (int(threadIdx.x) >= from)
        out[threadIdx.x] = 1.0 / in[threadIdx.x];
}

extern "C" __global__ void narrow(const float* in, __half* out) {
    out[threadIdx.x] = __float2half(in[threadIdx.x]);
}

extern "C" __global__ void pairs(const __half2* in, __half2* out) {
    out[threadIdx.x] = __hmul2(in[threadIdx.x], in[threadIdx.x]);
}

// All of a and b are the one number.
extern "C" __global__ void product(const __half2* in, unsigned* out) {
    const unsigned a = *reinterpret_cast<const unsigned*>(in + threadIdx.x);
    unsigned d0, d1;
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %2}, {%2}, {%3, %3};"
        : "=r"(d0), "=r"(d1)
        : "r"(a), "r"(0));
    out[threadIdx.x] = d0 ^ d1;
}
