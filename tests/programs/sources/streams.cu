// SPDX-License-Identifier: GPL-3.0-or-later
// Two streams, one waiting for the other; asynchronous copies from pinned memory; a function of the host in between.
#include "check.h"

__global__ void scale(int* p, int n, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= by;
}

int main() {
    const int n = 512;
    int *host, *device, calls = 0;
    CHECK(cudaMallocHost(&host, n * sizeof(int)));
    CHECK(cudaMalloc(&device, n * sizeof(int)));
    for (int i = 0; i < n; ++i)
        host[i] = i;
    cudaStream_t first, second;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, -1));
    int priority = 0;
    unsigned flags = 0;
    CHECK(cudaStreamGetPriority(second, &priority));
    CHECK(cudaStreamGetFlags(second, &flags));
    WANT(priority == -1 && flags == cudaStreamNonBlocking);
    cudaEvent_t ready;
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    CHECK(cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, first));
    scale<<<2, 256, 0, first>>>(device, n, 3);
    CHECK(cudaEventRecord(ready, first));
    CHECK(cudaStreamWaitEvent(second, ready, 0));
    scale<<<2, 256, 0, second>>>(device, n, 5);
    CHECK(cudaLaunchHostFunc(second, [](void* count) { ++*static_cast<int*>(count); }, &calls));
    CHECK(cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, second));
    CHECK(cudaStreamSynchronize(second));
    CHECK(cudaStreamQuery(first));
    CHECK(cudaEventQuery(ready));
    WANT(calls == 1);
    for (int i = 0; i < n; ++i)
        WANT(host[i] == 15 * i);
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(device));
    return passed();
}
