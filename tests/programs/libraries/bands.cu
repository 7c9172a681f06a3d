// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices by vectors: triangles and symmetric and Hermitian matrices, whole, packed and as bands, against whole matrices on the host.
#include "stored.h"

namespace {

constexpr int n = 7, k = 2, leading = 4;
cublasHandle_t h = nullptr;

template <class T>
Matrix<T> column(const std::vector<T>& v) {
    Matrix<T> m(int(v.size()), 1);
    m.all = v;
    return m;
}

void triangles(bool upper, char op, bool unit, bool solves) {
    const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const cublasOperation_t as = op == 'N' ? CUBLAS_OP_N : op == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C;
    const cublasDiagType_t diag = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    for (const int diagonals : {n - 1, k}) { // whole and packed, or a band
        Matrix<Z> a = random<Z>(n, n, 3), whole(n, n);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                if (i == j)
                    a(i, j) = unit ? nan<Z>() : a(i, j) + 3.0;
                if (isStored(upper, i, j, diagonals))
                    whole(i, j) = i == j && unit ? 1.0 : a(i, j);
            }
        const std::vector<Z> x = randoms<Z>(n, 11), y = (by(whole, op) * column(x)).all;
        const std::vector<Z>&given = solves ? y : x, &wanted = solves ? x : y;
        if (diagonals == k) {
            Z *A = onDevice(asBand(a, upper ? 0 : k, upper ? k : 0, leading)), *v = onDevice(given);
            BLAS((solves ? cublasZtbsv : cublasZtbmv)(h, fill, as, diag, n, k, gpu(A), leading, gpu(v), 1));
            same(onHost(v, n), wanted, "a triangle's band");
            continue;
        }
        Z *A = onDevice(asTriangle(a, upper)), *packed = onDevice(asPacked(a, upper)), *v = onDevice(given),
          *w = onDevice(given);
        BLAS((solves ? cublasZtrsv : cublasZtrmv)(h, fill, as, diag, n, gpu(A), n, gpu(v), 1));
        same(onHost(v, n), wanted, "a triangle");
        BLAS((solves ? cublasZtpsv : cublasZtpmv)(h, fill, as, diag, n, gpu(packed), gpu(w), 1));
        same(onHost(w, n), wanted, "a packed triangle");
    }
}

// Of one half the whole, which its diagonals limit; Hermitian ones have a real diagonal, whatever stands beside it.
template <class T>
Matrix<T> mirrored(Matrix<T> a, bool upper, bool hermitian, int diagonals) {
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            if (i == j)
                a(i, j) = hermitian ? T(std::real(a(i, j))) : a(i, j);
            else if (!isStored(upper, i, j))
                a(i, j) = std::abs(i - j) > diagonals ? T(0) : hermitian ? adjoint(a(j, i)) : a(j, i);
            else if (std::abs(i - j) > diagonals)
                a(i, j) = 0;
    return a;
}

void hermitian(bool upper) {
    const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const Matrix<Z> a = random<Z>(n, n, 5);
    const Z alpha(0.5, -2), beta(1, 1);
    const std::vector<Z> x = randoms<Z>(n, 21), y = randoms<Z>(n, 22);
    const auto wanted = [&](const Matrix<Z>& m) { return (alpha * (m * column(x)) + beta * column(y)).all; };
    Z *A = onDevice(asTriangle(a, upper)), *P = onDevice(asPacked(a, upper)),
      *B = onDevice(asBand(a, upper ? 0 : k, upper ? k : 0, leading)), *X = onDevice(x);
    const auto* one = reinterpret_cast<const cuDoubleComplex*>(&alpha);
    const auto* two = reinterpret_cast<const cuDoubleComplex*>(&beta);
    Z* v = onDevice(y);
    BLAS(cublasZhemv(h, fill, n, one, gpu(A), n, gpu(X), 1, two, gpu(v), 1));
    same(onHost(v, n), wanted(mirrored(a, upper, true, n)), "hemv");
    v = onDevice(y);
    BLAS(cublasZhpmv(h, fill, n, one, gpu(P), gpu(X), 1, two, gpu(v), 1));
    same(onHost(v, n), wanted(mirrored(a, upper, true, n)), "hpmv");
    v = onDevice(y);
    BLAS(cublasZhbmv(h, fill, n, k, one, gpu(B), leading, gpu(X), 1, two, gpu(v), 1));
    same(onHost(v, n), wanted(mirrored(a, upper, true, k)), "hbmv");
    v = onDevice(y);
    BLAS(cublasZsymv(h, fill, n, one, gpu(A), n, gpu(X), 1, two, gpu(v), 1));
    same(onHost(v, n), wanted(mirrored(a, upper, false, n)), "symv");

    const double real = -1.5;
    const Matrix<Z> xx = Z(real) * (column(x) * by(column(x), 'C')), whole = mirrored(a, upper, true, n);
    BLAS(cublasZher(h, fill, n, &real, gpu(X), 1, gpu(A), n));
    sameHalf(onHost(A, n * n), whole + xx, upper, "her");
    BLAS(cublasZhpr(h, fill, n, &real, gpu(X), 1, gpu(P)));
    same(onHost(P, n * (n + 1) / 2), asPacked(whole + xx, upper), "hpr");
    Z* Y = onDevice(y);
    const Matrix<Z> xy = alpha * (column(x) * by(column(y), 'C')) + std::conj(alpha) * (column(y) * by(column(x), 'C'));
    BLAS(cublasZher2(h, fill, n, one, gpu(X), 1, gpu(Y), 1, gpu(A), n));
    sameHalf(onHost(A, n * n), whole + xx + xy, upper, "her2");
    BLAS(cublasZhpr2(h, fill, n, one, gpu(X), 1, gpu(Y), 1, gpu(P)));
    same(onHost(P, n * (n + 1) / 2), asPacked(whole + xx + xy, upper), "hpr2");
}

void symmetric(bool upper) {
    const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const Matrix<double> a = random<double>(n, n, 6);
    const double alpha = 3, beta = 0; // y counts for nothing: it is NaN
    const std::vector<double> x = randoms<double>(n, 31), y = randoms<double>(n, 32), none(n, nan<double>());
    const auto wanted = [&](const Matrix<double>& m) { return (alpha * (m * column(x))).all; };
    double *A = onDevice(asTriangle(a, upper)), *P = onDevice(asPacked(a, upper)),
           *B = onDevice(asBand(a, upper ? 0 : k, upper ? k : 0, leading)), *X = onDevice(x), *v = onDevice(none);
    BLAS(cublasDspmv(h, fill, n, &alpha, P, X, 1, &beta, v, 1));
    same(onHost(v, n), wanted(mirrored(a, upper, false, n)), "spmv");
    v = onDevice(none);
    BLAS(cublasDsbmv(h, fill, n, k, &alpha, B, leading, X, 1, &beta, v, 1));
    same(onHost(v, n), wanted(mirrored(a, upper, false, k)), "sbmv");
    const Matrix<double> whole = mirrored(a, upper, false, n), xx = alpha * (column(x) * by(column(x), 'T'));
    BLAS(cublasDsyr(h, fill, n, &alpha, X, 1, A, n));
    sameHalf(onHost(A, n * n), whole + xx, upper, "syr");
    BLAS(cublasDspr(h, fill, n, &alpha, X, 1, P));
    same(onHost(P, n * (n + 1) / 2), asPacked(whole + xx, upper), "spr");
    double* Y = onDevice(y);
    const Matrix<double> xy = alpha * (column(x) * by(column(y), 'T') + column(y) * by(column(x), 'T'));
    BLAS(cublasDsyr2(h, fill, n, &alpha, X, 1, Y, 1, A, n));
    sameHalf(onHost(A, n * n), whole + xx + xy, upper, "syr2");
    BLAS(cublasDspr2(h, fill, n, &alpha, X, 1, Y, 1, P));
    same(onHost(P, n * (n + 1) / 2), asPacked(whole + xx + xy, upper), "spr2");
}

// A band that is wider than high, and the other way round.
void bands(int rows, int columns, char op) {
    const int below = 1, above = 2;
    Matrix<Z> a = random<Z>(rows, columns, 8);
    for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i)
            if (j - i > above || i - j > below)
                a(i, j) = 0;
    const Z alpha(2, 1), beta(-1, 0.5);
    const int in = op == 'N' ? columns : rows, out = op == 'N' ? rows : columns;
    const std::vector<Z> x = randoms<Z>(in, 41), y = randoms<Z>(out, 42);
    Z *A = onDevice(asBand(a, below, above, leading)), *X = onDevice(x), *v = onDevice(y);
    BLAS(cublasZgbmv(h,
                     op == 'N'   ? CUBLAS_OP_N
                     : op == 'T' ? CUBLAS_OP_T
                                 : CUBLAS_OP_C,
                     rows, columns, below, above, reinterpret_cast<const cuDoubleComplex*>(&alpha), gpu(A), leading,
                     gpu(X), 1, reinterpret_cast<const cuDoubleComplex*>(&beta), gpu(v), 1));
    same(onHost(v, std::size_t(out)), (alpha * (by(a, op) * column(x)) + beta * column(y)).all, "gbmv");
}

} // namespace

int main() {
    BLAS(cublasCreate(&h));
    for (const bool upper : {false, true}) {
        for (const char op : {'N', 'T', 'C'})
            for (const bool unit : {false, true})
                for (const bool solves : {false, true})
                    triangles(upper, op, unit, solves);
        hermitian(upper);
        symmetric(upper);
    }
    for (const char op : {'N', 'T', 'C'}) {
        bands(5, 11, op);
        bands(9, 4, op);
    }
    // A band's leading dimension has room for its diagonals.
    double d = 1;
    if (cublasDsbmv(h, CUBLAS_FILL_MODE_LOWER, n, k, &d, &d, k, &d, 1, &d, &d, 1) != CUBLAS_STATUS_INVALID_VALUE)
        return 2;
    BLAS(cublasDestroy(h));
    return passed();
}
