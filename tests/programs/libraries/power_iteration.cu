// SPDX-License-Identifier: GPL-3.0-or-later
// The largest eigenvalue of the tridiagonal matrix of -1, 2, -1 is 2 + 2 cos(pi / (n + 1)).
#include "blas.h"

int main() {
    constexpr int n = 12;
    std::vector<double> matrix(n * n);
    for (int k = 0; k < n; ++k) {
        matrix[k + k * n] = 2;
        if (k > 0)
            matrix[k + (k - 1) * n] = matrix[k - 1 + k * n] = -1;
    }
    double *A = onDevice(matrix), *x = onDevice(numbers<double>(n, 5)), *y = nullptr;
    CHECK(cudaMalloc(&y, n * sizeof(double)));
    cublasHandle_t handle = nullptr;
    BLAS(cublasCreate(&handle));
    const double one = 1, zero = 0;
    double value = 0;
    for (int turn = 0; turn < 600; ++turn) {
        double length = 0;
        BLAS(cublasDnrm2(handle, n, x, 1, &length));
        const double by = 1 / length;
        BLAS(cublasDscal(handle, n, &by, x, 1));
        BLAS(cublasDgemv(handle, CUBLAS_OP_N, n, n, &one, A, n, x, 1, &zero, y, 1));
        BLAS(cublasDdot(handle, n, x, 1, y, 1, &value));
        BLAS(cublasDswap(handle, n, x, 1, y, 1));
    }
    const double wanted = 2 + 2 * std::cos(std::acos(-1.0) / (n + 1));
    if (std::fabs(value - wanted) > 1e-9) {
        std::printf("%.12f, not %.12f\n", value, wanted);
        return 1;
    }
    BLAS(cublasDestroy(handle));
    std::printf("passed\n");
}
