// SPDX-License-Identifier: GPL-3.0-or-later
// __shfl_down_sync with all lanes named, called by those below a bound.
#include <cstdio>
__global__ void part(const int *in, int *out, int n) {
    int t = threadIdx.x;
    int v = in[t];
#ifdef FIXED
    if (t >= n) v = 0;
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
#else
    if (t < n) for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    else v = __shfl_xor_sync(0xffffffffu, v, 1);
#endif
    if (t == 0) *out = v;
}
int main() {
    int h[32], r = 0, *a, *b;
    for (int i = 0; i < 32; i++) h[i] = 1;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, 4);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    part<<<1, 32>>>(a, b, 20);
    cudaError_t e = cudaMemcpy(&r, b, 4, cudaMemcpyDeviceToHost);
    printf("%s %d\n", cudaGetErrorString(e), r);
    cudaFree(a); cudaFree(b);
    return e != 0;
}
