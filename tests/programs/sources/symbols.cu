// SPDX-License-Identifier: GPL-3.0-or-later
// Variables of the device: constants, counters, a pointer, parts of an array, one of a file's own.
#include "check.h"

__constant__ int factors[4] = {1, 2, 3, 4};
__device__ int counter = 7;
__device__ int* table;
static __device__ short hidden[8];

__global__ void use(int* out) {
    out[threadIdx.x] = factors[threadIdx.x & 3] * table[threadIdx.x];
    atomicAdd(&counter, 1);
    if (threadIdx.x < 8)
        hidden[threadIdx.x] += short(threadIdx.x);
}

int main() {
    int *out, *values, host[32];
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMalloc(&values, sizeof host));
    for (int i = 0; i < 32; ++i)
        host[i] = 10 * i;
    CHECK(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(table, &values, sizeof values));
    const int five = 5;
    CHECK(cudaMemcpyToSymbol(factors, &five, sizeof five, 2 * sizeof(int)));
    const short seven = 7;
    CHECK(cudaMemcpyToSymbol(hidden, &seven, sizeof seven, 3 * sizeof(short)));
    std::size_t bytes = 0;
    CHECK(cudaGetSymbolSize(&bytes, hidden));
    WANT(bytes == 16);
    use<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    const int used[4] = {1, 2, 5, 4};
    for (int i = 0; i < 32; ++i)
        WANT(host[i] == used[i & 3] * 10 * i);
    int count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    WANT(count == 7 + 32);
    void* address = nullptr;
    CHECK(cudaGetSymbolAddress(&address, counter));
    CHECK(cudaMemset(address, 0, sizeof count));
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    WANT(count == 0);
    short part[2];
    CHECK(cudaMemcpyFromSymbol(part, hidden, sizeof part, 3 * sizeof(short)));
    WANT(part[0] == 7 + 3 && part[1] == 4);
    WANT(cudaMemcpyToSymbol(counter, host, 8) == cudaErrorInvalidValue);
    CHECK((cudaGetLastError(), cudaSuccess));
    return passed();
}
