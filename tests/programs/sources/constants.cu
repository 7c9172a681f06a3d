// SPDX-License-Identifier: GPL-3.0-or-later
// Constant memory by its address, which a kernel may follow like any other; as an H200 does it.
#include "check.h"

__constant__ double before = 1.5; // so that the table does not begin where constant memory does
__constant__ int table[32] = {1, 2, 3};

__global__ void read(const int* from, int* out) {
    out[threadIdx.x] = from[threadIdx.x] + 10;
}
__global__ void write(int* to) {
    to[threadIdx.x] += int(threadIdx.x);
}
__global__ void use(int* out) {
    out[threadIdx.x] = table[threadIdx.x] * int(2 * before);
}

int main() {
    int *out, host[32];
    CHECK(cudaMalloc(&out, sizeof host));
    void* address = nullptr;
    CHECK(cudaGetSymbolAddress(&address, table));
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, address));
    WANT(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == address);

    const int values[4] = {7, 8, 9, 100};
    CHECK(cudaMemcpy(address, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(static_cast<int*>(address) + 3, 0, sizeof(int)));
    read<<<1, 32>>>(static_cast<const int*>(address), out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i)
        WANT(host[i] == (i < 3 ? 7 + i : 0) + 10);

    write<<<1, 32>>>(static_cast<int*>(address));
    use<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(host, table, sizeof host));
    for (int i = 0; i < 32; ++i)
        WANT(host[i] == (i < 3 ? 7 + 2 * i : i));
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i)
        WANT(host[i] == 3 * (i < 3 ? 7 + 2 * i : i));
    return passed();
}
