// SPDX-License-Identifier: GPL-3.0-or-later
// cp.async into shared memory, then a barrier, but no wait for the copies.
#include <cstdio>
#include <cuda_pipeline.h>
__global__ void rev(const int4 *in, int4 *out) {
    __shared__ int4 s[128];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_commit();
#ifdef FIXED
    __pipeline_wait_prior(0);
#endif
    __syncthreads();
    out[threadIdx.x] = s[127 - threadIdx.x];
}
int main() {
    static int h[512], r[512];
    for (int i = 0; i < 512; i++) h[i] = i;
    int4 *a, *b;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof r);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    rev<<<1, 128>>>(a, b);
    cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
    printf("%d\n", r[0]);
    cudaFree(a); cudaFree(b);
    return r[0] != 508;
}
