// SPDX-License-Identifier: GPL-3.0-or-later
// A product of square matrices of which no side is a multiple of anything, held against three loops; then transposed ones.
#include "blas.h"

int main() {
    constexpr int n = 275;
    const auto a = numbers<float>(n * n, 1), b = numbers<float>(n * n, 2), c = numbers<float>(n * n, 3);
    float *A = nullptr, *B = nullptr, *C = nullptr;
    for (float** each : {&A, &B, &C})
        CHECK(cudaMalloc(each, n * n * sizeof(float)));
    cublasHandle_t handle = nullptr;
    BLAS(cublasCreate(&handle));
    int version = 0;
    BLAS(cublasGetVersion(handle, &version));
    BLAS(cublasSetVector(n * n, sizeof(float), a.data(), 1, A, 1));
    BLAS(cublasSetVector(n * n, sizeof(float), b.data(), 1, B, 1));
    BLAS(cublasSetMatrix(n, n, sizeof(float), c.data(), n, C, n));
    const float alpha = 1.5F, beta = -0.5F;
    BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, A, n, B, n, &beta, C, n));
    std::vector<float> is(n * n), wanted(n * n);
    BLAS(cublasGetMatrix(n, n, sizeof(float), C, n, is.data(), n));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            double sum = 0;
            for (int k = 0; k < n; ++k)
                sum += double(a[i + k * n]) * b[k + j * n];
            wanted[i + j * n] = float(alpha * sum + beta * c[i + j * n]);
        }
    near(is, wanted, 1e-4, "A B");

    // (A B)^T = B^T A^T, with rows of 3 by 2 and 2 by 4 within larger matrices; and what is in C counts for nothing.
    const std::vector<double> left{1, 2, 3, 99, 4, 5, 6, 99}, right{1, 2, 3, 4, 5, 6, 7, 8};
    double *L = onDevice(left), *R = onDevice(right), *P = nullptr;
    CHECK(cudaMalloc(&P, 12 * sizeof(double)));
    const double one = 1, zero = 0;
    BLAS(cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, 4, 3, 2, &one, R, 2, L, 4, &zero, P, 4));
    // left = (1 4; 2 5; 3 6), right = (1 3 5 7; 2 4 6 8): row 1 of the product is 1*1+4*2 = 9, 3+16 = 19, 29, 39.
    near(onHost(P, 12), {9, 19, 29, 39, 12, 26, 40, 54, 15, 33, 51, 69}, 0, "B^T A^T");
    BLAS(cublasDestroy(handle));
    if (cublasDestroy(handle) != CUBLAS_STATUS_NOT_INITIALIZED || version < 12000)
        return 1;
    std::printf("passed\n");
}
