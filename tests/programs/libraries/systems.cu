// SPDX-License-Identifier: GPL-3.0-or-later
// Many small systems of equations: factors, solutions and inverses are multiplied with the matrices that they came from.
#include "blas.h"

#include <cuComplex.h>

#include <complex>

namespace {

constexpr int n = 5, count = 3, right = 2;
using Complex = std::complex<double>;

template <class T>
T** pointersTo(T* first, int size) {
    std::vector<T*> all;
    for (int k = 0; k < count; ++k)
        all.push_back(first + k * size);
    return onDevice(all);
}

template <class T>
double farthest(const std::vector<T>& a, const std::vector<T>& b) {
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        most = std::fmax(most, std::abs(a[k] - b[k]));
    return most;
}

// op(A) X of each system; op: N, T or C.
template <class T>
std::vector<T> times(const std::vector<T>& a, const std::vector<T>& x, int columns, char op) {
    std::vector<T> b(x.size());
    for (int s = 0; s < count; ++s)
        for (int j = 0; j < columns; ++j)
            for (int i = 0; i < n; ++i)
                for (int k = 0; k < n; ++k) {
                    T v = op == 'N' ? a[s * n * n + i + k * n] : a[s * n * n + k + i * n];
                    if constexpr (std::is_same_v<T, Complex>)
                        v = op == 'C' ? std::conj(v) : v;
                    b[s * n * columns + i + j * n] += v * x[s * n * columns + k + j * n];
                }
    return b;
}

std::vector<Complex> complexNumbers(std::size_t size, unsigned seed) {
    const auto re = numbers<double>(size, seed), im = numbers<double>(size, seed + 1);
    std::vector<Complex> all;
    for (std::size_t k = 0; k < size; ++k)
        all.emplace_back(re[k], im[k]);
    return all;
}

} // namespace

int main() {
    cublasHandle_t h = nullptr;
    BLAS(cublasCreate(&h));
    int *pivots = nullptr, *info = nullptr, told = -1;
    CHECK(cudaMalloc(&pivots, n * count * sizeof(int)));
    CHECK(cudaMalloc(&info, count * sizeof(int)));
    const std::vector<int> good(count, 0);

    std::vector<double> a = numbers<double>(n * n * count, 1);
    a[0] = 0; // the first column needs another pivot
    const std::vector<double> b = numbers<double>(n * right * count, 2);
    double *lu = onDevice(a), *x = onDevice(b), *inverse = onDevice(a);
    double **lus = pointersTo(lu, n * n), **xs = pointersTo(x, n * right), **inverses = pointersTo(inverse, n * n);
    BLAS(cublasDgetrfBatched(h, n, lus, n, pivots, info, count));
    WANT(onHost(info, count) == good);
    BLAS(cublasDgetrsBatched(h, CUBLAS_OP_N, n, right, lus, n, pivots, xs, n, &told, count));
    WANT(told == 0 && farthest(times(a, onHost(x, b.size()), right, 'N'), b) < 1e-9);
    CHECK(cudaMemcpy(x, b.data(), b.size() * sizeof(double), cudaMemcpyHostToDevice));
    BLAS(cublasDgetrsBatched(h, CUBLAS_OP_T, n, right, lus, n, pivots, xs, n, &told, count));
    WANT(farthest(times(a, onHost(x, b.size()), right, 'T'), b) < 1e-9);
    std::vector<double> ones(a.size(), 0);
    for (int k = 0; k < n * count; ++k)
        ones[k / n * n * n + k % n * (n + 1)] = 1;
    BLAS(cublasDgetriBatched(h, n, lus, n, pivots, inverses, n, info, count));
    WANT(onHost(info, count) == good && farthest(times(a, onHost(inverse, a.size()), n, 'N'), ones) < 1e-9);

    // The same at once, and of a matrix without an inverse which column has no pivot: the third is all zeros.
    for (int i = 0; i < n; ++i)
        a[n * n + 2 * n + i] = 0;
    CHECK(cudaMemcpy(lu, a.data(), a.size() * sizeof(double), cudaMemcpyHostToDevice));
    BLAS(cublasDmatinvBatched(h, n, lus, n, inverses, n, info, count));
    const std::vector<int> third{0, 3, 0};
    WANT(onHost(info, count) == third);

    // Without a choice of pivots, and adjoint.
    std::vector<Complex> ca = complexNumbers(n * n * count, 7);
    for (int k = 0; k < n * count; ++k)
        ca[k / n * n * n + k % n * (n + 1)] += 8;
    const std::vector<Complex> cb = complexNumbers(n * right * count, 9);
    Complex *clu = onDevice(ca), *cx = onDevice(cb);
    auto** cl = reinterpret_cast<cuDoubleComplex**>(pointersTo(clu, n * n));
    auto** cs = reinterpret_cast<cuDoubleComplex**>(pointersTo(cx, n * right));
    BLAS(cublasZgetrfBatched(h, n, cl, n, nullptr, info, count));
    BLAS(cublasZgetrsBatched(h, CUBLAS_OP_C, n, right, cl, n, nullptr, cs, n, &told, count));
    WANT(farthest(times(ca, onHost(cx, cb.size()), right, 'C'), cb) < 1e-9);
    BLAS(cublasDestroy(h));
    return passed();
}
