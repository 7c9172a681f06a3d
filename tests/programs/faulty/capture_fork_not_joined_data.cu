// SPDX-License-Identifier: GPL-3.0-or-later
// A captured fork: the copy back runs in the first stream, the kernel that fills it in the second; the join comes after the copy.
#include <cstdio>
__global__ void fill(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }
int main() {
    const int n = 1024;
    int *a, *h;
    cudaMalloc(&a, n * 4); cudaMallocHost(&h, n * 4);
    cudaMemset(a, 0, n * 4);
    cudaStream_t s, t;
    cudaStreamCreate(&s); cudaStreamCreate(&t);
    cudaEvent_t fork, join;
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    cudaGraph_t g;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork);
    fill<<<4, 256, 0, t>>>(a, n);
    cudaEventRecord(join, t);
#ifdef FIXED
    cudaStreamWaitEvent(s, join);
    cudaMemcpyAsync(h, a, n * 4, cudaMemcpyDeviceToHost, s);
#else
    cudaMemcpyAsync(h, a, n * 4, cudaMemcpyDeviceToHost, s);
    cudaStreamWaitEvent(s, join);
#endif
    cudaStreamEndCapture(s, &g);
    cudaGraphExec_t e;
    cudaGraphInstantiate(&e, g, 0);
    cudaGraphLaunch(e, s);
    cudaStreamSynchronize(s);
    int bad = 0;
    for (int i = 0; i < n; i++) bad += h[i] != i;
    printf("%d wrong\n", bad);
    cudaGraphExecDestroy(e); cudaGraphDestroy(g);
    cudaFree(a); cudaFreeHost(h);
    return bad != 0;
}
