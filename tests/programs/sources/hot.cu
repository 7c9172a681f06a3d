// SPDX-License-Identifier: GPL-3.0-or-later
// Six launches of which the last takes a device longest, since one warp alone adds 10,000 numbers, and the emulator least.
#include "check.h"

__global__ void scale(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}

__global__ void addv(const float* x, const float* y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = x[i] + y[i];
}

__global__ void total(const float* x, float* sum, int n) {
    float s = 0;
    for (int i = threadIdx.x; i < n; i += 32)
        s += x[i];
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffff, s, d);
    if (threadIdx.x == 0)
        *sum = s;
}

int main() {
    const int n = 10000;
    float *x, *y, *sum, host = 0;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&y, n * sizeof(float)));
    CHECK(cudaMalloc(&sum, sizeof(float)));
    float ones[n];
    for (float& one : ones)
        one = 1;
    CHECK(cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y, ones, sizeof ones, cudaMemcpyHostToDevice));
    for (int k = 0; k < 4; ++k)
        scale<<<(n + 255) / 256, 256>>>(x, n);
    addv<<<(n + 255) / 256, 256>>>(x, y, y, n);
    total<<<1, 32>>>(y, sum, n);
    CHECK(cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost));
    WANT(host == 17.0f * n); // 2^4 + 1
    return passed();
}
