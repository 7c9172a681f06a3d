// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, levels 2 and 3 but for products of whole matrices: a matrix by a vector, triangles, symmetric matrices, sums.
#include "gpu/virtual/libraries/blas.h"

#include <vector>

using namespace warpglass::virtual_device;
using namespace warpglass::virtual_device::blas;

namespace {

using Use = Call::Use;

std::size_t at(int i, int j, int leading) {
    return std::size_t(i) + std::size_t(j) * std::size_t(leading);
}
template <class T>
T* from(Places m, std::size_t place) {
    return reinterpret_cast<T*>(m[place]);
}
template <class S>
Use useBy(const S& beta) { // of what is multiplied by it
    return beta.isKnown() && !beta.isZero() ? Use::Updates : Use::Writes;
}
template <class T>
T scaled(T by, T value) {
    return by == T(0) ? T(0) : by * value;
}

template <class T>
int gemv(Call c, Op op, int m, int n, const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta, T* y,
         int incy) {
    const auto a = c.scalar(alpha), b = c.scalar(beta);
    const bool isNothing = m <= 0 || n <= 0;
    const int rows = op == Op::None ? m : n, columns = op == Op::None ? n : m;
    const auto matrix = c.matrix(A, m, n, lda, Use::Reads);
    const auto in = c.vector(x, columns, incx, Use::Reads), out = c.vector(y, rows, incy, useBy(b));
    return c.give(isNothing, [=](Places p) {
        std::vector<T> column(std::size_t(columns), T(0)), sum(std::size_t(rows), T(0));
        for (int k = 0; k < columns; ++k)
            column[std::size_t(k)] = in.at(p)[k];
        multiply<T>(op, Op::None, rows, 1, columns, a.at(p), from<T>(p, matrix), lda, column.data(),
                    std::max(1, columns), T(0), sum.data(), std::max(1, rows));
        const T by = b.at(p);
        for (int k = 0; k < rows; ++k)
            out.at(p)[k] = sum[std::size_t(k)] + scaled(by, out.at(p)[k]);
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
        for (int j = 0; j < n; ++j) {
            const T v = right.at(p)[j], scale = by * (conjugated ? conjugate(v) : v);
            for (int i = 0; i < m; ++i)
                from<T>(p, matrix)[at(i, j, lda)] += left.at(p)[i] * scale;
        }
    });
}

// The whole of a matrix of which one triangle is stored.
template <class T>
std::vector<T> wholeOf(const T* A, int n, int lda, Fill fill) {
    std::vector<T> whole(std::size_t(n) * std::size_t(n));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const bool stored = fill == Fill::Lower ? i >= j : i <= j;
            whole[at(i, j, n)] = stored ? A[at(i, j, lda)] : A[at(j, i, lda)];
        }
    return whole;
}
// op of a triangle as it stands, zeros in its other half.
template <class T>
std::vector<T> triangleOf(const T* A, int n, int lda, Fill fill, Op op, Diag diag) {
    std::vector<T> whole(std::size_t(n) * std::size_t(n), T(0));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            if (fill == Fill::Lower ? i >= j : i <= j) {
                const T v = i == j && diag == Diag::Unit ? T(1) : A[at(i, j, lda)];
                whole[op == Op::None ? at(i, j, n) : at(j, i, n)] = op == Op::Adjoint ? conjugate(v) : v;
            }
    return whole;
}
bool isLower(Fill fill, Op op) {
    return (fill == Fill::Lower) == (op == Op::None);
}
// Of a triangle without gaps: x becomes that by which it gives x.
template <class T>
void solve(const std::vector<T>& triangle, int n, bool lower, T* x, std::size_t step) {
    for (int k = 0; k < n; ++k) {
        const int i = lower ? k : n - 1 - k;
        T sum = x[std::size_t(i) * step];
        for (int j = lower ? 0 : i + 1; j < (lower ? i : n); ++j)
            sum -= triangle[at(i, j, n)] * x[std::size_t(j) * step];
        x[std::size_t(i) * step] = sum / triangle[at(i, i, n)];
    }
}

template <class T>
int symv(Call c, Fill fill, int n, const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta, T* y,
         int incy) {
    const auto a = c.scalar(alpha), b = c.scalar(beta);
    const auto matrix = c.matrix(A, n, n, lda, Use::Reads);
    const auto in = c.vector(x, n, incx, Use::Reads), out = c.vector(y, n, incy, useBy(b));
    return c.give(n <= 0, [=](Places p) {
        const std::vector<T> whole = wholeOf(from<T>(p, matrix), n, lda, fill);
        const T by = a.at(p), old = b.at(p);
        for (int i = 0; i < n; ++i) {
            T sum = 0;
            for (int j = 0; j < n; ++j)
                sum += whole[at(i, j, n)] * in.at(p)[j];
            out.at(p)[i] = by * sum + scaled(old, out.at(p)[i]);
        }
    });
}

template <class T>
int triangleByVector(Call c, bool solves, Fill fill, Op op, Diag diag, int n, const T* A, int lda, T* x, int incx) {
    const auto matrix = c.matrix(A, n, n, lda, Use::Reads);
    const auto v = c.vector(x, n, incx, Use::Updates);
    return c.give(n <= 0, [=](Places p) {
        const std::vector<T> triangle = triangleOf(from<T>(p, matrix), n, lda, fill, op, diag);
        std::vector<T> in(std::size_t(n), T(0));
        for (int i = 0; i < n; ++i)
            in[std::size_t(i)] = v.at(p)[i];
        if (solves)
            solve(triangle, n, isLower(fill, op), in.data(), 1);
        for (int i = 0; i < n; ++i) {
            T sum = solves ? in[std::size_t(i)] : T(0);
            for (int j = 0; j < n && !solves; ++j)
                sum += triangle[at(i, j, n)] * in[std::size_t(j)];
            v.at(p)[i] = sum;
        }
    });
}

template <class T>
int symm(Call c, Side side, Fill fill, int m, int n, const T* alpha, const T* A, int lda, const T* B, int ldb,
         const T* beta, T* C, int ldc) {
    const auto a = c.scalar(alpha), b = c.scalar(beta);
    const int k = side == Side::Left ? m : n;
    const auto one = c.matrix(A, k, k, lda, Use::Reads), other = c.matrix(B, m, n, ldb, Use::Reads),
               to = c.matrix(C, m, n, ldc, useBy(b));
    return c.give(m <= 0 || n <= 0, [=](Places p) {
        const std::vector<T> whole = wholeOf(from<T>(p, one), k, lda, fill);
        const T* const given = from<T>(p, other);
        const bool left = side == Side::Left;
        multiply<T>(Op::None, Op::None, m, n, k, a.at(p), left ? whole.data() : given, left ? k : ldb,
                    left ? given : whole.data(), left ? ldb : k, b.at(p), from<T>(p, to), ldc);
    });
}

template <class T>
int syrk(Call c, Fill fill, Op op, int n, int k, const T* alpha, const T* A, int lda, const T* beta, T* C, int ldc) {
    const auto a = c.scalar(alpha), b = c.scalar(beta);
    const auto matrix = op == Op::None ? c.matrix(A, n, k, lda, Use::Reads) : c.matrix(A, k, n, lda, Use::Reads);
    const auto to = c.matrix(C, n, n, ldc, useBy(b));
    return c.give(n <= 0, [=](Places p) {
        std::vector<T> whole(std::size_t(n) * std::size_t(n));
        const T* const of = from<T>(p, matrix);
        multiply<T>(op, op == Op::None ? Op::Transposed : Op::None, n, n, k, a.at(p), of, lda, of, lda, T(0),
                    whole.data(), n);
        const T by = b.at(p);
        for (int j = 0; j < n; ++j)
            for (int i = fill == Fill::Lower ? j : 0; i < (fill == Fill::Lower ? n : j + 1); ++i) {
                T& v = from<T>(p, to)[at(i, j, ldc)];
                v = whole[at(i, j, n)] + scaled(by, v);
            }
    });
}

template <class T>
int trsm(Call c, Side side, Fill fill, Op op, Diag diag, int m, int n, const T* alpha, const T* A, int lda, T* B,
         int ldb) {
    const auto a = c.scalar(alpha);
    const int k = side == Side::Left ? m : n;
    const auto matrix = c.matrix(A, k, k, lda, Use::Reads), to = c.matrix(B, m, n, ldb, Use::Updates);
    return c.give(m <= 0 || n <= 0, [=](Places p) {
        T* const x = from<T>(p, to);
        const T by = a.at(p);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
                x[at(i, j, ldb)] = scaled(by, x[at(i, j, ldb)]);
        std::vector<T> triangle = triangleOf(from<T>(p, matrix), k, lda, fill, op, diag);
        if (side == Side::Left) {
            for (int j = 0; j < n; ++j)
                solve(triangle, k, isLower(fill, op), x + at(0, j, ldb), 1);
            return;
        }
        // X op(A) = B by rows: op(A)^T takes each row of X to that of B.
        for (int j = 0; j < k; ++j)
            for (int i = 0; i < j; ++i)
                std::swap(triangle[at(i, j, k)], triangle[at(j, i, k)]);
        for (int i = 0; i < m; ++i)
            solve(triangle, k, !isLower(fill, op), x + i, std::size_t(ldb));
    });
}

template <class T>
int trmm(Call c, Side side, Fill fill, Op op, Diag diag, int m, int n, const T* alpha, const T* A, int lda, const T* B,
         int ldb, T* C, int ldc) {
    const auto a = c.scalar(alpha);
    const int k = side == Side::Left ? m : n;
    const auto matrix = c.matrix(A, k, k, lda, Use::Reads), of = c.matrix(B, m, n, ldb, Use::Reads),
               to = c.matrix(C, m, n, ldc, Use::Writes);
    return c.give(m <= 0 || n <= 0, [=](Places p) {
        const std::vector<T> triangle = triangleOf(from<T>(p, matrix), k, lda, fill, op, diag);
        std::vector<T> made(std::size_t(m) * std::size_t(n)); // C may be B
        const T* const given = from<T>(p, of);
        const bool left = side == Side::Left;
        multiply<T>(Op::None, Op::None, m, n, k, a.at(p), left ? triangle.data() : given, left ? k : ldb,
                    left ? given : triangle.data(), left ? ldb : k, T(0), made.data(), m);
        for (int j = 0; j < n; ++j)
            std::copy_n(made.data() + at(0, j, m), m, from<T>(p, to) + at(0, j, ldc));
    });
}

// C = alpha op(A) + beta op(B); C may be A or B where that is as it stands.
template <class T>
int geam(Call c, Op opA, Op opB, int m, int n, const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb,
         T* C, int ldc) {
    const auto a = c.scalar(alpha), b = c.scalar(beta);
    const auto operand = [&](const Scalar<T>& by, Op op, const T* M, int leading) {
        if (by.isZero()) // its pointer may be null
            return ~std::size_t(0);
        return op == Op::None ? c.matrix(M, m, n, leading, Use::Reads) : c.matrix(M, n, m, leading, Use::Reads);
    };
    const auto one = operand(a, opA, A, lda), other = operand(b, opB, B, ldb);
    const auto to = c.matrix(C, m, n, ldc, Use::Writes);
    return c.give(m <= 0 || n <= 0, [=](Places p) {
        const auto term = [&](const Scalar<T>& by, Op op, std::size_t place, int leading, int i, int j) {
            if (by.isZero())
                return T(0);
            const T v = from<T>(p, place)[op == Op::None ? at(i, j, leading) : at(j, i, leading)];
            return scaled(by.at(p), op == Op::Adjoint ? conjugate(v) : v);
        };
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
                from<T>(p, to)[at(i, j, ldc)] = term(a, opA, one, lda, i, j) + term(b, opB, other, ldb, i, j);
    });
}

template <class T>
int dgmm(Call c, Side side, int m, int n, const T* A, int lda, const T* x, int incx, T* C, int ldc) {
    const auto matrix = c.matrix(A, m, n, lda, Use::Reads);
    const auto v = c.vector(x, side == Side::Left ? m : n, incx, Use::Reads);
    const auto to = c.matrix(C, m, n, ldc, Use::Writes);
    return c.give(m <= 0 || n <= 0, [=](Places p) {
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
                from<T>(p, to)[at(i, j, ldc)] = from<T>(p, matrix)[at(i, j, lda)] * v.at(p)[side == Side::Left ? i : j];
    });
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): what stands there are types and parts of names
#define WG_OF_MATRICES(L, T)                                                                                           \
    WG_API int cublas##L##gemv_v2(void* h, Op op, int m, int n, const T* alpha, const T* A, int lda, const T* x,       \
                                  int incx, const T* beta, T* y, int incy) {                                           \
        return gemv<T>({h, __func__}, op, m, n, alpha, A, lda, x, incx, beta, y, incy);                                \
    }                                                                                                                  \
    WG_API int cublas##L##symv_v2(void* h, Fill fill, int n, const T* alpha, const T* A, int lda, const T* x,          \
                                  int incx, const T* beta, T* y, int incy) {                                           \
        return symv<T>({h, __func__}, fill, n, alpha, A, lda, x, incx, beta, y, incy);                                 \
    }                                                                                                                  \
    WG_API int cublas##L##trsv_v2(void* h, Fill fill, Op op, Diag diag, int n, const T* A, int lda, T* x, int incx) {  \
        return triangleByVector<T>({h, __func__}, true, fill, op, diag, n, A, lda, x, incx);                           \
    }                                                                                                                  \
    WG_API int cublas##L##trmv_v2(void* h, Fill fill, Op op, Diag diag, int n, const T* A, int lda, T* x, int incx) {  \
        return triangleByVector<T>({h, __func__}, false, fill, op, diag, n, A, lda, x, incx);                          \
    }                                                                                                                  \
    WG_API int cublas##L##symm_v2(void* h, Side side, Fill fill, int m, int n, const T* alpha, const T* A, int lda,    \
                                  const T* B, int ldb, const T* beta, T* C, int ldc) {                                 \
        return symm<T>({h, __func__}, side, fill, m, n, alpha, A, lda, B, ldb, beta, C, ldc);                          \
    }                                                                                                                  \
    WG_API int cublas##L##syrk_v2(void* h, Fill fill, Op op, int n, int k, const T* alpha, const T* A, int lda,        \
                                  const T* beta, T* C, int ldc) {                                                      \
        return syrk<T>({h, __func__}, fill, op, n, k, alpha, A, lda, beta, C, ldc);                                    \
    }                                                                                                                  \
    WG_API int cublas##L##trsm_v2(void* h, Side side, Fill fill, Op op, Diag diag, int m, int n, const T* alpha,       \
                                  const T* A, int lda, T* B, int ldb) {                                                \
        return trsm<T>({h, __func__}, side, fill, op, diag, m, n, alpha, A, lda, B, ldb);                              \
    }                                                                                                                  \
    WG_API int cublas##L##trmm_v2(void* h, Side side, Fill fill, Op op, Diag diag, int m, int n, const T* alpha,       \
                                  const T* A, int lda, const T* B, int ldb, T* C, int ldc) {                           \
        return trmm<T>({h, __func__}, side, fill, op, diag, m, n, alpha, A, lda, B, ldb, C, ldc);                      \
    }                                                                                                                  \
    WG_API int cublas##L##geam(void* h, Op a, Op b, int m, int n, const T* alpha, const T* A, int lda, const T* beta,  \
                               const T* B, int ldb, T* C, int ldc) {                                                   \
        return geam<T>({h, __func__}, a, b, m, n, alpha, A, lda, beta, B, ldb, C, ldc);                                \
    }                                                                                                                  \
    WG_API int cublas##L##dgmm(void* h, Side side, int m, int n, const T* A, int lda, const T* x, int incx, T* C,      \
                               int ldc) {                                                                              \
        return dgmm<T>({h, __func__}, side, m, n, A, lda, x, incx, C, ldc);                                            \
    }
WG_OF_MATRICES(S, float)
WG_OF_MATRICES(D, double)
WG_OF_MATRICES(C, Complex)
WG_OF_MATRICES(Z, DoubleComplex)

#define WG_GER(NAME, T, CONJUGATED)                                                                                    \
    WG_API int cublas##NAME##_v2(void* h, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy,    \
                                 T* A, int lda) {                                                                      \
        return ger<T>({h, __func__}, CONJUGATED, m, n, alpha, x, incx, y, incy, A, lda);                               \
    }
// NOLINTEND(bugprone-macro-parentheses)
WG_GER(Sger, float, false)
WG_GER(Dger, double, false)
WG_GER(Cgeru, Complex, false)
WG_GER(Cgerc, Complex, true)
WG_GER(Zgeru, DoubleComplex, false)
WG_GER(Zgerc, DoubleComplex, true)
