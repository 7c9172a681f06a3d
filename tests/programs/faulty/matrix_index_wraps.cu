// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a large matrix are scaled, its index an int: 50,000 rows of 50,000 have more than 2^31 elements.
#include <cstdio>
#ifdef FIXED
using Index = long long;
#else
using Index = int;
#endif
__global__ void scaleRows(float *m, const float *by, int first, int width) {
    Index row = first + (int)blockIdx.x;
    for (Index column = threadIdx.x; column < 256; column += blockDim.x) {
        Index at = row * width + column;
        m[at] = by[blockIdx.x];
    }
}
int main() {
    const size_t n = 50000; float *m, *by, h[4] = {1, 2, 3, 4};
    cudaMalloc(&m, n * n * sizeof(float)); cudaMalloc(&by, sizeof h);
    cudaMemcpy(by, h, sizeof h, cudaMemcpyHostToDevice);
    scaleRows<<<4, 64>>>(m, by, 45000, (int)n);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
