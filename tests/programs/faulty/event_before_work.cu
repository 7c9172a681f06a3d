// SPDX-License-Identifier: GPL-3.0-or-later
// Three stages on three streams, joined by events. One event is recorded before the work it stands for.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); return 1; } } while (0)
template <typename T> __global__ void affine(T *dst, const T *src, T a, T b, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) dst[i] = a * src[i] + b;
}
int main() {
    constexpr unsigned n = 1 << 15;
    std::vector<float> host(n, 1.0f);
    float *x, *y, *z;
    CHECK(cudaMalloc(&x, n * sizeof *x)); CHECK(cudaMalloc(&y, n * sizeof *y)); CHECK(cudaMalloc(&z, n * sizeof *z));
    cudaStream_t load, first, second; cudaEvent_t loaded, done;
    for (auto s : {&load, &first, &second}) CHECK(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&loaded, cudaEventDisableTiming)); CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    float *pinned; CHECK(cudaMallocHost(&pinned, n * sizeof(float)));
    for (unsigned i = 0; i < n; i++) pinned[i] = host[i];
    CHECK(cudaMemcpyAsync(x, pinned, n * sizeof *x, cudaMemcpyHostToDevice, load));
    CHECK(cudaEventRecord(loaded, load));
    CHECK(cudaStreamWaitEvent(first, loaded, 0));
#ifndef FIXED
    CHECK(cudaEventRecord(done, first));
#endif
    affine<<<32, 256, 0, first>>>(y, x, 2.0f, 1.0f, n);
#ifdef FIXED
    CHECK(cudaEventRecord(done, first));
#endif
    CHECK(cudaStreamWaitEvent(second, done, 0));
    affine<<<32, 256, 0, second>>>(z, y, 3.0f, 0.0f, n);
    CHECK(cudaStreamSynchronize(second));
    CHECK(cudaMemcpy(host.data(), z, n * sizeof(float), cudaMemcpyDeviceToHost));
    std::printf("%g\n", host[n - 1]);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
