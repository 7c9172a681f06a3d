// SPDX-License-Identifier: GPL-3.0-or-later
// A tree in shared memory whose last steps have no barrier.
#include <cstdio>
__global__ void sum(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
#ifdef FIXED
        __syncthreads();
#else
        if (d > 64) __syncthreads();
#endif
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
int main() {
    const int n = 1024;
    static int h[n], r[4];
    for (int i = 0; i < n; i++) h[i] = i;
    int *a, *b;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof r);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<4, 256>>>(a, b);
    cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
    printf("%d\n", r[0] + r[1] + r[2] + r[3]);
    cudaFree(a); cudaFree(b);
    return r[0] + r[1] + r[2] + r[3] != n * (n - 1) / 2;
}
