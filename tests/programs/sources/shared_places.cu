// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that a recorder could break by laying out shared memory, registers or clusters otherwise: each traps, or answers
// wrongly, if it does. The first writes down where its shared memory lies.
#include "check.h"
#include <cooperative_groups.h>
#include <cstdint>

namespace cg = cooperative_groups;

__device__ unsigned placeOf(const void* p) {
    return unsigned(__cvta_generic_to_shared(p));
}

// Dynamic memory at 1,024 bytes, as tensor copies want it, beside barriers that have a place of their own.
__global__ void aligned(unsigned* out) {
    extern __shared__ __align__(1024) std::uint8_t ring[];
    __shared__ unsigned long long full[3];
    __shared__ float tile[5];
    __shared__ __align__(128) std::uint8_t box[200];
    if (placeOf(ring) % 1024 != 0 || placeOf(box) % 128 != 0)
        asm volatile("trap;");
    if (threadIdx.x == 0) {
        ring[0] = 1;
        full[0] = 2;
        tile[0] = 3;
        box[0] = 4;
        out[0] = placeOf(ring);
        out[1] = placeOf(full);
        out[2] = placeOf(tile);
        out[3] = placeOf(box);
        out[4] = unsigned(ring[0]) + unsigned(full[0]) + unsigned(tile[0]) + unsigned(box[0]);
    }
}

// Its shared memory ends where that of the module's most aligned kernel may begin.
__global__ void ofCluster(unsigned* out) {
    __shared__ unsigned own;
    const cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        own = cluster.block_rank() + 1;
    cluster.sync();
    unsigned sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
        sum += *cluster.map_shared_rank(&own, rank);
    cluster.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

// One warpgroup gives registers away, two take them.
__global__ __launch_bounds__(384, 1) void roles(unsigned* out) {
    __shared__ unsigned numbers[256];
    if (threadIdx.x < 128) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
#endif
        numbers[threadIdx.x] = threadIdx.x;
        numbers[threadIdx.x + 128] = threadIdx.x + 128;
        asm volatile("bar.arrive 1, 384;" ::: "memory");
        return;
    }
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
#endif
    asm volatile("bar.sync 1, 384;" ::: "memory");
    unsigned sum = 0;
    for (unsigned n : numbers)
        sum += n;
    out[threadIdx.x - 128] = sum + threadIdx.x - 128;
}

constexpr unsigned mostBytes = 227 * 1024;

__global__ void most(unsigned* out) {
    extern __shared__ unsigned whole[];
    for (unsigned n = threadIdx.x; n < mostBytes / 4; n += blockDim.x)
        whole[n] = n;
    __syncthreads();
    unsigned sum = 0;
    for (unsigned n = threadIdx.x; n < mostBytes / 4; n += blockDim.x)
        sum += whole[mostBytes / 4 - 1 - n];
    atomicAdd(out, sum);
}

constexpr int held = 230;

// As many values at a time as a thread has registers.
__global__ __launch_bounds__(256, 1) void wide(unsigned* out, const unsigned* in) {
    unsigned values[held];
#pragma unroll
    for (int n = 0; n < held; ++n)
        values[n] = in[n * 256 + threadIdx.x];
#pragma unroll
    for (int n = 0; n < held; ++n)
        values[n] = values[n] * values[(n * 7 + 1) % held] + values[(n + 3) % held];
    __syncthreads();
    unsigned sum = 0;
#pragma unroll
    for (int n = 0; n < held; ++n)
        sum += values[n];
    out[threadIdx.x] = sum;
}

unsigned wideOnTheHost(int thread) {
    unsigned values[held], sum = 0;
    for (int n = 0; n < held; ++n)
        values[n] = unsigned(n * 256 + thread);
    for (int n = 0; n < held; ++n)
        values[n] = values[n] * values[(n * 7 + 1) % held] + values[(n + 3) % held];
    for (unsigned value : values)
        sum += value;
    return sum;
}

void cluster(unsigned blocks, unsigned* out) {
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = blocks;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 8;
    config.blockDim = 64;
    config.attrs = attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, ofCluster, out));
}

int main() {
    unsigned *out, *in, host[256], numbers[held * 256];
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMalloc(&in, sizeof numbers));
    for (unsigned n = 0; n < held * 256; ++n)
        numbers[n] = n;
    CHECK(cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    const auto take = [&] {
        CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
        CHECK(cudaMemset(out, 0, sizeof host));
    };
    aligned<<<2, 128, 4096>>>(out);
    take();
    WANT(host[4] == 10 && host[0] % 1024 == 0 && host[3] % 128 == 0);
    std::printf("places %u %u %u %u\n", host[0], host[1], host[2], host[3]);
    for (const unsigned blocks : {2u, 8u}) {
        cluster(blocks, out);
        take();
        for (int b = 0; b < 8; ++b)
            WANT(host[b] == blocks * (blocks + 1) / 2);
    }
    roles<<<1, 384>>>(out);
    take();
    for (unsigned t = 0; t < 256; ++t)
        WANT(host[t] == 255 * 128 + t);
    CHECK(cudaFuncSetAttribute(most, cudaFuncAttributeMaxDynamicSharedMemorySize, mostBytes));
    most<<<1, 512, mostBytes>>>(out);
    take();
    WANT(host[0] == unsigned(std::uint64_t(mostBytes / 4) * (mostBytes / 4 - 1) / 2));
    wide<<<1, 256>>>(out, in);
    take();
    for (int t = 0; t < 256; ++t)
        WANT(host[t] == wideOnTheHost(t));
    std::printf("passed\n");
}
