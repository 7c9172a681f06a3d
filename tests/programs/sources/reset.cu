// SPDX-License-Identifier: GPL-3.0-or-later
// What cudaDeviceReset leaves: no memory of the program's, variables as they were at first, and a device that works.
#include "check.h"

#include <vector>

__device__ int counter = 7;
__constant__ int factor = 3;

__global__ void count(int* out) {
    out[threadIdx.x] = factor * counter;
    if (threadIdx.x == 0)
        counter += 1;
}

int use(int* memory) {
    count<<<1, 1>>>(memory);
    int got = 0;
    CHECK(cudaMemcpy(&got, memory, sizeof got, cudaMemcpyDeviceToHost));
    return got;
}

int main() {
    std::size_t before = 0, during = 0, after = 0, all = 0;
    CHECK(cudaMemGetInfo(&before, &all));
    int *memory, *shared, *pinned, *ordered;
    CHECK(cudaMalloc(&memory, 1 << 20));
    CHECK(cudaMallocManaged(&shared, 1 << 20));
    CHECK(cudaMallocHost(&pinned, 1 << 20));
    CHECK(cudaMallocAsync(&ordered, 1 << 20, nullptr));
    CHECK(cudaMemGetInfo(&during, &all));
    WANT(before - during >= 3 << 20); // pinned memory is the host's
    WANT(use(memory) == 21);
    WANT(use(memory) == 24);
    const int ten = 10;
    CHECK(cudaMemcpyToSymbol(factor, &ten, sizeof ten));
    WANT(use(memory) == 90);

    CHECK(cudaDeviceReset());
    CHECK(cudaMemGetInfo(&after, &all));
    WANT(after == before);
    WANT(cudaFree(memory) == cudaErrorInvalidValue);
    WANT(cudaGetLastError() == cudaErrorInvalidValue);

    CHECK(cudaMalloc(&memory, 1 << 20));
    WANT(use(memory) == 21);
    CHECK(cudaFree(memory));
    CHECK(cudaDeviceReset());
    return passed();
}
