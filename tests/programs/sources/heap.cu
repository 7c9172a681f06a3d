// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels' own malloc: it outlives the launch, has the size that the host says, and what is given back is there again.
#include "check.h"

__device__ char* kept;

__global__ void take(std::size_t bytes, int* got) {
    char* p = static_cast<char*>(malloc(bytes));
    *got = p != nullptr;
    if (p) {
        p[0] = 'a';
        p[bytes - 1] = 'z';
        kept = p;
    }
}

__global__ void give(char* ends) {
    ends[0] = kept[0];
    ends[1] = kept[6 * 1024 * 1024 - 1];
    free(kept);
}

int main() {
    constexpr std::size_t mega = 1 << 20;
    std::size_t heap = 0;
    int* got;
    char* ends;
    CHECK(cudaMallocManaged(&got, sizeof *got));
    CHECK(cudaMallocManaged(&ends, 2));
    CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    WANT(heap == 8 * mega);
    const auto takes = [&](std::size_t bytes) {
        take<<<1, 1>>>(bytes, got);
        CHECK(cudaDeviceSynchronize());
        return *got != 0;
    };
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 * mega));
    CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    WANT(heap == 32 * mega);
    WANT(!takes(40 * mega)); // more than all of it
    WANT(takes(6 * mega));
    WANT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 * mega) == cudaErrorInvalidValue); // it is in use
    (void)cudaGetLastError();
    for (int k = 0; k < 20; ++k) { // what one launch took, another one gives back
        give<<<1, 1>>>(ends);
        CHECK(cudaDeviceSynchronize());
        WANT(ends[0] == 'a' && ends[1] == 'z');
        WANT(takes(6 * mega));
    }
    WANT(takes(20 * mega)); // beside the six: 26 of 32
    WANT(!takes(20 * mega));
    return passed();
}
