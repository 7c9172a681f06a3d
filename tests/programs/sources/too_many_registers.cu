// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel that says nothing of its blocks, and takes more registers than one of 1024 threads has room for.
#include "check.h"

#include <cstdio>

constexpr int values = 48;

__global__ void heavy(const double* in, double* out) {
    double v[values];
#pragma unroll
    for (int i = 0; i < values; ++i)
        v[i] = in[threadIdx.x + i * 1024];
    for (int r = 0; r < 3; ++r)
#pragma unroll
        for (int i = 0; i < values; ++i)
            v[i] = v[i] * v[(i + 7) % values] + v[(i + 13) % values];
    double sum = 0;
#pragma unroll
    for (int i = 0; i < values; ++i)
        sum += v[i];
    out[threadIdx.x] = sum;
}

int main() {
    double *in, *out;
    CHECK(cudaMalloc(&in, 1024 * (values + 1) * sizeof(double)));
    CHECK(cudaMemset(in, 0, 1024 * (values + 1) * sizeof(double)));
    CHECK(cudaMalloc(&out, 1024 * sizeof(double)));
    cudaFuncAttributes of;
    CHECK(cudaFuncGetAttributes(&of, heavy));
    int fits = 0, tooMany = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, heavy, of.maxThreadsPerBlock, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&tooMany, heavy, of.maxThreadsPerBlock + 32, 0));
    heavy<<<1, of.maxThreadsPerBlock>>>(in, out);
    const cudaError_t first = cudaGetLastError();
    heavy<<<1, 1024>>>(in, out);
    std::printf("%d %d %d %s %s\n", of.numRegs > 64, fits > 0, tooMany, cudaGetErrorName(first),
                cudaGetErrorName(cudaGetLastError()));
    CHECK(cudaDeviceSynchronize());
}
