// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices: by OpenBLAS where the host has it, or another library with Fortran's BLAS that WARPGLASS_BLAS names.
#include "gpu/base/messages/program.h"
#include "gpu/virtual/libraries/blas.h"

#include <vector>

#include <dlfcn.h>

namespace warpglass::virtual_device::blas {

namespace {

template <class T>
using Gemm = void (*)(const char* a, const char* b, const int* m, const int* n, const int* k, const T* alpha,
                      const T* A, const int* lda, const T* B, const int* ldb, const T* beta, T* C, const int* ldc);

struct HostBlas {
    Gemm<float> s = nullptr;
    Gemm<double> d = nullptr;
    Gemm<Complex> c = nullptr;
    Gemm<DoubleComplex> z = nullptr;
    bool isThere() const { return s && d && c && z; }
};

const HostBlas& host() {
    static const HostBlas one = [] {
        HostBlas blas;
        if (void* const library = openHostLibrary("WARPGLASS_BLAS", {"libopenblas.so.0", "libopenblas.so"})) {
            blas.s = reinterpret_cast<Gemm<float>>(dlsym(library, "sgemm_"));
            blas.d = reinterpret_cast<Gemm<double>>(dlsym(library, "dgemm_"));
            blas.c = reinterpret_cast<Gemm<Complex>>(dlsym(library, "cgemm_"));
            blas.z = reinterpret_cast<Gemm<DoubleComplex>>(dlsym(library, "zgemm_"));
        }
        return blas;
    }();
    return one;
}

template <class T>
Gemm<T> gemm() {
    if constexpr (std::is_same_v<T, float>)
        return host().s;
    else if constexpr (std::is_same_v<T, double>)
        return host().d;
    else if constexpr (std::is_same_v<T, Complex>)
        return host().c;
    else
        return host().z;
}

// op(A) as it is read: rows by columns, without gaps.
template <class T>
std::vector<T> plain(Op op, const T* A, int lda, int rows, int columns) {
    std::vector<T> all(std::size_t(rows) * std::size_t(columns));
    for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i) {
            const T v =
                op == Op::None ? A[i + std::size_t(j) * std::size_t(lda)] : A[j + std::size_t(i) * std::size_t(lda)];
            all[std::size_t(i) + std::size_t(j) * std::size_t(rows)] = op == Op::Adjoint ? conjugate(v) : v;
        }
    return all;
}

} // namespace

Message answeredBy() {
    return host().isThere() ? warpglass::plain("OpenBLAS") : Message(say::ByOwnLoops);
}

template <class T>
void multiply(Op a, Op b, int m, int n, int k, T alpha, const T* A, int lda, const T* B, int ldb, T beta, T* C,
              int ldc) {
    constexpr const char* letters = "NTC";
    if (host().isThere())
        return gemm<T>()(letters + int(a), letters + int(b), &m, &n, &k, &alpha, A, &lda, B, &ldb, &beta, C, &ldc);
    const std::vector<T> left = plain(a, A, lda, m, k), right = plain(b, B, ldb, k, n);
    std::vector<T> column(std::size_t(std::max(m, 0)));
    for (int j = 0; j < n; ++j) {
        std::fill(column.begin(), column.end(), T(0));
        for (int l = 0; l < k; ++l) {
            const T by = right[std::size_t(l) + std::size_t(j) * std::size_t(k)];
            const T* const from = left.data() + std::size_t(l) * std::size_t(m);
            for (int i = 0; i < m; ++i)
                column[std::size_t(i)] += from[i] * by;
        }
        T* const to = C + std::size_t(j) * std::size_t(ldc);
        for (int i = 0; i < m; ++i) // what is there counts for nothing behind a beta of 0, be it NaN
            to[i] = alpha * column[std::size_t(i)] + (beta == T(0) ? T(0) : beta * to[i]);
    }
}
template void multiply(Op, Op, int, int, int, float, const float*, int, const float*, int, float, float*, int);
template void multiply(Op, Op, int, int, int, double, const double*, int, const double*, int, double, double*, int);
template void multiply(Op, Op, int, int, int, Complex, const Complex*, int, const Complex*, int, Complex, Complex*,
                       int);
template void multiply(Op, Op, int, int, int, DoubleComplex, const DoubleComplex*, int, const DoubleComplex*, int,
                       DoubleComplex, DoubleComplex*, int);

} // namespace warpglass::virtual_device::blas
