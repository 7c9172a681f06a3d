// SPDX-License-Identifier: GPL-3.0-or-later
// Two files linked on the device: a function, a variable and a kernel of the other file; both have a hidden variable of
// the same name.
#include "check.h"

static __device__ int own = 1;
extern __device__ int shared;
extern __device__ int fromOther(int x);
__global__ void otherKernel(int* out);

__global__ void firstKernel(int* out) {
    out[threadIdx.x] = fromOther(int(threadIdx.x)) + own + shared;
}

int main() {
    int *out, host[32];
    CHECK(cudaMalloc(&out, sizeof host));
    firstKernel<<<1, 32>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i)
        WANT(host[i] == (2 * i + 10) + 1 + 500);
    otherKernel<<<1, 32>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i)
        WANT(host[i] == 10 * i);
    return passed();
}
