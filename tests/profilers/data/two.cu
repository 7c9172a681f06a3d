// SPDX-License-Identifier: GPL-3.0-or-later
// Two streams, an event between, memory that is allocated and freed in a stream, a graph.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { std::printf("%s: %s\n", #call, cudaGetErrorString(e)); std::exit(1); } } while (0)
__global__ void scale(float* x, int n, float by) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= by; }
__global__ void add(float* x, const float* y, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] += y[i]; }
int main() {
    const int n = 1 << 22; float *a, *b, *host, *pool;
    cudaStream_t s, t; cudaEvent_t done;
    CHECK(cudaMallocHost(&host, n * 4)); for (int i = 0; i < n; ++i) host[i] = 1;
    CHECK(cudaStreamCreate(&s)); CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking)); CHECK(cudaEventCreate(&done));
    CHECK(cudaMalloc(&a, n * 4)); CHECK(cudaMalloc(&b, n * 4));
    CHECK(cudaMemcpyAsync(a, host, n * 4, cudaMemcpyHostToDevice, s));
    scale<<<264, 256, 0, s>>>(a, n, 2);
    CHECK(cudaEventRecord(done, s));
    CHECK(cudaMemsetAsync(b, 0, n * 4, t));
    CHECK(cudaStreamWaitEvent(t, done, 0));
    CHECK(cudaMallocAsync(&pool, n * 4, t));
    CHECK(cudaMemcpyAsync(pool, a, n * 4, cudaMemcpyDeviceToDevice, t));
    add<<<264, 256, 0, t>>>(b, pool, n);
    CHECK(cudaFreeAsync(pool, t));
    cudaGraph_t g; cudaGraphExec_t run;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    scale<<<264, 256, 0, s>>>(a, n, 3); scale<<<132, 256, 0, s>>>(a, n, 5);
    CHECK(cudaStreamEndCapture(s, &g)); CHECK(cudaGraphInstantiate(&run, g, 0));
    for (int k = 0; k < 3; ++k) CHECK(cudaGraphLaunch(run, s));
    CHECK(cudaStreamSynchronize(t));
    CHECK(cudaMemcpyAsync(host, b, n * 4, cudaMemcpyDeviceToHost, t)); CHECK(cudaStreamSynchronize(t)); CHECK(cudaDeviceSynchronize());
    std::printf("%s\n", host[5] == 2 ? "passed" : "failed"); return host[5] != 2;
}
