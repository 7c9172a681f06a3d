// SPDX-License-Identifier: GPL-3.0-or-later
// Triangles, symmetric matrices, sums and scales, with numbers that are worked out by hand.
#include "blas.h"

int main() {
    cublasHandle_t h = nullptr;
    BLAS(cublasCreate(&h));
    const double one = 1, two = 2, zero = 0, minus = -1;
    // L = (2 0; 1 3), column by column; above the diagonal stands what nobody may read.
    double *L = onDevice(std::vector<double>{2, 1, 99, 3}), *x = onDevice(std::vector<double>{4, 11});
    BLAS(cublasDtrsv(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, L, 2, x, 1));
    near(onHost(x, 2), {2, 3}, 0, "trsv"); // 4/2; (11 - 2)/3
    BLAS(cublasDtrmv(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, 2, L, 2, x, 1));
    near(onHost(x, 2), {7, 9}, 0, "trmv"); // L^T = (2 1; 0 3): 4 + 3; 9
    BLAS(cublasDtrsv(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT, 2, L, 2, x, 1));
    near(onHost(x, 2), {-2, 9}, 0, "trsv of a unit diagonal"); // x1 = 9; x0 = 7 - 9

    // B = (4 2; 11 7): L X = 2 B has X = (4 2; 6 4). X L^T = that has columns (2 1), (2 - ...)/3.
    double* B = onDevice(std::vector<double>{4, 11, 2, 7});
    BLAS(cublasDtrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 2, &two, L, 2, B, 2));
    near(onHost(B, 4), {4, 6, 2, 4}, 1e-15, "trsm"); // 8/2, (22-4)/3; 4/2, (14-2)/3
    BLAS(cublasDtrsm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 2, &one, L, 2, B, 2));
    // X (2 0; 1 3) = (4 2; 6 4): second column 2/3, 4/3; first (4 - 2/3)/2 = 5/3, (6 - 4/3)/2 = 7/3.
    near(onHost(B, 4), {5 / 3.0, 7 / 3.0, 2 / 3.0, 4 / 3.0}, 1e-15, "trsm from the right");
    double* C = onDevice(std::vector<double>(4));
    BLAS(cublasDtrmm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 2, &one, L, 2, B, 2, C,
                     2));
    near(onHost(C, 4), {4, 6, 2, 4}, 1e-14, "trmm");

    // S = (2 1; 1 3) of the lower triangle; with the columns (4 6), (2 4): (14 22; 8 14).
    double* D = onDevice(std::vector<double>{1, 1, 1, 1});
    BLAS(cublasDsymm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 2, 2, &one, L, 2, C, 2, &minus, D, 2));
    near(onHost(D, 4), {13, 21, 7, 13}, 1e-13, "symm"); // 8+6-1, 4+18-1; 4+4-1, 2+12-1
    double *y = onDevice(std::vector<double>{1, 2}), *z = onDevice(std::vector<double>{5, 5});
    BLAS(cublasDsymv(h, CUBLAS_FILL_MODE_LOWER, 2, &two, L, 2, y, 1, &one, z, 1));
    near(onHost(z, 2), {13, 19}, 0, "symv"); // 2 (2+2) + 5, 2 (1+6) + 5

    // A A^T of (1 2): the upper triangle alone. And its rank one.
    double *K = onDevice(std::vector<double>{1, 1, 1, 1});
    BLAS(cublasDsyrk(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 1, &one, y, 2, &two, K, 2));
    near(onHost(K, 4), {3, 1, 4, 6}, 0, "syrk"); // 1+2, left; 2+2, 4+2
    BLAS(cublasDger(h, 2, 2, &two, y, 1, z, 1, K, 2));
    near(onHost(K, 4), {29, 53, 42, 82}, 0, "ger"); // + 2 (13 26; 19 38) by columns

    double* E = onDevice(std::vector<double>(6));
    double* F = onDevice(std::vector<double>{1, 2, 3, 4, 5, 6}); // 2 by 3
    BLAS(cublasDgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &one, F, 2, &zero, nullptr, 3, E, 3));
    near(onHost(E, 6), {1, 3, 5, 2, 4, 6}, 0, "geam"); // transposed
    BLAS(cublasDdgmm(h, CUBLAS_SIDE_LEFT, 2, 3, F, 2, y, 1, E, 2));
    near(onHost(E, 6), {1, 4, 3, 8, 5, 12}, 0, "dgmm"); // rows by 1 and 2
    const double c = 0.6, s = 0.8;
    BLAS(cublasDrot(h, 1, y, 1, z, 1, &c, &s));
    near(onHost(y, 1), {0.6 + 0.8 * 13}, 1e-14, "rot");
    // Backwards by a step below 0, and complex numbers, conjugated: (1 - 2i)(3 + i) + (2)(i) = 5 - 5i + 2i.
    BLAS(cublasDcopy(h, 3, F, -2, E, 1));
    near(onHost(E, 3), {5, 3, 1}, 0, "copy backwards");
    cuDoubleComplex *u = onDevice(std::vector<cuDoubleComplex>{{1, 2}, {2, 0}}),
                    *v = onDevice(std::vector<cuDoubleComplex>{{3, 1}, {0, 1}}), product{};
    BLAS(cublasZdotc(h, 2, u, 1, v, 1, &product));
    if (product.x != 5 || product.y != -3)
        return 1;
    BLAS(cublasDestroy(h));
    std::printf("passed\n");
}
