// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t e = (call);                                                                                        \
        if (e != cudaSuccess) {                                                                                        \
            std::printf("%s: %s\n", #call, cudaGetErrorString(e));                                                     \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

__global__ void transposeNaive(float* out, const float* in, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[x * n + y + k] = in[(y + k) * n + x];
}

__global__ void transposeTiled(float* out, const float* in, int n) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void sumBlocks(float* out, const float* in) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

int main() {
    const int n = 1024;
    float *in, *out, *host = (float*)std::malloc(n * n * sizeof(float));
    for (int k = 0; k < n * n; ++k)
        host[k] = float(k % 7);
    CHECK(cudaMalloc(&in, n * n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * n * sizeof(float)));
    CHECK(cudaMemcpy(in, host, n * n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * n * sizeof(float)));
    transposeNaive<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(out, in, n);
    transposeTiled<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(out, in, n);
    CHECK(cudaMemcpy(host, out, n * n * sizeof(float), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x)
            right = right && host[y * n + x] == float((x * n + y) % 7);
    sumBlocks<<<n * n / 256, 256>>>(out, in);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, out, n * n / 256 * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0, wanted = 0;
    for (int k = 0; k < n * n / 256; ++k)
        sum += host[k];
    for (int k = 0; k < n * n; ++k)
        wanted += k % 7;
    std::printf("%s\n", right && sum == wanted ? "passed" : "failed");
    return right && sum == wanted ? 0 : 1;
}
