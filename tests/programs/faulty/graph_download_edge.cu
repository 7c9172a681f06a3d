// SPDX-License-Identifier: GPL-3.0-or-later
// A graph put together by hand: upload, two kernels, download. The download hangs on the first kernel.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
__global__ void square(int *v) { v[blockIdx.x * blockDim.x + threadIdx.x] *= v[blockIdx.x * blockDim.x + threadIdx.x]; }
__global__ void shift(int *v, int by) { v[blockIdx.x * blockDim.x + threadIdx.x] += by; }
int main() {
    const size_t n = 2048; int *dev, *in, *out;
    cudaMalloc(&dev, n * sizeof(int)); cudaMallocHost(&in, n * sizeof(int)); cudaMallocHost(&out, n * sizeof(int));
    for (size_t i = 0; i < n; i++) in[i] = (int)i % 100;
    cudaGraph_t g; cudaGraphCreate(&g, 0);
    cudaGraphNode_t up, k1, k2, down;
    cudaGraphAddMemcpyNode1D(&up, g, nullptr, 0, dev, in, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaKernelNodeParams p = {}; void *a1[] = {&dev}; int by = 7; void *a2[] = {&dev, &by};
    p.gridDim = dim3(8); p.blockDim = dim3(256); p.func = (void *)square; p.kernelParams = a1;
    cudaGraphAddKernelNode(&k1, g, &up, 1, &p);
    p.func = (void *)shift; p.kernelParams = a2;
    cudaGraphAddKernelNode(&k2, g, &k1, 1, &p);
#ifdef FIXED
    cudaGraphAddMemcpyNode1D(&down, g, &k2, 1, out, dev, n * sizeof(int), cudaMemcpyDeviceToHost);
#else
    cudaGraphAddMemcpyNode1D(&down, g, &k1, 1, out, dev, n * sizeof(int), cudaMemcpyDeviceToHost);
#endif
    cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0);
    cudaStream_t s; cudaStreamCreate(&s);
    cudaGraphLaunch(e, s); cudaStreamSynchronize(s);
    printf("%d\n", out[99]);
}
