// SPDX-License-Identifier: GPL-3.0-or-later
// A shared variable at module scope, of 32 KiB, that two kernels use, one of them in a function; and a kernel that uses
// another, and takes nearly all shared memory that a block may have.
#include "check.h"

struct Big {
    float v[8192];
};
extern __shared__ Big big; // of a complete type: nvcc writes .shared .b8 big[32768] at module scope
extern __shared__ float other[];

constexpr int most = 220000;

__device__ __noinline__ float turned(int at) {
    return big.v[31 - at];
}
__global__ void direct(float* out) {
    big.v[threadIdx.x] = float(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = big.v[31 - threadIdx.x];
}
__global__ void called(float* out) {
    big.v[threadIdx.x] = float(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = turned(int(threadIdx.x));
}
__global__ void without(float* out) {
    float* const end = other + most / 4 - 32; // the last words that there are
    end[threadIdx.x] = float(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = end[31 - threadIdx.x];
}

int main() {
    float *out, host[32];
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaFuncSetAttribute(without, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    for (int n = 0; n < 3; ++n) {
        CHECK(cudaMemset(out, 0, sizeof host));
        n == 0   ? direct<<<1, 32, sizeof(Big)>>>(out)
        : n == 1 ? called<<<1, 32, sizeof(Big)>>>(out)
                 : without<<<1, 32, most>>>(out);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 32; ++i)
            WANT(host[i] == float(31 - i));
    }
    return passed();
}
