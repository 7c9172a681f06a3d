// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of libraries with what goes wrong around them: nothing orders two streams; memory that nobody wrote; a function that is not
// here; and, last, a matrix that is larger than its memory.
#include "blas.h"

#include <cufft.h>

__global__ void fill(float* x) {
    x[threadIdx.x] = 1;
}

int main() {
    cublasHandle_t handle = nullptr;
    BLAS(cublasCreate(&handle));
    cudaStream_t one = nullptr, other = nullptr;
    CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    float *x = nullptr, *y = nullptr;
    CHECK(cudaMalloc(&x, 64 * sizeof(float)));
    CHECK(cudaMalloc(&y, 64 * sizeof(float)));
    CHECK(cudaMemset(y, 0, 32 * sizeof(float))); // half of it
    CHECK(cudaDeviceSynchronize());
    fill<<<1, 64, 0, one>>>(x);
    BLAS(cublasSetStream(handle, other));
    const float two = 2;
    BLAS(cublasSaxpy(handle, 64, &two, x, 1, y, 1)); // reads what the other stream may still write
    CHECK(cudaDeviceSynchronize());
    int info = 0;
    if (cublasDgelsBatched(handle, CUBLAS_OP_N, 1, 1, 1, nullptr, 1, nullptr, 1, &info, nullptr, 0) !=
        CUBLAS_STATUS_NOT_SUPPORTED)
        return 2;
    const float zero = 0;
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 9, 8, &two, x, 8, y, 8, &zero, y, 8); // y has eight columns
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 3;
}
