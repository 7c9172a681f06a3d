// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, level 1: vectors. Sums are taken in double, in the order of the elements.
#include "gpu/virtual/libraries/blas.h"

#include <cmath>

using namespace warpglass::virtual_device;
using namespace warpglass::virtual_device::blas;

namespace {

using Use = Call::Use;

template <class T>
using Wide = std::conditional_t<isComplex<T>, DoubleComplex, double>;

template <class T>
int axpy(Call c, int n, const T* alpha, const T* x, int incx, T* y, int incy) {
    const auto a = c.scalar(alpha);
    const auto from = c.vector(x, n, incx, Use::Reads), to = c.vector(y, n, incy, Use::Updates);
    return c.give(n <= 0, [=](Places m) {
        const T by = a.at(m);
        const auto p = from.at(m), q = to.at(m);
        for (int k = 0; k < n; ++k)
            q[k] += by * p[k];
    });
}

template <class T>
int copy(Call c, int n, const T* x, int incx, T* y, int incy) {
    const auto from = c.vector(x, n, incx, Use::Reads), to = c.vector(y, n, incy, Use::Writes);
    return c.give(n <= 0, [=](Places m) {
        const auto p = from.at(m), q = to.at(m);
        for (int k = 0; k < n; ++k)
            q[k] = p[k];
    });
}

template <class T>
int swap(Call c, int n, T* x, int incx, T* y, int incy) {
    const auto one = c.vector(x, n, incx, Use::Updates), other = c.vector(y, n, incy, Use::Updates);
    return c.give(n <= 0, [=](Places m) {
        const auto p = one.at(m), q = other.at(m);
        for (int k = 0; k < n; ++k)
            std::swap(p[k], q[k]);
    });
}

template <class T, class S>
int scale(Call c, int n, const S* alpha, T* x, int incx) {
    const auto a = c.scalar(alpha);
    c.needs(n <= 0 || incx > 0);
    const auto v = c.vector(x, n, incx, Use::Updates);
    return c.give(n <= 0, [=](Places m) {
        const S by = a.at(m);
        const auto p = v.at(m);
        for (int k = 0; k < n; ++k)
            p[k] *= by;
    });
}

template <class T>
int dot(Call c, bool conjugated, int n, const T* x, int incx, const T* y, int incy, T* result) {
    const auto one = c.vector(x, n, incx, Use::Reads), other = c.vector(y, n, incy, Use::Reads);
    if (n <= 0)
        c.pieces = {};
    return c.result(result, [=](Places m) {
        Wide<T> sum = 0;
        for (int k = 0; k < n; ++k) {
            const T a = one.at(m)[k];
            sum += Wide<T>(conjugated ? conjugate(a) : a) * Wide<T>(other.at(m)[k]);
        }
        return T(sum);
    });
}

template <class T, class F>
int reduce(Call c, int n, const T* x, int incx, Real<T>* result, F f) {
    const auto v = c.vector(x, n, incx, Use::Reads);
    if (n <= 0 || incx <= 0)
        c.pieces = {};
    return c.result(result, [=](Places m) {
        double sum = 0;
        for (int k = 0; k < n && incx > 0; ++k)
            sum += f(Wide<T>(v.at(m)[k]));
        return sum;
    });
}
template <class T>
int norm(Call c, int n, const T* x, int incx, Real<T>* result) {
    const auto v = c.vector(x, n, incx, Use::Reads);
    if (n <= 0 || incx <= 0)
        c.pieces = {};
    return c.result(result, [=](Places m) {
        double largest = 0, sum = 0; // in the measure of the largest, so that no square is lost
        for (int k = 0; k < n && incx > 0; ++k)
            largest = std::max(largest, double(std::abs(v.at(m)[k])));
        for (int k = 0; k < n && incx > 0 && largest > 0; ++k)
            sum += std::norm(Wide<T>(v.at(m)[k]) / largest);
        return Real<T>(largest * std::sqrt(sum));
    });
}
double absolute(double v) {
    return std::fabs(v);
}
double absolute(DoubleComplex v) {
    return std::fabs(v.real()) + std::fabs(v.imag());
}
template <class T>
int sumOf(Call c, int n, const T* x, int incx, Real<T>* result) {
    return reduce(std::move(c), n, x, incx, result, [](auto v) { return absolute(v); });
}

// Of elements that are equal the first; counted from 1, 0 where there are none.
template <class T>
int extreme(Call c, bool largest, int n, const T* x, int incx, int* result) {
    const auto v = c.vector(x, n, incx, Use::Reads);
    if (n <= 0 || incx <= 0)
        c.pieces = {};
    return c.result(result, [=](Places m) {
        int found = 0;
        double best = 0;
        for (int k = 0; k < n && incx > 0; ++k) {
            const double a = absolute(Wide<T>(v.at(m)[k]));
            if (k == 0 || (largest ? a > best : a < best))
                best = a, found = k + 1;
        }
        return found;
    });
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): what stands there are types and parts of names
#define WG_OF_VECTORS(L, T)                                                                                            \
    WG_API int cublas##L##axpy_v2(void* h, int n, const T* alpha, const T* x, int incx, T* y, int incy) {              \
        return axpy<T>({h, __func__}, n, alpha, x, incx, y, incy);                                                     \
    }                                                                                                                  \
    WG_API int cublas##L##copy_v2(void* h, int n, const T* x, int incx, T* y, int incy) {                              \
        return copy<T>({h, __func__}, n, x, incx, y, incy);                                                            \
    }                                                                                                                  \
    WG_API int cublas##L##swap_v2(void* h, int n, T* x, int incx, T* y, int incy) {                                    \
        return swap<T>({h, __func__}, n, x, incx, y, incy);                                                            \
    }                                                                                                                  \
    WG_API int cublas##L##scal_v2(void* h, int n, const T* alpha, T* x, int incx) {                                    \
        return scale<T, T>({h, __func__}, n, alpha, x, incx);                                                          \
    }
WG_OF_VECTORS(S, float)
WG_OF_VECTORS(D, double)
WG_OF_VECTORS(C, Complex)
WG_OF_VECTORS(Z, DoubleComplex)

#define WG_OF_REDUCTIONS(NAME, INDEX, T)                                                                               \
    WG_API int cublas##NAME##nrm2_v2(void* h, int n, const T* x, int incx, Real<T>* result) {                          \
        return norm<T>({h, __func__}, n, x, incx, result);                                                             \
    }                                                                                                                  \
    WG_API int cublas##NAME##asum_v2(void* h, int n, const T* x, int incx, Real<T>* result) {                          \
        return sumOf<T>({h, __func__}, n, x, incx, result);                                                            \
    }                                                                                                                  \
    WG_API int cublasI##INDEX##amax_v2(void* h, int n, const T* x, int incx, int* result) {                            \
        return extreme<T>({h, __func__}, true, n, x, incx, result);                                                    \
    }                                                                                                                  \
    WG_API int cublasI##INDEX##amin_v2(void* h, int n, const T* x, int incx, int* result) {                            \
        return extreme<T>({h, __func__}, false, n, x, incx, result);                                                   \
    }
WG_OF_REDUCTIONS(S, s, float)
WG_OF_REDUCTIONS(D, d, double)
WG_OF_REDUCTIONS(Sc, c, Complex)
WG_OF_REDUCTIONS(Dz, z, DoubleComplex)

#define WG_DOT(NAME, T, CONJUGATED)                                                                                    \
    WG_API int cublas##NAME##_v2(void* h, int n, const T* x, int incx, const T* y, int incy, T* result) {              \
        return dot<T>({h, __func__}, CONJUGATED, n, x, incx, y, incy, result);                                         \
    }
// NOLINTEND(bugprone-macro-parentheses)
WG_DOT(Sdot, float, false)
WG_DOT(Ddot, double, false)
WG_DOT(Cdotu, Complex, false)
WG_DOT(Cdotc, Complex, true)
WG_DOT(Zdotu, DoubleComplex, false)
WG_DOT(Zdotc, DoubleComplex, true)

WG_API int cublasCsscal_v2(void* h, int n, const float* alpha, Complex* x, int incx) {
    return scale<Complex, float>({h, __func__}, n, alpha, x, incx);
}
WG_API int cublasZdscal_v2(void* h, int n, const double* alpha, DoubleComplex* x, int incx) {
    return scale<DoubleComplex, double>({h, __func__}, n, alpha, x, incx);
}
