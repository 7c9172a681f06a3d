// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that are wrong and end well: two warps use a word of shared memory with no barrier between, and memory is read
// that nobody has written.
#include "check.h"

__global__ void races(int* out) {
    __shared__ int last;
    if (threadIdx.x % 32 == 0)
        last = int(threadIdx.x);
    __syncwarp();
    out[threadIdx.x] = last;
}

template <int N>
__global__ void readsNothing(int* out) {
    __shared__ int never[64];
    out[threadIdx.x] = never[threadIdx.x] + N;
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 64 * sizeof(int)));
    races<<<1, 64>>>(out);
    readsNothing<0><<<1, 32>>>(out);
    readsNothing<1><<<1, 32>>>(out);
    readsNothing<2><<<1, 32>>>(out);
    readsNothing<3><<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    return passed();
}
