// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS: many small systems at once: LU with and without a choice of pivots, what follows from it, and inverses.
#include "gpu/virtual/libraries/blas.h"

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

using namespace warpglass::virtual_device;
using namespace warpglass::virtual_device::blas;

namespace {

using Use = Call::Use;

template <class T>
struct Square { // a matrix where the work finds it
    T* first;
    int leading;
    T& operator()(int i, int j) const { return first[std::size_t(i) + std::size_t(j) * std::size_t(leading)]; }
};

// In place, as LAPACK's getrf2 has it; pivots counted from 1, null: none are chosen. 0, or the first column without a pivot.
template <class T>
int factor(Square<T> a, int n, int* pivots) {
    int wrong = 0;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; pivots && i < n; ++i)
            if (std::abs(a(i, k)) > std::abs(a(best, k)))
                best = i;
        if (pivots)
            pivots[k] = best + 1;
        if (a(best, k) == T(0)) {
            wrong = wrong ? wrong : k + 1;
            continue;
        }
        for (int j = 0; best != k && j < n; ++j)
            std::swap(a(k, j), a(best, j));
        for (int i = k + 1; i < n; ++i) {
            a(i, k) /= a(k, k);
            for (int j = k + 1; j < n; ++j)
                a(i, j) -= a(i, k) * a(k, j);
        }
    }
    return wrong;
}

// b becomes x of op(A) x = b, by the factors of A.
template <class T>
void solve(Square<T> lu, int n, const int* pivots, Op op, T* b) {
    const auto of = [&](int i, int j) { // op(LU)
        return op == Op::None ? lu(i, j) : op == Op::Transposed ? lu(j, i) : conjugate(lu(j, i));
    };
    const auto exchange = [&](int k) {
        if (pivots && pivots[k] - 1 != k)
            std::swap(b[k], b[pivots[k] - 1]);
    };
    for (int k = 0; op == Op::None && k < n; ++k)
        exchange(k);
    for (int i = 0; i < n; ++i) { // the lower triangle, whose diagonal is ones where it is L
        for (int j = 0; j < i; ++j)
            b[i] -= of(i, j) * b[j];
        if (op != Op::None)
            b[i] /= of(i, i);
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j)
            b[i] -= of(i, j) * b[j];
        if (op == Op::None)
            b[i] /= of(i, i);
    }
    for (int k = n - 1; op != Op::None && k >= 0; --k)
        exchange(k);
}

template <class T>
void invert(Square<T> lu, int n, const int* pivots, Square<T> to) {
    std::vector<T> column(std::size_t(n), T(0));
    for (int j = 0; j < n; ++j) {
        std::fill(column.begin(), column.end(), T(0));
        column[std::size_t(j)] = T(1);
        solve(lu, n, pivots, Op::None, column.data());
        for (int i = 0; i < n; ++i)
            to(i, j) = column[std::size_t(i)];
    }
}

// A matrix of each system, by an array of pointers in the device's memory.
std::vector<std::size_t> each(Call& c, const void* pointers, int rows, int columns, int leading, std::size_t bytes,
                              int count, Use use) {
    std::vector<std::size_t> places;
    c.needs(rows >= 0 && columns >= 0 && leading >= std::max(1, rows));
    for (const void* at : c.listed(pointers, count))
        places.push_back(c.add(at, std::uint64_t(std::max(rows, 1)) * bytes, std::uint64_t(std::max(columns, 1)),
                               std::uint64_t(std::max(leading, 1)) * bytes, use));
    return places;
}

// Pivots of all systems, or none; and where the place is not asked for.
constexpr std::size_t nowhere = ~std::size_t(0);
std::size_t numbers(Call& c, const int* at, std::int64_t count, Use use) {
    return at && count > 0 ? c.add(at, std::uint64_t(count) * sizeof(int), 1, 0, use) : nowhere;
}
int* part(Places m, std::size_t place, std::size_t from) {
    return place == nowhere ? nullptr : reinterpret_cast<int*>(m[place]) + from;
}
template <class T>
Square<T> square(Places m, std::size_t place, int leading) {
    return {reinterpret_cast<T*>(m[place]), leading};
}

template <class T>
int getrf(Call c, int n, T* const* A, int lda, int* pivots, int* info, int count) {
    if (!c.needs(n >= 0 && count >= 0 && info) || !c.handle())
        return c.failed();
    const auto all = each(c, A, n, n, lda, sizeof(T), count, Use::Updates);
    const auto chosen = numbers(c, pivots, std::int64_t(n) * count, Use::Writes),
               told = numbers(c, info, count, Use::Writes);
    return c.give(n == 0 || count == 0, [=](Places m) {
        for (std::size_t k = 0; k < all.size(); ++k)
            *part(m, told, k) = factor(square<T>(m, all[k], lda), n, part(m, chosen, k * std::size_t(n)));
    });
}

template <class T>
int getri(Call c, int n, const T* const* A, int lda, const int* pivots, T* const* C, int ldc, int* info, int count) {
    if (!c.needs(n >= 0 && count >= 0 && info) || !c.handle())
        return c.failed();
    const auto from = each(c, A, n, n, lda, sizeof(T), count, Use::Reads),
               to = each(c, C, n, n, ldc, sizeof(T), count, Use::Writes);
    const auto chosen = numbers(c, pivots, std::int64_t(n) * count, Use::Reads),
               told = numbers(c, info, count, Use::Writes);
    return c.give(n == 0 || count == 0, [=](Places m) {
        for (std::size_t k = 0; k < from.size(); ++k) {
            const Square<T> lu = square<T>(m, from[k], lda);
            int wrong = 0;
            for (int i = n; i > 0; --i)
                wrong = lu(i - 1, i - 1) == T(0) ? i : wrong;
            *part(m, told, k) = wrong;
            if (!wrong)
                invert(lu, n, part(m, chosen, k * std::size_t(n)), square<T>(m, to[k], ldc));
        }
    });
}

// info: of the host, about the words of the call alone.
template <class T>
int getrs(Call c, Op op, int n, int columns, const T* const* A, int lda, const int* pivots, T* const* B, int ldb,
          int* info, int count) {
    if (!c.needs(n >= 0 && columns >= 0 && count >= 0 && info) || !c.handle())
        return c.failed();
    *info = 0;
    const auto from = each(c, A, n, n, lda, sizeof(T), count, Use::Reads),
               to = each(c, B, n, columns, ldb, sizeof(T), count, Use::Updates);
    const auto chosen = numbers(c, pivots, std::int64_t(n) * count, Use::Reads);
    return c.give(n == 0 || columns == 0 || count == 0, [=](Places m) {
        for (std::size_t k = 0; k < from.size(); ++k)
            for (int j = 0; j < columns; ++j)
                solve(square<T>(m, from[k], lda), n, part(m, chosen, k * std::size_t(n)), op,
                      &square<T>(m, to[k], ldb)(0, j));
    });
}

template <class T>
int matinv(Call c, int n, const T* const* A, int lda, T* const* C, int ldc, int* info, int count) {
    if (!c.needs(n >= 0 && n <= 32 && count >= 0 && info) || !c.handle())
        return c.failed();
    const auto from = each(c, A, n, n, lda, sizeof(T), count, Use::Reads),
               to = each(c, C, n, n, ldc, sizeof(T), count, Use::Writes);
    const auto told = numbers(c, info, count, Use::Writes);
    return c.give(n == 0 || count == 0, [=](Places m) {
        std::vector<int> pivots(std::size_t(n), 0);
        std::vector<T> copy(std::size_t(n) * std::size_t(n));
        for (std::size_t k = 0; k < from.size(); ++k) {
            const Square<T> a = square<T>(m, from[k], lda), lu{copy.data(), n};
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i)
                    lu(i, j) = a(i, j);
            *part(m, told, k) = factor(lu, n, pivots.data());
            if (*part(m, told, k) == 0)
                invert(lu, n, pivots.data(), square<T>(m, to[k], ldc));
        }
    });
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): what stands there are types and parts of names
#define WG_SYSTEMS(L, T)                                                                                               \
    WG_API int cublas##L##getrfBatched(void* h, int n, T* const* A, int lda, int* pivots, int* info, int count) {      \
        return getrf<T>({h, __func__}, n, A, lda, pivots, info, count);                                                \
    }                                                                                                                  \
    WG_API int cublas##L##getriBatched(void* h, int n, const T* const* A, int lda, const int* pivots, T* const* C,     \
                                       int ldc, int* info, int count) {                                                \
        return getri<T>({h, __func__}, n, A, lda, pivots, C, ldc, info, count);                                        \
    }                                                                                                                  \
    WG_API int cublas##L##getrsBatched(void* h, Op op, int n, int columns, const T* const* A, int lda,                 \
                                       const int* pivots, T* const* B, int ldb, int* info, int count) {                \
        return getrs<T>({h, __func__}, op, n, columns, A, lda, pivots, B, ldb, info, count);                           \
    }                                                                                                                  \
    WG_API int cublas##L##matinvBatched(void* h, int n, const T* const* A, int lda, T* const* C, int ldc, int* info,   \
                                        int count) {                                                                   \
        return matinv<T>({h, __func__}, n, A, lda, C, ldc, info, count);                                               \
    }
// NOLINTEND(bugprone-macro-parentheses)
WG_SYSTEMS(S, float)
WG_SYSTEMS(D, double)
WG_SYSTEMS(C, Complex)
WG_SYSTEMS(Z, DoubleComplex)
