// SPDX-License-Identifier: GPL-3.0-or-later
// Very many pieces of the kernels' malloc: more in a launch than the device has room for at large distances, one of which
// stays, and a heap that is used again and again. Its 8 MiB are too few for an H200, which refuses up to 5,390 of these.
#include "check.h"

__device__ unsigned* kept;
__device__ unsigned good;

__global__ void pieces() {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    auto* p = static_cast<unsigned*>(malloc(16));
    if (!p)
        return;
    *p = i;
    atomicAdd(&good, *p == i);
    if (i == 0)
        kept = p;
    else
        free(p);
}

__global__ void give() {
    free(kept);
}

int main() {
    constexpr unsigned blocks = 2100, threads = 256; // 537,600
    unsigned* host = nullptr;
    int *device = nullptr, value = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, std::size_t(64) << 20));
    CHECK(cudaMallocManaged(&host, sizeof *host));
    for (int k = 0; k < 2; ++k) {
        pieces<<<blocks, threads>>>();
        // Memory that the program takes afterwards is the device's as before.
        CHECK(cudaMalloc(&device, sizeof *device));
        CHECK(cudaMemset(device, 0x11, sizeof *device));
        CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDefault));
        WANT(value == 0x11111111);
        cudaPointerAttributes what;
        CHECK(cudaPointerGetAttributes(&what, device));
        WANT(what.type == cudaMemoryTypeDevice);
        give<<<1, 1>>>();
    }
    CHECK(cudaMemcpyFromSymbol(host, good, sizeof *host));
    WANT(*host == 2 * blocks * threads);
    return passed();
}
