// SPDX-License-Identifier: GPL-3.0-or-later
// The second stream waits for the event before it is recorded, which waits for nothing.
#include <cstdio>
__global__ void fill(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }
__global__ void twice(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= 2; }
int main() {
    const int n = 8192;
    int *a;
    cudaMalloc(&a, n * 4);
    cudaMemset(a, 0, n * 4);
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaDeviceSynchronize();
#ifdef FIXED
    fill<<<32, 256, 0, s>>>(a, n);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e);
    twice<<<32, 256, 0, t>>>(a, n);
#else
    cudaStreamWaitEvent(t, e);
    fill<<<32, 256, 0, s>>>(a, n);
    cudaEventRecord(e, s);
    twice<<<32, 256, 0, t>>>(a, n);
#endif
    cudaDeviceSynchronize();
    static int r[n];
    cudaMemcpy(r, a, n * 4, cudaMemcpyDeviceToHost);
    printf("%d\n", r[n - 1]);
    cudaFree(a);
    return r[n - 1] != 2 * (n - 1);
}
