// SPDX-License-Identifier: GPL-3.0-or-later
// Two stages of cp.async; the next copy into a stage is issued before all have read it.
#include <cstdio>
#include <cuda_pipeline.h>
#define T 128
__global__ void sums(const int *in, int *out, int tiles) {
    __shared__ __align__(16) int s[2][T];
    int t = threadIdx.x, total = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) __pipeline_memcpy_async(&s[(k + 1) & 1][t], &in[(k + 1) * T + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        total += s[k & 1][(t + 37) % T];
#ifdef FIXED
        __syncthreads();
#endif
    }
    out[t] = total;
}
int main() {
    const int tiles = 8;
    static int h[T * tiles], r[T];
    for (int i = 0; i < T * tiles; i++) h[i] = i;
    int *a, *b;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof r);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<1, T>>>(a, b, tiles);
    cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int t = 0; t < T; t++) { int w = 0; for (int k = 0; k < tiles; k++) w += h[k * T + (t + 37) % T]; bad += r[t] != w; }
    printf("%d wrong\n", bad);
    cudaFree(a); cudaFree(b);
    return bad != 0;
}
