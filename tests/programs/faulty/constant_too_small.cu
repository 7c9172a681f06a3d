// SPDX-License-Identifier: GPL-3.0-or-later
// The table of weights has grown on the host; the constant that takes it has not.
#include <cstdio>
#ifdef FIXED
constexpr int taps = 48;
#else
constexpr int taps = 32;
#endif
__constant__ float weight[taps];
__constant__ float scale[16];
__global__ void filter(const float *in, float *out, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - k) return;
    float s = 0;
    for (int j = 0; j < k; j++) s += weight[j] * in[i + j];
    out[i] = s * scale[0];
}
int main() {
    const int n = 1024, k = 48; float w[k], one[16], *a, *b, r;
    for (float &x : w) x = 1.f / k;
    for (float &x : one) x = 1.f;
    cudaMemcpyToSymbol(weight, w, sizeof w);
    cudaMemcpyToSymbol(scale, one, sizeof one);
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemset(a, 0, n * 4); cudaMemset(b, 0, n * 4);
    filter<<<n / 128, 128>>>(a, b, n, k);
    cudaMemcpy(&r, b, 4, cudaMemcpyDeviceToHost); printf("%g %s\n", r, cudaGetErrorName(cudaGetLastError()));
}
