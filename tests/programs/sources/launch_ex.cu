// SPDX-License-Identifier: GPL-3.0-or-later
// Launches with attributes, templates, and structs and arrays as arguments.
#include "check.h"
#include <cooperative_groups.h>

struct Shape {
    char tag;
    double scale;
    int offsets[3];
};

template <typename T>
__global__ void shaped(T* out, Shape shape, const T first, short last) {
    out[threadIdx.x] = T(shape.scale) * first + T(shape.offsets[threadIdx.x % 3]) + T(last) + T(shape.tag);
}

__global__ void ranks(int* out) {
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        out[blockIdx.x] = int(cluster.block_rank()) + 100 * int(cluster.num_blocks());
}

int main() {
    float *out, host[32];
    CHECK(cudaMalloc(&out, sizeof host));
    const Shape shape{'A', 2.5, {1, 20, 300}};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1), config.blockDim = dim3(32);
    CHECK(cudaLaunchKernelEx(&config, shaped<float>, out, shape, 4.0f, short(-7)));
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i)
        WANT(host[i] == 10.0f + float(shape.offsets[i % 3]) - 7.0f + 65.0f);
    int *at, blocks[8];
    CHECK(cudaMalloc(&at, sizeof blocks));
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4, attribute.val.clusterDim.y = 1, attribute.val.clusterDim.z = 1;
    config.gridDim = dim3(8), config.attrs = &attribute, config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, ranks, at));
    CHECK(cudaMemcpy(blocks, at, sizeof blocks, cudaMemcpyDeviceToHost));
    for (int b = 0; b < 8; ++b)
        WANT(blocks[b] == 400 + b % 4);
    return passed();
}
