// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, level 3 but for products of whole matrices: triangles, symmetric and Hermitian matrices; sums, scales and other storage.
#include "gpu/virtual/libraries/blas_stored.h"
#include "gpu/virtual/libraries/blas_types.h"

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

// The whole of a matrix of which one triangle is stored.
template <class T>
std::vector<T> wholeOf(const Stored<T>& A, Places p, bool hermitian) {
    const int n = A.layout.rows;
    std::vector<T> whole(std::size_t(n) * std::size_t(n));
    for (int j = 0; j < n; ++j)
        for (int i = A.layout.first(j); i < A.layout.end(j); ++i) {
            const T v = A.at(p, i, j);
            whole[at(j, i, n)] = hermitian ? conjugate(v) : v;
            whole[at(i, j, n)] = hermitian && i == j ? T(std::real(v)) : v;
        }
    return whole;
}
// op of a triangle as it stands, zeros in its other half.
template <class T>
std::vector<T> triangleOf(const Stored<T>& A, Places p, Op op, Diag diag) {
    const int n = A.layout.rows;
    std::vector<T> whole(std::size_t(n) * std::size_t(n), T(0));
    for (int j = 0; j < n; ++j)
        for (int i = A.layout.first(j); i < A.layout.end(j); ++i) {
            const T v = i == j && diag == Diag::Unit ? T(1) : A.at(p, i, j);
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
int symm(Call c, bool hermitian, Side side, Fill fill, int m, int n, const T* alpha, const T* A, int lda, const T* B,
         int ldb, const T* beta, T* C, int ldc) {
    const auto a = c.scalar(alpha), b = c.scalar(beta);
    const int k = side == Side::Left ? m : n;
    const auto one = stored(c, A, triangle(fill, k, lda), Use::Reads);
    const auto other = c.matrix(B, m, n, ldb, Use::Reads), to = c.matrix(C, m, n, ldc, useBy(b));
    return c.give(m <= 0 || n <= 0, [=](Places p) {
        const std::vector<T> whole = wholeOf(one, p, hermitian);
        const T* const given = from<T>(p, other);
        const bool left = side == Side::Left;
        multiply<T>(Op::None, Op::None, m, n, k, a.at(p), left ? whole.data() : given, left ? k : ldb,
                    left ? given : whole.data(), left ? ldb : k, b.at(p), from<T>(p, to), ldc);
    });
}

// One half of C: alpha op(A) op(B)^T + beta C, the adjoint where it is Hermitian. Of a single matrix B is A. Both: alpha op(B) op(A)^T
// is added, with the conjugate of alpha where it is Hermitian.
template <class T>
struct RankK {
    bool hermitian = false, both = false;
    Fill fill{};
    Op op{};
    int n = 0, k = 0;
    const T* A = nullptr;
    int lda = 1;
    const T* B = nullptr; // null: A
    int ldb = 1;
    T* C = nullptr;
    int ldc = 1;
};
template <class T, class SA, class SB>
int rankK(Call c, const RankK<T>& r, const SA* alpha, const SB* beta) {
    const auto a = c.scalar(alpha);
    const auto b = c.scalar(beta);
    const int rows = r.op == Op::None ? r.n : r.k, columns = r.op == Op::None ? r.k : r.n;
    c.needs(r.n >= 0 && r.k >= 0);
    constexpr auto nowhere = ~std::size_t(0);
    const auto operand = [&](const T* at, int leading) {
        return r.k > 0 && at ? c.matrix(at, rows, columns, leading, Use::Reads) : nowhere;
    };
    const std::size_t one = operand(r.A, r.lda), other = r.B ? operand(r.B, r.ldb) : one;
    const auto to = stored(c, r.C, triangle(r.fill, r.n, r.ldc), useBy(b));
    return c.give(r.n <= 0, [=](Places p) {
        const int n = r.n;
        std::vector<T> whole(std::size_t(n) * std::size_t(n), T(0));
        const Op behind = r.op != Op::None ? Op::None : r.hermitian ? Op::Adjoint : Op::Transposed;
        const auto add = [&](T by, std::size_t x, int ldx, std::size_t y, int ldy, T old) {
            if (r.k > 0)
                multiply<T>(r.op, behind, n, n, r.k, by, from<const T>(p, x), ldx, from<const T>(p, y), ldy, old,
                            whole.data(), n);
        };
        const int ldb = r.B ? r.ldb : r.lda;
        const T by(a.at(p)), old(b.at(p));
        add(by, one, r.lda, other, ldb, T(0));
        if (r.both)
            add(r.hermitian ? conjugate(by) : by, other, ldb, one, r.lda, T(1));
        for (int j = 0; j < n; ++j)
            for (int i = to.layout.first(j); i < to.layout.end(j); ++i) {
                T& v = to.at(p, i, j);
                v = whole[at(i, j, n)] + scaled(old, v);
                if (r.hermitian && i == j)
                    v = T(std::real(v));
            }
    });
}

template <class T>
struct TriangleSystem {
    Side side{};
    Fill fill{};
    Op op{};
    Diag diag{};
    int m = 0, n = 0, lda = 1, ldb = 1;
};
template <class T>
void solve(const TriangleSystem<T>& s, std::vector<T> triangle, T by, T* x) {
    for (int j = 0; j < s.n; ++j)
        for (int i = 0; i < s.m; ++i)
            x[at(i, j, s.ldb)] = scaled(by, x[at(i, j, s.ldb)]);
    const bool lower = isLower(s.fill, s.op);
    if (s.side == Side::Left) {
        for (int j = 0; j < s.n; ++j)
            solve(triangle, s.m, lower, x + at(0, j, s.ldb), 1);
        return;
    }
    // X op(A) = B by rows: op(A)^T takes each row of X to that of B.
    for (int j = 0; j < s.n; ++j)
        for (int i = 0; i < j; ++i)
            std::swap(triangle[at(i, j, s.n)], triangle[at(j, i, s.n)]);
    for (int i = 0; i < s.m; ++i)
        solve(triangle, s.n, !lower, x + i, std::size_t(s.ldb));
}
// Of one pair of matrices, or of as many as stand in two lists.
template <class T>
int trsm(Call c, const TriangleSystem<T>& s, const T* alpha, const std::vector<const void*>& As,
         const std::vector<const void*>& Bs) {
    const auto a = c.scalar(alpha);
    const int k = s.side == Side::Left ? s.m : s.n;
    std::vector<std::pair<Stored<T>, std::size_t>> all;
    const bool isNothing = s.m <= 0 || s.n <= 0 || As.empty();
    for (std::size_t n = 0; !isNothing && n < As.size(); ++n)
        all.emplace_back(stored(c, static_cast<const T*>(As[n]), triangle(s.fill, k, s.lda), Use::Reads),
                         c.matrix(static_cast<const T*>(Bs[n]), s.m, s.n, s.ldb, Use::Updates));
    return c.give(isNothing, [=](Places p) {
        for (const auto& [triangle, to] : all)
            solve(s, triangleOf(triangle, p, s.op, s.diag), a.at(p), from<T>(p, to));
    });
}
template <class T>
int trsmBatched(Call c, const TriangleSystem<T>& s, const T* alpha, const void* A, const void* B, int count) {
    if (!c.needs(count >= 0) || !c.handle())
        return c.failed();
    const auto As = c.listed(A, count), Bs = c.listed(B, count);
    return trsm<T>(std::move(c), s, alpha, As, Bs);
}

template <class T>
int trmm(Call c, Side side, Fill fill, Op op, Diag diag, int m, int n, const T* alpha, const T* A, int lda, const T* B,
         int ldb, T* C, int ldc) {
    const auto a = c.scalar(alpha);
    const int k = side == Side::Left ? m : n;
    const auto matrix = stored(c, A, triangle(fill, k, lda), Use::Reads);
    const auto of = c.matrix(B, m, n, ldb, Use::Reads), to = c.matrix(C, m, n, ldc, Use::Writes);
    return c.give(m <= 0 || n <= 0, [=](Places p) {
        const std::vector<T> triangle = triangleOf(matrix, p, op, diag);
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

// A triangle from one storage to the other.
template <class T>
int repack(Call c, const Layout& is, const T* A, const Layout& wanted, T* to) {
    const auto old = stored(c, A, is, Use::Reads), made = stored(c, to, wanted, Use::Writes);
    return c.give(is.rows <= 0, [=](Places p) {
        for (int j = 0; j < is.columns; ++j)
            for (int i = is.first(j); i < is.end(j); ++i)
                made.at(p, i, j) = old.at(p, i, j);
    });
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): what stands there are types and parts of names
#define WG_OF_MATRICES(L, T)                                                                                           \
    WG_API int cublas##L##trsm_v2(void* h, Side side, Fill fill, Op op, Diag diag, int m, int n, const T* alpha,       \
                                  const T* A, int lda, T* B, int ldb) {                                                \
        return trsm<T>({h, __func__}, {side, fill, op, diag, m, n, lda, ldb}, alpha, {A}, {B});                        \
    }                                                                                                                  \
    WG_API int cublas##L##trsmBatched(void* h, Side side, Fill fill, Op op, Diag diag, int m, int n, const T* alpha,   \
                                      const T* const* A, int lda, T* const* B, int ldb, int count) {                   \
        return trsmBatched<T>({h, __func__}, {side, fill, op, diag, m, n, lda, ldb}, alpha, A, B, count);              \
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
    }                                                                                                                  \
    WG_API int cublas##L##tpttr(void* h, Fill fill, int n, const T* AP, T* A, int lda) {                               \
        return repack<T>({h, __func__}, packedTriangle(fill, n), AP, triangle(fill, n, lda), A);                       \
    }                                                                                                                  \
    WG_API int cublas##L##trttp(void* h, Fill fill, int n, const T* A, int lda, T* AP) {                               \
        return repack<T>({h, __func__}, triangle(fill, n, lda), A, packedTriangle(fill, n), AP);                       \
    }                                                                                                                  \
    WG_MIRRORED(L##symm, L##syrk, L##syr2k, L##syrkx, T, T, T, false)
// SA and SB: in which a single matrix has its scales, and all others theirs of C.
#define WG_MIRRORED(SYMM, SYRK, SYR2K, SYRKX, T, SA, SB, HERMITIAN)                                                    \
    WG_API int cublas##SYMM##_v2(void* h, Side side, Fill fill, int m, int n, const T* alpha, const T* A, int lda,     \
                                 const T* B, int ldb, const T* beta, T* C, int ldc) {                                  \
        return symm<T>({h, __func__}, HERMITIAN, side, fill, m, n, alpha, A, lda, B, ldb, beta, C, ldc);               \
    }                                                                                                                  \
    WG_API int cublas##SYRK##_v2(void* h, Fill fill, Op op, int n, int k, const SA* alpha, const T* A, int lda,        \
                                 const SB* beta, T* C, int ldc) {                                                      \
        return rankK<T>({h, __func__}, {HERMITIAN, false, fill, op, n, k, A, lda, nullptr, 1, C, ldc}, alpha, beta);   \
    }                                                                                                                  \
    WG_API int cublas##SYR2K##_v2(void* h, Fill fill, Op op, int n, int k, const T* alpha, const T* A, int lda,        \
                                  const T* B, int ldb, const SB* beta, T* C, int ldc) {                                \
        return rankK<T>({h, __func__}, {HERMITIAN, true, fill, op, n, k, A, lda, B, ldb, C, ldc}, alpha, beta);        \
    }                                                                                                                  \
    WG_API int cublas##SYRKX(void* h, Fill fill, Op op, int n, int k, const T* alpha, const T* A, int lda, const T* B, \
                             int ldb, const SB* beta, T* C, int ldc) {                                                 \
        return rankK<T>({h, __func__}, {HERMITIAN, false, fill, op, n, k, A, lda, B, ldb, C, ldc}, alpha, beta);       \
    }
WG_OF_MATRICES(S, float)
WG_OF_MATRICES(D, double)
WG_OF_MATRICES(C, Complex)
WG_OF_MATRICES(Z, DoubleComplex)
WG_MIRRORED(Chemm, Cherk, Cher2k, Cherkx, Complex, float, float, true)
WG_MIRRORED(Zhemm, Zherk, Zher2k, Zherkx, DoubleComplex, double, double, true)

#define WG_RANK_K_OF_TYPES(NAME, S, HERMITIAN)                                                                         \
    WG_API int cublas##NAME(void* h, Fill fill, Op op, int n, int k, const S* alpha, const void* A, int typeA,         \
                            int lda, const S* beta, void* C, int typeC, int ldc) {                                     \
        if (typeA != C32 || typeC != C32) /* of whole numbers of 8 bits, too, it would be */                           \
            return blasNotSupported;                                                                                   \
        return rankK<Complex>({h, __func__},                                                                           \
                              {HERMITIAN, false, fill, op, n, k, static_cast<const Complex*>(A), lda, nullptr, 1,      \
                               static_cast<Complex*>(C), ldc},                                                         \
                              alpha, beta);                                                                            \
    }
// NOLINTEND(bugprone-macro-parentheses)
WG_RANK_K_OF_TYPES(CsyrkEx, Complex, false)
WG_RANK_K_OF_TYPES(Csyrk3mEx, Complex, false)
WG_RANK_K_OF_TYPES(CherkEx, float, true)
WG_RANK_K_OF_TYPES(Cherk3mEx, float, true)
