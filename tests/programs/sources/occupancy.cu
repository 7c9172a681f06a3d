// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about kernels: how many blocks an SM takes, what a function needs, and what follows for a launch.
#include "check.h"
#include <algorithm>

__global__ void plain(float* p) {
    p[threadIdx.x] = 1;
}
__global__ void __launch_bounds__(128) tiled(float* p) {
    __shared__ float tile[4096]; // 16 KiB
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[127 - threadIdx.x];
}
__global__ void dynamic(float* p) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void compiledFor(int* architecture) {
#ifdef __CUDA_ARCH__
    *architecture = __CUDA_ARCH__;
#endif
}

struct WordEach { // bytes for so many threads
    __host__ __device__ std::size_t operator()(int threads) const { return threads * sizeof(float); }
};

int main() {
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    const int warps = device.maxThreadsPerMultiProcessor / 32;
    const auto blocks = [](const void* kernel, int threads, std::size_t shared) {
        int n = -1;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, threads, shared));
        return n;
    };
    // One warp a block: as many blocks as an SM takes. Half of a warp counts as a whole one.
    WANT(blocks((void*)plain, 32, 0) == std::min(warps, device.maxBlocksPerMultiProcessor));
    WANT(blocks((void*)plain, 1024, 0) == warps / 32);
    WANT(blocks((void*)plain, 33, 0) == blocks((void*)plain, 64, 0));
    // 16 KiB a block, and a further KiB that the system keeps.
    const int byShared = int(device.sharedMemPerMultiprocessor / (16384 + device.reservedSharedMemPerBlock));
    WANT(blocks((void*)tiled, 32, 0) == std::min({byShared, warps, device.maxBlocksPerMultiProcessor}));
    const std::size_t large = 40960;
    WANT(blocks((void*)dynamic, 32, large) ==
         int(device.sharedMemPerMultiprocessor / (large + device.reservedSharedMemPerBlock)));

    cudaFuncAttributes f;
    int* architecture;
    CHECK(cudaMallocManaged(&architecture, sizeof *architecture));
    compiledFor<<<1, 1>>>(architecture);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFuncGetAttributes(&f, compiledFor));
    WANT(f.ptxVersion * 10 == *architecture); // CUB and Thrust refuse a kernel that says another one
    WANT(f.binaryVersion == 10 * device.major + device.minor);
    CHECK(cudaFuncGetAttributes(&f, tiled));
    WANT(f.sharedSizeBytes == 16384 && f.maxThreadsPerBlock == 128);
    CHECK(cudaFuncGetAttributes(&f, dynamic));
    WANT(f.sharedSizeBytes == 0 && f.maxDynamicSharedSizeBytes == 49152);
    CHECK(
        cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, int(device.sharedMemPerBlockOptin)));
    CHECK(cudaFuncGetAttributes(&f, dynamic));
    WANT(f.maxDynamicSharedSizeBytes == int(device.sharedMemPerBlockOptin));
    WANT(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              int(device.sharedMemPerBlockOptin) + 1) == cudaErrorInvalidValue);
    (void)cudaGetLastError();

    int grid = 0, block = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, tiled));
    WANT(block == 128 && grid == device.multiProcessorCount * blocks((void*)tiled, 128, 0)); // its bound
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, dynamic, WordEach{}));
    WANT(block >= 32 && block % 32 == 0 && grid % device.multiProcessorCount == 0);
    std::size_t room = 0;
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, dynamic, 4, 128));
    // A quarter by 128 bytes; with what the system takes of each block, three such blocks find room.
    WANT(room == device.sharedMemPerMultiprocessor / 4 / 128 * 128);
    WANT(blocks((void*)dynamic, 128, room) == 3);
    WANT(blocks((void*)dynamic, 128, room - device.reservedSharedMemPerBlock) == 4);

    float *p, host[128];
    CHECK(cudaMalloc(&p, sizeof host));
    for (int i = 0; i < 128; ++i)
        host[i] = float(i);
    CHECK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
    dynamic<<<1, 128, device.sharedMemPerBlockOptin>>>(p);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    WANT(host[0] == 127 && host[127] == 0);
    dynamic<<<1, 128, device.sharedMemPerBlockOptin + 1>>>(p);
    WANT(cudaGetLastError() != cudaSuccess);
    tiled<<<1, 256>>>(p); // over its bound
    WANT(cudaGetLastError() != cudaSuccess);
    return passed();
}
