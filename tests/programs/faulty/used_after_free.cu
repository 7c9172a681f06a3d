// SPDX-License-Identifier: GPL-3.0-or-later
// A scratch buffer is freed by a helper and then used by a kernel.
#include <cstdio>
__global__ void scale(const float *s, float *o) { o[threadIdx.x] = s[threadIdx.x] * 2; }
int main() {
    float *s, *o, h[64] = {1};
    cudaMalloc(&s, sizeof h); cudaMalloc(&o, sizeof h);
    cudaMemcpy(s, h, sizeof h, cudaMemcpyHostToDevice);
#ifndef FIXED
    cudaFree(s);
#endif
    scale<<<1, 64>>>(s, o);
    cudaError_t e = cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
    printf("%s %g\n", cudaGetErrorString(e), h[0]);
#ifdef FIXED
    cudaFree(s);
#endif
    cudaFree(o);
    return e != 0;
}
