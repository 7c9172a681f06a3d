// SPDX-License-Identifier: GPL-3.0-or-later
// What the device says of itself, in a struct whose layout changes from version to version, and one by one.
#include "check.h"
#include <cstring>

__global__ void k(float* p) {
    __shared__ float tile[256];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[255 - threadIdx.x];
}

static int attribute(cudaDeviceAttr which) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

int main() {
    int count = 0, driver = 0, runtime = 0;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    WANT(count == 1 && driver >= runtime && runtime / 1000 == CUDART_VERSION / 1000);
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    std::printf("%s\n", p.name);
    WANT(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.maxThreadsDim[2] == 64 && p.maxGridSize[1] == 65535);
    WANT(p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount) && p.multiProcessorCount > 0);
    WANT(p.major == attribute(cudaDevAttrComputeCapabilityMajor) &&
         p.minor == attribute(cudaDevAttrComputeCapabilityMinor));
    WANT(int(p.sharedMemPerBlock) == attribute(cudaDevAttrMaxSharedMemoryPerBlock) && p.sharedMemPerBlock == 49152);
    WANT(int(p.sharedMemPerBlockOptin) == attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    WANT(int(p.sharedMemPerMultiprocessor) == attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    WANT(p.regsPerMultiprocessor == 65536 && p.managedMemory == 1 && p.unifiedAddressing == 1);
    WANT(p.l2CacheSize == attribute(cudaDevAttrL2CacheSize) && p.memoryBusWidth > 0);
    WANT(p.maxBlocksPerMultiProcessor == attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
    WANT(p.cooperativeLaunch == 1 && p.unifiedFunctionPointers == 1 && p.totalConstMem == 65536);
    cudaFuncAttributes f;
    CHECK(cudaFuncGetAttributes(&f, k));
    WANT(f.sharedSizeBytes == 1024 && f.maxThreadsPerBlock == 1024 && f.maxDynamicSharedSizeBytes == 49152 - 1024);
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0));
    WANT(blocks == p.maxThreadsPerMultiProcessor / 256);
    int grid = 0, block = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, k, 0, 0));
    WANT(block > 0 && block % 32 == 0 && grid >= p.multiProcessorCount);
    std::size_t free = 0, total = 0, again = 0;
    CHECK(cudaMemGetInfo(&free, &total));
    void* taken;
    CHECK(cudaMalloc(&taken, 1 << 20));
    CHECK(cudaMemGetInfo(&again, &total));
    WANT(total >= free && free - again >= 1 << 20);
    return passed();
}
