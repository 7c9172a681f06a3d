// SPDX-License-Identifier: GPL-3.0-or-later
// Launches with attributes: clusters whose blocks read each other's shared memory, cooperative grids, both by
// cudaLaunchKernelEx; and what a device refuses.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Each block has its number in shared memory; out[b] is the sum over its cluster.
__global__ void sumOfCluster(int* out) {
    __shared__ int own;
    const cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        own = int(blockIdx.x) + 1;
    cluster.sync();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
            sum += *cluster.map_shared_rank(&own, int(rank));
        out[blockIdx.x] = sum;
    }
    cluster.sync(); // nobody leaves while he is read
}

__global__ void __cluster_dims__(2, 1, 1) fixedSize(int* out) {
    if (threadIdx.x == 0)
        out[blockIdx.x] = int(cg::this_cluster().num_blocks());
}

// Every block adds to a sum, and all see all of it.
__global__ void wholeGrid(int* sum, int* out) {
    if (threadIdx.x == 0)
        atomicAdd(sum, int(blockIdx.x));
    cg::this_grid().sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = *static_cast<volatile int*>(sum);
}

int main() {
    constexpr int blocks = 8;
    int *out, *sum, host[blocks];
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMalloc(&sum, sizeof(int)));
    CHECK(cudaMemset(sum, 0, sizeof(int)));
    cudaLaunchAttribute attribute[2] = {};
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 4, attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks), config.blockDim = dim3(64), config.attrs = attribute, config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, sumOfCluster, out));
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int b = 0; b < blocks; ++b)
        WANT(host[b] == (b < 4 ? 1 + 2 + 3 + 4 : 5 + 6 + 7 + 8));
    int most = 0;
    CHECK(cudaOccupancyMaxPotentialClusterSize(&most, sumOfCluster, &config));
    WANT(most >= 4);
    config.gridDim = dim3(6); // no multiple of four
    WANT(cudaLaunchKernelEx(&config, sumOfCluster, out) != cudaSuccess);
    (void)cudaGetLastError();

    fixedSize<<<blocks, 32>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int value : host)
        WANT(value == 2);
    fixedSize<<<3, 32>>>(out);
    WANT(cudaGetLastError() != cudaSuccess);

    attribute[0] = {};
    attribute[0].id = cudaLaunchAttributeCooperative;
    attribute[0].val.cooperative = 1;
    config.gridDim = dim3(blocks);
    CHECK(cudaLaunchKernelEx(&config, wholeGrid, sum, out));
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int value : host)
        WANT(value == 28);
    config.gridDim = dim3(1 << 20);
    WANT(cudaLaunchKernelEx(&config, wholeGrid, sum, out) == cudaErrorCooperativeLaunchTooLarge);
    (void)cudaGetLastError();
    CHECK(cudaDeviceSynchronize());
    return passed();
}
