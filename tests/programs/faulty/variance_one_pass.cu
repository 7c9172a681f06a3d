// SPDX-License-Identifier: GPL-3.0-or-later
// The spread of temperatures in kelvin, a sensor a thread, by E(x^2) - E(x)^2: what is left has no digit that is right.
#include <cstdio>
__global__ void spread(const float *in, float *out, int n) {
    const float *x = in + threadIdx.x;
    float sum = 0, squares = 0;
    for (int i = 0; i < n; i++) sum += x[i * 32], squares += x[i * 32] * x[i * 32];
    float mean = sum / n;
#ifdef FIXED
    squares = 0;
    for (int i = 0; i < n; i++) { float d = x[i * 32] - mean; squares += d * d; }
    out[threadIdx.x] = squares / n;
#else
    out[threadIdx.x] = squares / n - mean * mean;
#endif
}
int main() {
    const int n = 256; static float h[32 * n]; float *a, *b;
    for (int i = 0; i < 32 * n; i++) h[i] = 293.15f + 0.1f * (i / 32 % 10);
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, 32 * sizeof(float)); cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    spread<<<1, 32>>>(a, b, n);
    cudaMemcpy(h, b, 32 * sizeof(float), cudaMemcpyDeviceToHost); printf("%g\n", h[0]);
}
