// SPDX-License-Identifier: GPL-3.0-or-later
// Threads of the host, each with its stream, its memory and its own last error.
#include "check.h"
#include <thread>
#include <vector>

__global__ void add(int* p, int by) {
    p[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

static void work(int number, int* result) {
    int *p, host[128];
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&p, sizeof host));
    CHECK(cudaMemsetAsync(p, 0, sizeof host, stream));
    if (number == 2)
        WANT(cudaSetDevice(9) == cudaErrorInvalidDevice);
    for (int k = 0; k < 50; ++k)
        add<<<2, 64, 0, stream>>>(p, number);
    CHECK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT((cudaGetLastError() == cudaSuccess) == (number != 2));
    *result = host[127];
}

int main() {
    int results[4] = {};
    std::vector<std::thread> all;
    for (int n = 0; n < 4; ++n)
        all.emplace_back(work, n, &results[n]);
    for (std::thread& t : all)
        t.join();
    for (int n = 0; n < 4; ++n)
        WANT(results[n] == 50 * n);
    return passed();
}
