// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, level 1 of types that the call names by numbers ("Ex"). Each number becomes a double, or a pair of them, and is rounded
// once, at the end.
#include "gpu/virtual/libraries/blas_types.h"

#include <cmath>

using namespace warpglass::virtual_device;
using namespace warpglass::virtual_device::blas;

namespace {

using Use = Call::Use;

// A number of a type that is known when the program runs.
template <class F>
int resultOf(Call& c, void* to, int type, F f) {
    switch (type) {
    case F16:
    case Bf16:
        return c.result(static_cast<std::uint16_t*>(to), [=](Places m) {
            std::uint16_t bits = 0;
            put(reinterpret_cast<std::byte*>(&bits), type, std::real(f(m)));
            return bits;
        });
    case F32:
        return c.result(static_cast<float*>(to), [=](Places m) { return float(std::real(f(m))); });
    case F64:
        return c.result(static_cast<double*>(to), [=](Places m) { return double(std::real(f(m))); });
    case C32:
        return c.result(static_cast<Complex*>(to), [=](Places m) { return Complex(DoubleComplex(f(m))); });
    default:
        return c.result(static_cast<DoubleComplex*>(to), [=](Places m) { return DoubleComplex(f(m)); });
    }
}

int dotOf(Call c, bool conjugated, int n, const void* x, int typeX, int incx, const void* y, int typeY, int incy,
          void* result, int typeR) {
    if (!known({typeX, typeY, typeR}))
        return blasNotSupported;
    const auto one = vectorOf(c, x, n, incx, typeX, Use::Reads), other = vectorOf(c, y, n, incy, typeY, Use::Reads);
    if (n <= 0)
        c.pieces = {};
    return inWide(typeX, [&]<class W>(W) {
        return resultOf(c, result, typeR, [=](Places m) {
            W sum = 0;
            for (int k = 0; k < n; ++k) {
                const W a = one.get<W>(m, k);
                sum += (conjugated ? conjugate(a) : a) * other.get<W>(m, k);
            }
            return sum;
        });
    });
}
// A sum over the elements by their absolute values, or by the sum of squares.
template <class F>
int reduceOf(Call c, int n, const void* x, int typeX, int incx, void* result, int typeR, F f) {
    if (!known({typeX, typeR}))
        return blasNotSupported;
    const auto v = vectorOf(c, x, n, incx, typeX, Use::Reads);
    if (n <= 0 || incx <= 0)
        c.pieces = {};
    return resultOf(c, result, typeR,
                    [=](Places m) { return f(incx > 0 ? n : 0, [&](int k) { return v.get<DoubleComplex>(m, k); }); });
}
int extremeOf(Call c, bool largest, int n, const void* x, int typeX, int incx, int* result) {
    if (!known({typeX}))
        return blasNotSupported;
    const auto v = vectorOf(c, x, n, incx, typeX, Use::Reads);
    if (n <= 0 || incx <= 0)
        c.pieces = {};
    return c.result(result, [=](Places m) {
        int found = 0;
        double best = 0;
        for (int k = 0; k < n && incx > 0; ++k) {
            const auto z = v.get<DoubleComplex>(m, k);
            const double a = std::fabs(z.real()) + std::fabs(z.imag());
            if (k == 0 || (largest ? a > best : a < best))
                best = a, found = k + 1;
        }
        return found;
    });
}

} // namespace

WG_API int cublasAxpyEx(void* h, int n, const void* alpha, int typeA, const void* x, int typeX, int incx, void* y,
                        int typeY, int incy, int) {
    Call c({h, __func__});
    if (!known({typeA, typeX, typeY}))
        return blasNotSupported;
    const auto a = scalarOf(c, alpha, typeA);
    const auto from = vectorOf(c, x, n, incx, typeX, Use::Reads), to = vectorOf(c, y, n, incy, typeY, Use::Updates);
    return inWide(typeY, [&]<class W>(W) {
        return c.give(n <= 0, [=](Places m) {
            const W by = a.at<W>(m);
            for (int k = 0; k < n; ++k)
                to.set<W>(m, k, to.get<W>(m, k) + by * from.get<W>(m, k));
        });
    });
}
WG_API int cublasScalEx(void* h, int n, const void* alpha, int typeA, void* x, int typeX, int incx, int) {
    Call c({h, __func__});
    if (!known({typeA, typeX}))
        return blasNotSupported;
    const auto a = scalarOf(c, alpha, typeA);
    c.needs(n <= 0 || incx > 0);
    const auto v = vectorOf(c, x, n, incx, typeX, Use::Updates);
    return inWide(typeX, [&]<class W>(W) {
        return c.give(n <= 0, [=](Places m) {
            const W by = a.at<W>(m);
            for (int k = 0; k < n; ++k)
                v.set<W>(m, k, by * v.get<W>(m, k));
        });
    });
}
WG_API int cublasDotEx(void* h, int n, const void* x, int typeX, int incx, const void* y, int typeY, int incy,
                       void* result, int typeR, int) {
    return dotOf({h, __func__}, false, n, x, typeX, incx, y, typeY, incy, result, typeR);
}
WG_API int cublasDotcEx(void* h, int n, const void* x, int typeX, int incx, const void* y, int typeY, int incy,
                        void* result, int typeR, int) {
    return dotOf({h, __func__}, true, n, x, typeX, incx, y, typeY, incy, result, typeR);
}
WG_API int cublasNrm2Ex(void* h, int n, const void* x, int typeX, int incx, void* result, int typeR, int) {
    return reduceOf({h, __func__}, n, x, typeX, incx, result, typeR, [](int count, const auto& element) {
        double norm = 0;
        for (int k = 0; k < count; ++k) // no square is lost
            norm = std::hypot(norm, std::abs(element(k)));
        return norm;
    });
}
WG_API int cublasAsumEx(void* h, int n, const void* x, int typeX, int incx, void* result, int typeR, int) {
    return reduceOf({h, __func__}, n, x, typeX, incx, result, typeR, [](int count, const auto& element) {
        double sum = 0;
        for (int k = 0; k < count; ++k)
            sum += std::fabs(element(k).real()) + std::fabs(element(k).imag());
        return sum;
    });
}
WG_API int cublasIamaxEx(void* h, int n, const void* x, int typeX, int incx, int* result) {
    return extremeOf({h, __func__}, true, n, x, typeX, incx, result);
}
WG_API int cublasIaminEx(void* h, int n, const void* x, int typeX, int incx, int* result) {
    return extremeOf({h, __func__}, false, n, x, typeX, incx, result);
}
WG_API int cublasCopyEx(void* h, int n, const void* x, int typeX, int incx, void* y, int typeY, int incy) {
    Call c({h, __func__});
    if (typeX != typeY || bytesOf(typeX) == 0)
        return blasNotSupported;
    const auto from = vectorOf(c, x, n, incx, typeX, Use::Reads), to = vectorOf(c, y, n, incy, typeY, Use::Writes);
    return c.give(n <= 0, [=](Places m) {
        for (int k = 0; k < n; ++k)
            std::memcpy(to.at(m, k), from.at(m, k), bytesOf(typeX));
    });
}
WG_API int cublasSwapEx(void* h, int n, void* x, int typeX, int incx, void* y, int typeY, int incy) {
    Call c({h, __func__});
    if (typeX != typeY || bytesOf(typeX) == 0)
        return blasNotSupported;
    const auto one = vectorOf(c, x, n, incx, typeX, Use::Updates), other = vectorOf(c, y, n, incy, typeY, Use::Updates);
    return c.give(n <= 0, [=](Places m) {
        for (int k = 0; k < n; ++k)
            std::swap_ranges(one.at(m, k), one.at(m, k) + bytesOf(typeX), other.at(m, k));
    });
}
