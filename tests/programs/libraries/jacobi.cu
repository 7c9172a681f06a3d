// SPDX-License-Identifier: GPL-3.0-or-later
// Jacobi's iteration as a graph: kernels and calls of cuBLAS captured once, launched again and again. And what the other
// reductions find.
#include "blas.h"

constexpr int n = 32;

__global__ void sweep(const double* x, double* y) { // of 4 x_k - x_(k-1) - x_(k+1) = 2, whose solution is near 1
    const int k = threadIdx.x;
    y[k] = (2 + (k > 0 ? x[k - 1] : 1) + (k + 1 < n ? x[k + 1] : 1)) / 4;
}

int main() {
    double *x = onDevice(std::vector<double>(n)), *y = nullptr, *difference = nullptr, *norm = nullptr;
    for (double** each : {&y, &difference})
        CHECK(cudaMalloc(each, n * sizeof(double)));
    CHECK(cudaMalloc(&norm, sizeof(double)));
    double* minus = onDevice(std::vector<double>{-1});
    cublasHandle_t handle = nullptr;
    BLAS(cublasCreate(&handle));
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreate(&stream));
    BLAS(cublasSetStream(handle, stream));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    sweep<<<1, n, 0, stream>>>(x, y);
    BLAS(cublasDcopy(handle, n, y, 1, difference, 1));
    BLAS(cublasDaxpy(handle, n, minus, x, 1, difference, 1));
    BLAS(cublasDnrm2(handle, n, difference, 1, norm));
    BLAS(cublasDcopy(handle, n, y, 1, x, 1));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    double now = 1;
    int turns = 0;
    for (; now > 1e-12 && turns < 100; ++turns) {
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaMemcpyAsync(&now, norm, sizeof now, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
    near(onHost(x, n), std::vector<double>(n, 1), 1e-11, "x"); // 4 - 1 - 1 = 2
    if (turns < 10 || turns == 100)
        return 1;

    const std::vector<float> values{3, -7, 2, 7, -1, 0.5F};
    float* v = onDevice(values);
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    int largest = 0, least = 0, second = 0;
    float sum = 0;
    BLAS(cublasIsamax(handle, 6, v, 1, &largest));
    BLAS(cublasIsamin(handle, 6, v, 1, &least));
    BLAS(cublasIsamax(handle, 3, v, 2, &second)); // 3, 2, -1
    BLAS(cublasSasum(handle, 6, v, 1, &sum));
    if (largest != 2 || least != 6 || second != 1 || sum != 20.5F) { // counted from 1; 3+7+2+7+1+0.5
        std::printf("%d %d %d %g\n", largest, least, second, sum);
        return 1;
    }
    std::printf("passed\n");
}
