// SPDX-License-Identifier: GPL-3.0-or-later
// What a runtime refuses, and that an error is told once.
#include "check.h"

__global__ void empty() {}
__global__ void __launch_bounds__(64) bounded() {}
__global__ void large() {
    extern __shared__ int tile[];
    tile[threadIdx.x] = 1;
}

int main() {
#if CUDART_VERSION >= 13000
    const cudaError_t wrongShape = cudaErrorInvalidValue; // as an H200 with CUDA 13.0 answers
#else
    const cudaError_t wrongShape = cudaErrorInvalidConfiguration;
#endif
    empty<<<1, 2048>>>();
    WANT(cudaPeekAtLastError() == wrongShape);
    WANT(cudaGetLastError() == wrongShape);
    WANT(cudaGetLastError() == cudaSuccess);
    empty<<<0, 32>>>();
    WANT(cudaGetLastError() == wrongShape);
    bounded<<<1, 128>>>();
    const cudaError_t tooMany = cudaGetLastError();
    WANT(tooMany != cudaSuccess && (CUDART_VERSION < 13000 || tooMany == wrongShape));
    large<<<1, 32, 100000>>>();
    WANT(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    large<<<1, 32, 100000>>>();
    CHECK(cudaGetLastError());
    int* p = nullptr;
    WANT(cudaMalloc(&p, std::size_t(1) << 50) == cudaErrorMemoryAllocation);
    WANT(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&p, 16));
    int host[8] = {};
    WANT(cudaMemcpy(p, host, 32, cudaMemcpyHostToDevice) == cudaErrorInvalidValue); // longer than what p has
    CHECK(cudaFree(p));
    WANT(cudaFree(p) == cudaErrorInvalidValue);
    CHECK(cudaFree(nullptr));
    WANT(cudaSetDevice(7) == cudaErrorInvalidDevice);
    (void)cudaGetLastError();
    CHECK(cudaDeviceSynchronize());
    return passed();
}
