// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the kernels' malloc that nobody has freed when the program ends, or when it resets the device.
#include "check.h"

#include <cstring>

__device__ char* kept[64];

__global__ void take() {
    kept[threadIdx.x] = static_cast<char*>(malloc(40)); // a pointer to it stays
}

__global__ void lose() {
    *static_cast<char*>(malloc(24)) = 1;
}

__global__ void give() {
    free(kept[threadIdx.x]);
}

__global__ void fail() {
    __trap();
}

int main(int, char** words) {
    take<<<1, 64>>>();
    CHECK(cudaDeviceSynchronize());
    if (!std::strcmp(words[1], "freed")) {
        give<<<1, 64>>>();
        CHECK(cudaDeviceSynchronize());
    }
    if (!std::strcmp(words[1], "left")) {
        give<<<1, 61>>>(); // all but three
        lose<<<1, 1>>>();
        CHECK(cudaDeviceSynchronize());
    }
    if (!std::strcmp(words[1], "reset")) {
        CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
        CHECK(cudaDeviceReset()); // what the device had is told, and gone
        std::size_t bytes = 0;
        CHECK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
        WANT(bytes == 1024);
        CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20)); // nothing of the heap is in use
    }
    if (!std::strcmp(words[1], "failed")) {
        fail<<<1, 1>>>();
        WANT(cudaDeviceSynchronize() != cudaSuccess);
    }
    return passed();
}
