// SPDX-License-Identifier: GPL-3.0-or-later
// A halo of two is read of a tile made for one: the next array in shared memory is read.
#include <cstdio>
__global__ void blur(const float *in, float *out, int n) {
    __shared__ float tile[66];
    __shared__ float weight[8];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t < 8) weight[t] = 0.25f;
    for (int k = t; k < 66; k += 64) {
        int j = blockIdx.x * 64 + k - 1;
        tile[k] = j >= 0 && j < n ? in[j] : 0;
    }
    __syncthreads();
#ifdef FIXED
    const int reach = 2;
#else
    const int reach = 3;
#endif
    float s = 0;
    for (int k = 0; k <= reach; k++) s += tile[t + k] * weight[k & 7];
    if (i < n) out[i] = s;
}
int main() {
    const int n = 256;
    static float h[n], r[n];
    for (int i = 0; i < n; i++) h[i] = 1;
    float *a, *b;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof r);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    blur<<<n / 64, 64>>>(a, b, n);
    cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
    printf("%g %g\n", r[10], r[63]);
    cudaFree(a); cudaFree(b);
    return 0;
}
