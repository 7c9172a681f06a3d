// SPDX-License-Identifier: GPL-3.0-or-later
// One pinned staging buffer for two asynchronous copies; the host refills it before the first has read it.
#include <cstdio>
__global__ void add(const int *a, const int *b, int *c) { int i = threadIdx.x; c[i] = a[i] + b[i]; }
int main() {
    const int n = 256;
    int *h, *a, *b, *c;
    cudaMallocHost(&h, n * 4);
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&c, n * 4);
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMemcpyAsync(a, h, n * 4, cudaMemcpyHostToDevice, s);
#ifdef FIXED
    cudaStreamSynchronize(s);
#endif
    for (int i = 0; i < n; i++) h[i] = 1000;
    cudaMemcpyAsync(b, h, n * 4, cudaMemcpyHostToDevice, s);
    add<<<1, n, 0, s>>>(a, b, c);
    cudaStreamSynchronize(s);
    static int r[n];
    cudaMemcpy(r, c, n * 4, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; i++) bad += r[i] != i + 1000;
    printf("%d wrong\n", bad);
    cudaFreeHost(h); cudaFree(a); cudaFree(b); cudaFree(c); cudaStreamDestroy(s);
    return bad != 0;
}
