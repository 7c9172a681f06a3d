// SPDX-License-Identifier: GPL-3.0-or-later
// Products that keep one half of a matrix, solutions with many triangles at once, and triangles that change their storage, against whole
// matrices on the host.
#include "stored.h"

namespace {

constexpr int n = 6, k = 4;
cublasHandle_t h = nullptr;
const cuDoubleComplex* at(const Z& v) {
    return reinterpret_cast<const cuDoubleComplex*>(&v);
}

Matrix<Z> wholeOf(const Matrix<Z>& a, bool upper, bool hermitian) {
    Matrix<Z> made = a;
    for (int j = 0; j < a.columns; ++j)
        for (int i = 0; i < a.rows; ++i)
            if (i == j)
                made(i, j) = hermitian ? Z(a(i, j).real()) : a(i, j);
            else if (!isStored(upper, i, j))
                made(i, j) = hermitian ? std::conj(a(j, i)) : a(j, i);
    return made;
}

void ofRankK(bool upper, char op) {
    const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const cublasOperation_t as = op == 'N' ? CUBLAS_OP_N : op == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C;
    const bool hermitian = op != 'T';
    const Matrix<Z> a = op == 'N' ? random<Z>(n, k, 1) : random<Z>(k, n, 1),
                    b = op == 'N' ? random<Z>(n, k, 2) : random<Z>(k, n, 2), c = random<Z>(n, n, 3);
    const int leading = a.rows;
    Z *A = onDevice(a.all), *B = onDevice(b.all);
    const Z alpha(1, -2);
    const double real = 0.75, beta = -0.5;
    const auto product = [&](char behind, const Matrix<Z>& x, const Matrix<Z>& y) {
        return op == 'N' ? x * by(y, behind) : by(x, op) * y;
    };
    if (hermitian) {
        const Matrix<Z> old = Z(beta) * wholeOf(c, upper, true);
        Z* C = onDevice(asTriangle(c, upper));
        BLAS(cublasZherk(h, fill, as, n, k, &real, gpu(A), leading, &beta, gpu(C), n));
        sameHalf(onHost(C, n * n), Z(real) * product('C', a, a) + old, upper, "herk");
        C = onDevice(asTriangle(c, upper));
        BLAS(cublasZher2k(h, fill, as, n, k, at(alpha), gpu(A), leading, gpu(B), leading, &beta, gpu(C), n));
        sameHalf(onHost(C, n * n), alpha * product('C', a, b) + std::conj(alpha) * product('C', b, a) + old, upper,
                 "her2k");
        // B is A times a number: the product is Hermitian.
        Z* twice = onDevice((Z(2) * a).all);
        C = onDevice(asTriangle(c, upper));
        const Z whole(3);
        BLAS(cublasZherkx(h, fill, as, n, k, at(whole), gpu(A), leading, gpu(twice), leading, &beta, gpu(C), n));
        sameHalf(onHost(C, n * n), Z(6) * product('C', a, a) + old, upper, "herkx");
    }
    if (op == 'C')
        return;
    const Z old(0.5, 0.25);
    const Matrix<Z> before = old * c;
    Z* C = onDevice(asTriangle(c, upper));
    BLAS(cublasZsyrk(h, fill, as, n, k, at(alpha), gpu(A), leading, at(old), gpu(C), n));
    sameHalf(onHost(C, n * n), alpha * product('T', a, a) + before, upper, "syrk");
    C = onDevice(asTriangle(c, upper));
    BLAS(cublasZsyr2k(h, fill, as, n, k, at(alpha), gpu(A), leading, gpu(B), leading, at(old), gpu(C), n));
    sameHalf(onHost(C, n * n), alpha * product('T', a, b) + alpha * product('T', b, a) + before, upper, "syr2k");
    C = onDevice(asTriangle(c, upper));
    BLAS(cublasZsyrkx(h, fill, as, n, k, at(alpha), gpu(A), leading, gpu(B), leading, at(old), gpu(C), n));
    sameHalf(onHost(C, n * n), alpha * product('T', a, b) + before, upper, "syrkx");
}

// In single precision, of types that the call names: (1 + i, 2) has 2 + 4 = 6, and (1 + i)^2 + 4 = 4 + 2i.
void ofTypes() {
    cuComplex *A = onDevice(std::vector<cuComplex>{{1, 1}, {2, 0}}), *C = onDevice(std::vector<cuComplex>{{100, 100}});
    const float one = 1, zero = 0;
    const cuComplex unit{1, 0}, none{0, 0};
    BLAS(cublasCherkEx(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 1, 2, &one, A, CUDA_C_32F, 1, &zero, C, CUDA_C_32F, 1));
    WANT(onHost(C, 1)[0].x == 6 && onHost(C, 1)[0].y == 0);
    BLAS(cublasCsyrk3mEx(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 1, 2, &unit, A, CUDA_C_32F, 1, &none, C, CUDA_C_32F,
                         1));
    WANT(onHost(C, 1)[0].x == 4 && onHost(C, 1)[0].y == 2);
    BLAS(cublasCgemm3m(h, CUBLAS_OP_N, CUBLAS_OP_C, 1, 1, 2, &unit, A, 1, A, 1, &none, C, 1));
    WANT(onHost(C, 1)[0].x == 6 && onHost(C, 1)[0].y == 0);
    WANT(cublasCherkEx(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 1, 2, &one, A, CUDA_C_8I, 1, &zero, C, CUDA_C_32F, 1) ==
         CUBLAS_STATUS_NOT_SUPPORTED);
}

void many(bool left, bool upper) {
    constexpr int rows = 4, columns = 3, count = 3;
    const int order = left ? rows : columns;
    std::vector<Z*> As, Bs;
    std::vector<Matrix<Z>> wanted;
    const Z alpha(0, 2);
    for (int m = 0; m < count; ++m) {
        Matrix<Z> a = random<Z>(order, order, 60 + m), triangle(order, order);
        for (int j = 0; j < order; ++j)
            for (int i = 0; i < order; ++i)
                if (isStored(upper, i, j))
                    triangle(i, j) = a(i, j) += i == j ? Z(3) : Z(0);
        const Matrix<Z> x = random<Z>(rows, columns, 70 + m);
        const Matrix<Z> b = Z(0, -0.5) * (left ? by(triangle, 'C') * x : x * by(triangle, 'C')); // 1/alpha
        As.push_back(onDevice(asTriangle(a, upper)));
        Bs.push_back(onDevice(b.all));
        wanted.push_back(x);
    }
    BLAS(cublasZtrsmBatched(h, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                            upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C, CUBLAS_DIAG_NON_UNIT,
                            rows, columns, at(alpha), reinterpret_cast<cuDoubleComplex**>(onDevice(As)), order,
                            reinterpret_cast<cuDoubleComplex**>(onDevice(Bs)), rows, count));
    for (int m = 0; m < count; ++m)
        same(onHost(Bs[m], rows * columns), wanted[m].all, "trsmBatched");
}

void storage(bool upper) {
    const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const Matrix<double> a = random<double>(n, n, 9);
    double *A = onDevice(asTriangle(a, upper)), *packed = onDevice(std::vector<double>(n * (n + 1) / 2));
    BLAS(cublasDtrttp(h, fill, n, A, n, packed));
    same(onHost(packed, n * (n + 1) / 2), asPacked(a, upper), "trttp", 0);
    A = onDevice(std::vector<double>(n * n, nan<double>()));
    BLAS(cublasDtpttr(h, fill, n, packed, A, n));
    sameHalf(onHost(A, n * n), a, upper, "tpttr");
}

} // namespace

int main() {
    BLAS(cublasCreate(&h));
    for (const bool upper : {false, true}) {
        for (const char op : {'N', 'T', 'C'})
            ofRankK(upper, op);
        const Matrix<Z> a = random<Z>(n, n, 4), b = random<Z>(n, k, 5), c = random<Z>(n, k, 6);
        const Z alpha(1, 2), beta(-1, 1);
        Z *A = onDevice(asTriangle(a, upper)), *B = onDevice(b.all), *C = onDevice(c.all);
        BLAS(cublasZhemm(h, CUBLAS_SIDE_LEFT, upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, n, k, at(alpha),
                         gpu(A), n, gpu(B), n, at(beta), gpu(C), n));
        same(onHost(C, n * k), (alpha * (wholeOf(a, upper, true) * b) + beta * c).all, "hemm");
        storage(upper);
        for (const bool left : {false, true})
            many(left, upper);
    }
    ofTypes();
    BLAS(cublasDestroy(h));
    return passed();
}
