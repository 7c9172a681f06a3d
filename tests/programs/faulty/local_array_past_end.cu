// SPDX-License-Identifier: GPL-3.0-or-later
// A stack of 8 in a thread's own array, pushed to nine deep.
#include <cstdio>
__global__ void walk(const int *depth, int *out) {
    int stack[8], top = 0, best[4];
    for (int k = 0; k < 4; k++) best[k] = k * 100 + depth[k];
#ifdef FIXED
    for (int k = 0; k < depth[threadIdx.x] && k < 8; k++) stack[top++] = k;
#else
    for (int k = 0; k < depth[threadIdx.x]; k++) stack[top++] = k;
#endif
    int s = 0;
    while (top > 0) s += stack[--top] * best[depth[top & 7] & 3];
    out[threadIdx.x] = s;
}
int main() {
    int h[32], r[32], *a, *b;
    for (int i = 0; i < 32; i++) h[i] = 1 + i % 9;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof r);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    walk<<<1, 32>>>(a, b);
    cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
    printf("%d\n", r[8]);
    cudaFree(a); cudaFree(b);
    return 0;
}
