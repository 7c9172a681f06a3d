// SPDX-License-Identifier: GPL-3.0-or-later
// What beginners do, and what CUDA alone answers with a number at most. The first argument names it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

namespace lab {
__global__ void fill(float* x, int n) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[i] = 1.f;
}
} // namespace lab
__global__ void shared(float* x) {
    extern __shared__ float part[];
    part[threadIdx.x] = 1.f;
    x[threadIdx.x] = part[threadIdx.x];
}
__device__ void* kept;
__global__ void keep() {
    kept = malloc(16);
}

int main(int argc, char** argv) {
    const char* mistake = argc > 1 ? argv[1] : "";
    const int n = 64;
    float *x = nullptr, *y = nullptr;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    lab::fill<<<1, n>>>(x, n);
    if (!std::strcmp(mistake, "block"))
        for (int k = 0; k < 3; ++k)
            lab::fill<<<1, 2048>>>(x, n);
    if (!std::strcmp(mistake, "grid"))
        lab::fill<<<n / 128, 128>>>(x, n);
    if (!std::strcmp(mistake, "shared"))
        shared<<<1, n, 64 << 10>>>(x);
    if (!std::strcmp(mistake, "stack-limit")) {
        cudaDeviceSetLimit(cudaLimitStackSize, 523264);
        cudaDeviceSetLimit(cudaLimitStackSize, 523265);
    }
    if (!std::strcmp(mistake, "heap-late")) {
        cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
        keep<<<1, 1>>>();
        cudaDeviceSynchronize();
        cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20);
    }
    if (!std::strcmp(mistake, "none"))
        shared<<<1, n>>>(x);
    if (!std::strcmp(mistake, "freed")) {
        cudaFree(x);
        lab::fill<<<1, n>>>(x + 3, n - 3);
    }
    if (!std::strcmp(mistake, "freed-and-taken")) {
        cudaFree(x);
        cudaMalloc(&y, n * sizeof(float)); // has its place
        lab::fill<<<1, n>>>(x, n);
    }
    if (!std::strcmp(mistake, "host")) {
        x = static_cast<float*>(std::malloc(1 << 20));
        lab::fill<<<1, n>>>(x, n);
    }
    float* const host = static_cast<float*>(std::calloc(2 * n, sizeof(float)));
    if (!std::strcmp(mistake, "free-twice"))
        for (int k = 0; k < 3; ++k)
            cudaFree(x);
    if (!std::strcmp(mistake, "free-within"))
        cudaFree(x + 4);
    if (!std::strcmp(mistake, "free-host"))
        cudaFree(host);
    if (!std::strcmp(mistake, "copy-past"))
        cudaMemcpy(host, x, (n + 5) * sizeof(float), cudaMemcpyDeviceToHost);
    if (!std::strcmp(mistake, "copy-past-to"))
        cudaMemcpy(x + n - 1, host, 2 * sizeof(float), cudaMemcpyHostToDevice);
    if (!std::strcmp(mistake, "copy-freed")) {
        cudaFree(x);
        cudaMemcpy(host, x, sizeof(float), cudaMemcpyDeviceToHost);
    }
    if (!std::strcmp(mistake, "copy-swapped"))
        for (int k = 0; k < 3; ++k)
            cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyDeviceToHost);
    if (!std::strcmp(mistake, "copy-direction"))
        cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyHostToDevice);
    if (!std::strcmp(mistake, "fill-past"))
        cudaMemset(x, 0, (n + 1) * sizeof(float) - 3);
    if (!std::strcmp(mistake, "fill-host"))
        cudaMemset(host, 0, n * sizeof(float));
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr, other = nullptr;
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaEventCreate(&other);
    if (!std::strcmp(mistake, "stream-gone")) {
        cudaStreamDestroy(stream);
        lab::fill<<<1, n, 0, stream>>>(x, n);
        cudaStreamSynchronize(stream);
    }
    if (!std::strcmp(mistake, "event-gone")) {
        cudaEventDestroy(event);
        cudaEventRecord(event);
    }
    if (!std::strcmp(mistake, "event-not-recorded")) {
        float time = 0;
        cudaEventRecord(event);
        cudaEventElapsedTime(&time, event, other);
    }
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
