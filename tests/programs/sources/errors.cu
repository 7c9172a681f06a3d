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
    empty<<<1, 2048>>>();
    WANT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
    WANT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    WANT(cudaGetLastError() == cudaSuccess);
    empty<<<0, 32>>>();
    WANT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    bounded<<<1, 128>>>();
    WANT(cudaGetLastError() != cudaSuccess);
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
    WANT(cudaStreamSynchronize((cudaStream_t)0x12345) == cudaErrorInvalidResourceHandle);
    (void)cudaGetLastError();
    CHECK(cudaDeviceSynchronize());
    return passed();
}
