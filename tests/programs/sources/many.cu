// SPDX-License-Identifier: GPL-3.0-or-later
// Many small launches, and memory that comes and goes.
#include "check.h"

__global__ void count(int* p) {
    if (threadIdx.x == 0)
        ++*p;
}

int main() {
    int *p, host = 0;
    CHECK(cudaMalloc(&p, sizeof host));
    CHECK(cudaMemset(p, 0, sizeof host));
    for (int k = 0; k < 5000; ++k)
        count<<<1, 32>>>(p);
    for (int k = 0; k < 1000; ++k) {
        void* large;
        CHECK(cudaMalloc(&large, std::size_t(1) << 30));
        CHECK(cudaFree(large));
    }
    CHECK(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
    WANT(host == 5000);
    return passed();
}
