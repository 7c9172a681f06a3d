// SPDX-License-Identifier: GPL-3.0-or-later
// Two kernel nodes of a graph, the second reads what the first writes, and no edge is between.
#include <cstdio>
__global__ void make(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i + 1; }
__global__ void use(const int *a, int *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i] * 2; }
int main() {
    int n = 4096;
    static int h[4096];
    int *a, *b;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);
    cudaMemset(a, 0, n * 4); cudaMemset(b, 0, n * 4);
    cudaGraph_t g;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t x, y;
    void *pa[] = {&a, &n}, *pb[] = {&a, &b, &n};
    cudaKernelNodeParams k = {};
    k.func = (void *)make; k.gridDim = dim3(16); k.blockDim = dim3(256); k.kernelParams = pa;
    cudaGraphAddKernelNode(&x, g, nullptr, 0, &k);
    k.func = (void *)use; k.kernelParams = pb;
#ifdef FIXED
    cudaGraphAddKernelNode(&y, g, &x, 1, &k);
#else
    cudaGraphAddKernelNode(&y, g, nullptr, 0, &k);
#endif
    cudaGraphExec_t e;
    cudaGraphInstantiate(&e, g, 0);
    cudaGraphLaunch(e, 0);
    cudaMemcpy(h, b, n * 4, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; i++) bad += h[i] != (i + 1) * 2;
    printf("%d wrong\n", bad);
    cudaGraphExecDestroy(e); cudaGraphDestroy(g);
    cudaFree(a); cudaFree(b);
    return bad != 0;
}
