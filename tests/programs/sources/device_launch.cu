// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel that launches kernels.
#include "check.h"

__global__ void child(int* out, int base) {
    out[base + int(threadIdx.x)] = base + int(threadIdx.x);
}

__global__ void parent(int* out) {
    child<<<1, 32>>>(out, int(threadIdx.x) * 32);
}

int main() {
    int *out, host[4 * 32];
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMemset(out, 0xff, sizeof host));
    parent<<<1, 4>>>(out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4 * 32; ++i)
        WANT(host[i] == i);
    return passed();
}
