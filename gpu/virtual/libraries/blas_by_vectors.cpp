// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, level 2: a matrix by a vector, whole, as a triangle or a band, and packed; and what vectors add to a matrix.
#include "gpu/virtual/libraries/blas_stored.h"

#include <vector>

using namespace warpglass::virtual_device;
using namespace warpglass::virtual_device::blas;

namespace {

using Use = Call::Use;

template <class S>
Use useOfResult(const S& beta) { // of what is multiplied by it
    return beta.isKnown() && !beta.isZero() ? Use::Updates : Use::Writes;
}
template <class T>
T timesUnlessZero(T by, T value) { // what is there counts for nothing behind a 0, be it NaN
    return by == T(0) ? T(0) : by * value;
}
template <class T>
T mirrored(bool hermitian, T v) {
    return hermitian ? conjugate(v) : v;
}

template <class T>
int gemv(Call c, Op op, int m, int n, const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta, T* y,
         int incy) {
    const auto a = c.scalar(alpha), b = c.scalar(beta);
    const bool isNothing = m <= 0 || n <= 0;
    const int rows = op == Op::None ? m : n, columns = op == Op::None ? n : m;
    const auto matrix = c.matrix(A, m, n, lda, Use::Reads);
    const auto in = c.vector(x, columns, incx, Use::Reads), out = c.vector(y, rows, incy, useOfResult(b));
    return c.give(isNothing, [=](Places p) {
        std::vector<T> column(std::size_t(columns), T(0)), sum(std::size_t(rows), T(0));
        for (int k = 0; k < columns; ++k)
            column[std::size_t(k)] = in.at(p)[k];
        multiply<T>(op, Op::None, rows, 1, columns, a.at(p), reinterpret_cast<const T*>(p[matrix]), lda, column.data(),
                    std::max(1, columns), T(0), sum.data(), std::max(1, rows));
        const T by = b.at(p);
        for (int k = 0; k < rows; ++k)
            out.at(p)[k] = sum[std::size_t(k)] + timesUnlessZero(by, out.at(p)[k]);
    });
}

template <class T>
int gbmv(Call c, Op op, int m, int n, int below, int above, const T* alpha, const T* A, int lda, const T* x, int incx,
         const T* beta, T* y, int incy) {
    const auto a = c.scalar(alpha), b = c.scalar(beta);
    const int rows = op == Op::None ? m : n, columns = op == Op::None ? n : m;
    const auto matrix = stored(c, A, {Layout::Kind::Band, m, n, below, above, lda}, Use::Reads);
    const auto in = c.vector(x, columns, incx, Use::Reads), out = c.vector(y, rows, incy, useOfResult(b));
    return c.give(m <= 0 || n <= 0, [=](Places p) {
        std::vector<T> sum(std::size_t(rows), T(0));
        for (int j = 0; j < n; ++j)
            for (int i = matrix.layout.first(j); i < matrix.layout.end(j); ++i) {
                const T v = matrix.at(p, i, j);
                if (op == Op::None)
                    sum[std::size_t(i)] += v * in.at(p)[j];
                else
                    sum[std::size_t(j)] += mirrored(op == Op::Adjoint, v) * in.at(p)[i];
            }
        const T by = a.at(p), old = b.at(p);
        for (int k = 0; k < rows; ++k)
            out.at(p)[k] = by * sum[std::size_t(k)] + timesUnlessZero(old, out.at(p)[k]);
    });
}

template <class T>
int ger(Call c, bool conjugated, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* A,
        int lda) {
    const auto a = c.scalar(alpha);
    const auto left = c.vector(x, m, incx, Use::Reads), right = c.vector(y, n, incy, Use::Reads);
    const auto matrix = c.matrix(A, m, n, lda, Use::Updates);
    return c.give(m <= 0 || n <= 0, [=](Places p) {
        const T by = a.at(p);
        T* const to = reinterpret_cast<T*>(p[matrix]);
        for (int j = 0; j < n; ++j) {
            const T scale = by * mirrored(conjugated, right.at(p)[j]);
            for (int i = 0; i < m; ++i)
                to[std::size_t(i) + std::size_t(j) * std::size_t(lda)] += left.at(p)[i] * scale;
        }
    });
}

// By a matrix that is symmetric, or Hermitian, and of which one half is stored.
template <class T>
int symmetricByVector(Call c, bool hermitian, const Layout& l, const T* alpha, const T* A, const T* x, int incx,
                      const T* beta, T* y, int incy) {
    const auto a = c.scalar(alpha), b = c.scalar(beta);
    const auto matrix = stored(c, A, l, Use::Reads);
    const auto in = c.vector(x, l.rows, incx, Use::Reads), out = c.vector(y, l.rows, incy, useOfResult(b));
    return c.give(l.rows <= 0, [=](Places p) {
        std::vector<T> sum(std::size_t(l.rows), T(0));
        for (int j = 0; j < l.columns; ++j)
            for (int i = l.first(j); i < l.end(j); ++i) {
                const T v = matrix.at(p, i, j);
                if (i == j) {
                    sum[std::size_t(i)] += (hermitian ? T(std::real(v)) : v) * in.at(p)[j];
                    continue;
                }
                sum[std::size_t(i)] += v * in.at(p)[j];
                sum[std::size_t(j)] += mirrored(hermitian, v) * in.at(p)[i];
            }
        const T by = a.at(p), old = b.at(p);
        for (int i = 0; i < l.rows; ++i)
            out.at(p)[i] = by * sum[std::size_t(i)] + timesUnlessZero(old, out.at(p)[i]);
    });
}

template <class T>
int triangleByVector(Call c, bool solves, const Layout& l, Op op, Diag diag, const T* A, T* x, int incx) {
    const auto matrix = stored(c, A, l, Use::Reads);
    const auto v = c.vector(x, l.rows, incx, Use::Updates);
    return c.give(l.rows <= 0, [=](Places p) {
        const auto of = [&](int i, int j) {
            return i == j && diag == Diag::Unit ? T(1) : mirrored(op == Op::Adjoint, matrix.at(p, i, j));
        };
        const auto in = v.at(p);
        const int n = l.rows;
        const bool upwards = (l.above > 0) == (op == Op::None); // the last element is known first
        if (!solves) {
            std::vector<T> sum(std::size_t(n), T(0));
            for (int j = 0; j < n; ++j)
                for (int i = l.first(j); i < l.end(j); ++i)
                    sum[std::size_t(op == Op::None ? i : j)] += of(i, j) * in[op == Op::None ? j : i];
            for (int k = 0; k < n; ++k)
                in[k] = sum[std::size_t(k)];
            return;
        }
        for (int k = 0; k < n; ++k) {
            const int j = upwards ? n - 1 - k : k;
            if (op == Op::None) { // a column at a time
                in[j] /= of(j, j);
                for (int i = l.first(j); i < l.end(j); ++i)
                    if (i != j)
                        in[i] -= of(i, j) * in[j];
                continue;
            }
            T sum = in[j];
            for (int i = l.first(j); i < l.end(j); ++i)
                if (i != j)
                    sum -= of(i, j) * in[i];
            in[j] = sum / of(j, j);
        }
    });
}

// A += alpha x y^T, of one half; with both, alpha x y^T + alpha y x^T. Hermitian: the adjoint of what stands behind.
template <class T, class S>
int addVectors(Call c, bool hermitian, const Layout& l, const S* alpha, const T* x, int incx, const T* y, int incy,
               T* A) {
    const auto a = c.scalar(alpha);
    const bool two = y != nullptr;
    const auto one = c.vector(x, l.rows, incx, Use::Reads);
    const auto other = two ? c.vector(y, l.rows, incy, Use::Reads) : one;
    const auto matrix = stored(c, A, l, Use::Updates);
    return c.give(l.rows <= 0, [=](Places p) {
        const T by(a.at(p));
        const auto u = one.at(p), v = other.at(p);
        for (int j = 0; j < l.columns; ++j)
            for (int i = l.first(j); i < l.end(j); ++i) {
                T& to = matrix.at(p, i, j);
                to += by * u[i] * mirrored(hermitian, v[j]);
                if (two)
                    to += mirrored(hermitian, by) * v[i] * mirrored(hermitian, u[j]);
                if (hermitian && i == j)
                    to = T(std::real(to));
            }
    });
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): what stands there are types and parts of names
#define WG_BY_VECTORS(L, T)                                                                                            \
    WG_API int cublas##L##gemv_v2(void* h, Op op, int m, int n, const T* alpha, const T* A, int lda, const T* x,       \
                                  int incx, const T* beta, T* y, int incy) {                                           \
        return gemv<T>({h, __func__}, op, m, n, alpha, A, lda, x, incx, beta, y, incy);                                \
    }                                                                                                                  \
    WG_API int cublas##L##gbmv_v2(void* h, Op op, int m, int n, int kl, int ku, const T* alpha, const T* A, int lda,   \
                                  const T* x, int incx, const T* beta, T* y, int incy) {                               \
        return gbmv<T>({h, __func__}, op, m, n, kl, ku, alpha, A, lda, x, incx, beta, y, incy);                        \
    }                                                                                                                  \
    WG_TRIANGLE_BY_VECTOR(L, T, sv, true) WG_TRIANGLE_BY_VECTOR(L, T, mv, false)
#define WG_TRIANGLE_BY_VECTOR(L, T, NAME, SOLVES)                                                                      \
    WG_API int cublas##L##tr##NAME##_v2(void* h, Fill fill, Op op, Diag diag, int n, const T* A, int lda, T* x,        \
                                        int incx) {                                                                    \
        return triangleByVector<T>({h, __func__}, SOLVES, triangle(fill, n, lda), op, diag, A, x, incx);               \
    }                                                                                                                  \
    WG_API int cublas##L##tp##NAME##_v2(void* h, Fill fill, Op op, Diag diag, int n, const T* A, T* x, int incx) {     \
        return triangleByVector<T>({h, __func__}, SOLVES, packedTriangle(fill, n), op, diag, A, x, incx);              \
    }                                                                                                                  \
    WG_API int cublas##L##tb##NAME##_v2(void* h, Fill fill, Op op, Diag diag, int n, int k, const T* A, int lda, T* x, \
                                        int incx) {                                                                    \
        return triangleByVector<T>({h, __func__}, SOLVES, bandTriangle(fill, n, k, lda), op, diag, A, x, incx);        \
    }
WG_BY_VECTORS(S, float)
WG_BY_VECTORS(D, double)
WG_BY_VECTORS(C, Complex)
WG_BY_VECTORS(Z, DoubleComplex)

#define WG_SYMMETRIC_BY_VECTOR(NAME, T, HERMITIAN)                                                                     \
    WG_API int cublas##NAME##mv_v2(void* h, Fill fill, int n, const T* alpha, const T* A, int lda, const T* x,         \
                                   int incx, const T* beta, T* y, int incy) {                                          \
        return symmetricByVector<T>({h, __func__}, HERMITIAN, triangle(fill, n, lda), alpha, A, x, incx, beta, y,      \
                                    incy);                                                                             \
    }
WG_SYMMETRIC_BY_VECTOR(Ssy, float, false)
WG_SYMMETRIC_BY_VECTOR(Dsy, double, false)
WG_SYMMETRIC_BY_VECTOR(Csy, Complex, false)
WG_SYMMETRIC_BY_VECTOR(Zsy, DoubleComplex, false)
WG_SYMMETRIC_BY_VECTOR(Che, Complex, true)
WG_SYMMETRIC_BY_VECTOR(Zhe, DoubleComplex, true)

#define WG_PART_BY_VECTOR(BAND, PACKED, T, HERMITIAN)                                                                  \
    WG_API int cublas##BAND##mv_v2(void* h, Fill fill, int n, int k, const T* alpha, const T* A, int lda, const T* x,  \
                                   int incx, const T* beta, T* y, int incy) {                                          \
        return symmetricByVector<T>({h, __func__}, HERMITIAN, bandTriangle(fill, n, k, lda), alpha, A, x, incx, beta,  \
                                    y, incy);                                                                          \
    }                                                                                                                  \
    WG_API int cublas##PACKED##mv_v2(void* h, Fill fill, int n, const T* alpha, const T* A, const T* x, int incx,      \
                                     const T* beta, T* y, int incy) {                                                  \
        return symmetricByVector<T>({h, __func__}, HERMITIAN, packedTriangle(fill, n), alpha, A, x, incx, beta, y,     \
                                    incy);                                                                             \
    }
WG_PART_BY_VECTOR(Ssb, Ssp, float, false)
WG_PART_BY_VECTOR(Dsb, Dsp, double, false)
WG_PART_BY_VECTOR(Chb, Chp, Complex, true)
WG_PART_BY_VECTOR(Zhb, Zhp, DoubleComplex, true)

#define WG_GER(NAME, T, CONJUGATED)                                                                                    \
    WG_API int cublas##NAME##_v2(void* h, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy,    \
                                 T* A, int lda) {                                                                      \
        return ger<T>({h, __func__}, CONJUGATED, m, n, alpha, x, incx, y, incy, A, lda);                               \
    }
WG_GER(Sger, float, false)
WG_GER(Dger, double, false)
WG_GER(Cgeru, Complex, false)
WG_GER(Cgerc, Complex, true)
WG_GER(Zgeru, DoubleComplex, false)
WG_GER(Zgerc, DoubleComplex, true)

#define WG_VECTORS_ADDED(NAME, T, S, HERMITIAN)                                                                        \
    WG_API int cublas##NAME##_v2(void* h, Fill fill, int n, const S* alpha, const T* x, int incx, T* A, int lda) {     \
        return addVectors<T, S>({h, __func__}, HERMITIAN, triangle(fill, n, lda), alpha, x, incx, nullptr, 1, A);      \
    }                                                                                                                  \
    WG_API int cublas##NAME##2_v2(void* h, Fill fill, int n, const T* alpha, const T* x, int incx, const T* y,         \
                                  int incy, T* A, int lda) {                                                           \
        return addVectors<T, T>({h, __func__}, HERMITIAN, triangle(fill, n, lda), alpha, x, incx, y, incy, A);         \
    }
WG_VECTORS_ADDED(Ssyr, float, float, false)
WG_VECTORS_ADDED(Dsyr, double, double, false)
WG_VECTORS_ADDED(Csyr, Complex, Complex, false)
WG_VECTORS_ADDED(Zsyr, DoubleComplex, DoubleComplex, false)
WG_VECTORS_ADDED(Cher, Complex, float, true)
WG_VECTORS_ADDED(Zher, DoubleComplex, double, true)

#define WG_VECTORS_ADDED_PACKED(NAME, T, S, HERMITIAN)                                                                 \
    WG_API int cublas##NAME##_v2(void* h, Fill fill, int n, const S* alpha, const T* x, int incx, T* A) {              \
        return addVectors<T, S>({h, __func__}, HERMITIAN, packedTriangle(fill, n), alpha, x, incx, nullptr, 1, A);     \
    }                                                                                                                  \
    WG_API int cublas##NAME##2_v2(void* h, Fill fill, int n, const T* alpha, const T* x, int incx, const T* y,         \
                                  int incy, T* A) {                                                                    \
        return addVectors<T, T>({h, __func__}, HERMITIAN, packedTriangle(fill, n), alpha, x, incx, y, incy, A);        \
    }
// NOLINTEND(bugprone-macro-parentheses)
WG_VECTORS_ADDED_PACKED(Sspr, float, float, false)
WG_VECTORS_ADDED_PACKED(Dspr, double, double, false)
WG_VECTORS_ADDED_PACKED(Chpr, Complex, float, true)
WG_VECTORS_ADDED_PACKED(Zhpr, DoubleComplex, double, true)
