// SPDX-License-Identifier: GPL-3.0-or-later
// Scratch from the stream's pool is handed to a helper stream; it is freed in its own stream as soon as the helper was asked.
#include <cstdio>
#include <cuda_runtime.h>
struct Scratch { void *p = nullptr; cudaStream_t s; Scratch(size_t n, cudaStream_t st) : s(st) { cudaMallocAsync(&p, n, s); } ~Scratch() { cudaFreeAsync(p, s); } };
__global__ void histogram(const unsigned *keys, unsigned n, unsigned *bins) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&bins[keys[i] & 63], 1u); }
int main() {
    cudaStream_t work, back; cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&back, cudaStreamNonBlocking);
    cudaEvent_t ready, taken; cudaEventCreate(&ready); cudaEventCreate(&taken);
    const unsigned n = 1 << 14; unsigned *keys, *result; cudaMalloc(&keys, n * 4); cudaMallocHost(&result, 256);
    unsigned *h = new unsigned[n]; for (unsigned i = 0; i < n; i++) h[i] = i * 2654435761u >> 7;
    cudaMemcpy(keys, h, n * 4, cudaMemcpyHostToDevice);
    {
        Scratch bins(256, work);
        cudaMemsetAsync(bins.p, 0, 256, work);
        histogram<<<n / 256, 256, 0, work>>>(keys, n, (unsigned *)bins.p);
        cudaEventRecord(ready, work);
        cudaStreamWaitEvent(back, ready, 0);
        cudaMemcpyAsync(result, bins.p, 256, cudaMemcpyDeviceToHost, back);
#ifdef FIXED
        cudaEventRecord(taken, back);
        cudaStreamWaitEvent(work, taken, 0);
#endif
    }
    cudaStreamSynchronize(back);
    printf("%u\n", result[3]);
    cudaDeviceSynchronize();
}
