// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, level 1: rotations of two vectors, plain and modified, and how they are found.
#include "gpu/virtual/libraries/blas_types.h"

#include <array>
#include <cmath>
#include <utility>

using namespace warpglass::virtual_device;
using namespace warpglass::virtual_device::blas;

namespace {

using Use = Call::Use;

// x and y turned: c x + s y, c y - conj(s) x.
int rotateOf(Call call, int n, void* x, int typeX, int incx, void* y, int typeY, int incy, const void* cosine,
             int typeC, const void* sine, int typeS) {
    if (!known({typeX, typeY, typeC, typeS}))
        return blasNotSupported;
    const auto a = scalarOf(call, cosine, typeC), b = scalarOf(call, sine, typeS);
    const auto one = vectorOf(call, x, n, incx, typeX, Use::Updates),
               other = vectorOf(call, y, n, incy, typeY, Use::Updates);
    return inWide(typeX, [&]<class W>(W) {
        return call.give(n <= 0, [=](Places m) {
            const W c = a.at<W>(m), s = b.at<W>(m);
            for (int k = 0; k < n; ++k) {
                const W u = one.get<W>(m, k), v = other.get<W>(m, k);
                one.set<W>(m, k, c * u + s * v);
                other.set<W>(m, k, c * v - conjugate(s) * u);
            }
        });
    });
}

// Lawson, Hanson, Kincaid, Krogh: Basic Linear Algebra Subprograms for Fortran Usage, ACM TOMS 5 (3), 1979: rotg, rotm, rotmg.
void findRotation(double& a, double& b, double& c, double& s) {
    const double scale = std::fabs(a) + std::fabs(b);
    if (scale == 0) {
        a = b = s = 0, c = 1;
        return;
    }
    const double sign = std::fabs(a) > std::fabs(b) ? a : b;
    const double r = std::copysign(scale * std::hypot(a / scale, b / scale), sign);
    c = a / r, s = b / r;
    b = std::fabs(a) > std::fabs(b) ? s : c != 0 ? 1 / c : 1;
    a = r;
}
void findRotation(DoubleComplex& a, const DoubleComplex& b, double& c, DoubleComplex& s) {
    if (std::abs(a) == 0) {
        a = b, c = 0, s = 1;
        return;
    }
    const double norm = std::hypot(std::abs(a), std::abs(b));
    const DoubleComplex direction = a / std::abs(a);
    c = std::abs(a) / norm, s = direction * std::conj(b) / norm, a = direction * norm;
}
struct Modified { // the matrix H = (h11 h12; h21 h22), of which the flag says what is stored
    double flag = -2, h11 = 0, h21 = 0, h12 = 0, h22 = 0;
};
Modified findModified(double& d1, double& d2, double& x1, double y1) {
    constexpr double gamma = 4096, most = gamma * gamma, least = 1 / most;
    Modified h;
    const auto nothing = [&] {
        h = {-1};
        d1 = d2 = x1 = 0;
    };
    if (d1 < 0) {
        nothing();
        return h;
    }
    const double p2 = d2 * y1;
    if (p2 == 0)
        return h;
    const double p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
    if (std::fabs(q1) > std::fabs(q2)) {
        h.h21 = -y1 / x1, h.h12 = p2 / p1;
        const double u = 1 - h.h12 * h.h21;
        if (u <= 0) {
            nothing();
            return h;
        }
        h.flag = 0, d1 /= u, d2 /= u, x1 *= u;
    } else if (q2 < 0) {
        nothing();
        return h;
    } else {
        h.h11 = p1 / p2, h.h22 = x1 / y1;
        const double u = 1 + h.h11 * h.h22;
        h.flag = 1;
        d1 = std::exchange(d2, d1 / u) / u;
        x1 = y1 * u;
    }
    const auto full = [&] { // what the flag left out is written down
        if (h.flag == 0)
            h.h11 = h.h22 = 1;
        else if (h.flag == 1)
            h.h21 = -1, h.h12 = 1;
        h.flag = -1;
    };
    while (d1 != 0 && (d1 <= least || d1 >= most)) {
        full();
        const double by = d1 <= least ? gamma : 1 / gamma;
        d1 *= by * by, x1 /= by, h.h11 /= by, h.h12 /= by;
    }
    while (d2 != 0 && (std::fabs(d2) <= least || std::fabs(d2) >= most)) {
        full();
        const double by = std::fabs(d2) <= least ? gamma : 1 / gamma;
        d2 *= by * by, h.h21 /= by, h.h22 /= by;
    }
    return h;
}

// Single numbers that a call reads and writes: the host's at once, or, by the handle's mode, the device's in the order of its stream.
// f gets the address of each.
template <std::size_t N, class F>
int onNumbers(Call c, const std::array<std::pair<const void*, std::size_t>, N>& numbers, F f) {
    if (!c.handle())
        return c.failed();
    std::array<std::size_t, N> places{};
    for (std::size_t n = 0; n < N; ++n) {
        if (!c.needs(numbers[n].first != nullptr))
            return c.failed();
        places[n] = c.handle()->scalarsOnDevice ? c.add(numbers[n].first, numbers[n].second, 1, 0, Use::Updates) : 0;
    }
    std::array<std::byte*, N> at{};
    if (!c.handle()->scalarsOnDevice) {
        for (std::size_t n = 0; n < N; ++n)
            at[n] = static_cast<std::byte*>(const_cast<void*>(numbers[n].first));
        f(at);
        return blasSuccess;
    }
    return c.give(false, [=](Places m) {
        std::array<std::byte*, N> there{};
        for (std::size_t n = 0; n < N; ++n)
            there[n] = m[places[n]];
        f(there);
    });
}

int rotgOf(Call c, void* a, void* b, int typeAB, void* cosine, int typeC, void* sine, int typeS) {
    if (!known({typeAB, typeC, typeS}))
        return blasNotSupported;
    const std::size_t bytes = bytesOf(typeAB);
    return onNumbers<4>(std::move(c), {{{a, bytes}, {b, bytes}, {cosine, bytesOf(typeC)}, {sine, bytesOf(typeS)}}},
                        [=](const std::array<std::byte*, 4>& at) {
                            double c1 = 0, s1 = 0;
                            if (isComplexType(typeAB)) {
                                auto first = numberAt<DoubleComplex>(at[0], typeAB);
                                DoubleComplex s;
                                findRotation(first, numberAt<DoubleComplex>(at[1], typeAB), c1, s);
                                put(at[0], typeAB, first), put(at[3], typeS, s);
                            } else {
                                auto first = numberAt<double>(at[0], typeAB), second = numberAt<double>(at[1], typeAB);
                                findRotation(first, second, c1, s1);
                                put(at[0], typeAB, first), put(at[1], typeAB, second), put(at[3], typeS, s1);
                            }
                            put(at[2], typeC, c1);
                        });
}

int rotmgOf(Call c, void* d1, int type1, void* d2, int type2, void* x1, int typeX, const void* y1, int typeY,
            void* parameters, int typeP) {
    if (!known({type1, type2, typeX, typeY, typeP}))
        return blasNotSupported;
    const std::size_t each = bytesOf(typeP);
    return onNumbers<5>(std::move(c),
                        {{{d1, bytesOf(type1)},
                          {d2, bytesOf(type2)},
                          {x1, bytesOf(typeX)},
                          {y1, bytesOf(typeY)},
                          {parameters, 5 * each}}},
                        [=](const std::array<std::byte*, 5>& at) {
                            auto a = numberAt<double>(at[0], type1), b = numberAt<double>(at[1], type2),
                                 x = numberAt<double>(at[2], typeX);
                            const Modified h = findModified(a, b, x, numberAt<double>(at[3], typeY));
                            put(at[0], type1, a), put(at[1], type2, b), put(at[2], typeX, x);
                            const double all[] = {h.flag, h.h11, h.h21, h.h12, h.h22};
                            for (std::size_t n = 0; n < 5; ++n) // what the flag says of itself is not written
                                if (n == 0 || h.flag == -1 || (h.flag == 0 && (n == 2 || n == 3)) ||
                                    (h.flag == 1 && (n == 1 || n == 4)))
                                    put(at[4] + n * each, typeP, all[n]);
                        });
}

int rotmOf(Call call, int n, void* x, int typeX, int incx, void* y, int typeY, int incy, const void* parameters,
           int typeP) {
    if (!known({typeX, typeY, typeP}))
        return blasNotSupported;
    if (!call.handle() || !call.needs(parameters != nullptr))
        return call.failed();
    const std::size_t each = bytesOf(typeP);
    std::array<double, 5> now{};
    std::size_t place = 0;
    const bool later = call.handle()->scalarsOnDevice;
    const auto read = [=](const std::byte* at) {
        std::array<double, 5> all{};
        for (std::size_t k = 0; k < 5; ++k)
            all[k] = numberAt<double>(at + k * each, typeP);
        return all;
    };
    if (later)
        place = call.add(parameters, 5 * each, 1, 0, Use::Reads);
    else
        now = read(static_cast<const std::byte*>(parameters));
    const auto one = vectorOf(call, x, n, incx, typeX, Use::Updates),
               other = vectorOf(call, y, n, incy, typeY, Use::Updates);
    return call.give(n <= 0, [=](Places m) {
        const auto p = later ? read(m[place]) : now;
        const double flag = p[0];
        if (flag == -2)
            return;
        const double h11 = flag == 0 ? 1 : p[1], h21 = flag == 1 ? -1 : p[2], h12 = flag == 1 ? 1 : p[3],
                     h22 = flag == 0 ? 1 : p[4];
        for (int k = 0; k < n; ++k) {
            const double u = one.get<double>(m, k), v = other.get<double>(m, k);
            one.set(m, k, u * h11 + v * h12);
            other.set(m, k, u * h21 + v * h22);
        }
    });
}

} // namespace

WG_API int cublasRotEx(void* h, int n, void* x, int typeX, int incx, void* y, int typeY, int incy, const void* c,
                       const void* s, int type, int) {
    return rotateOf({h, __func__}, n, x, typeX, incx, y, typeY, incy, c, isComplexType(type) ? type - C32 : type, s,
                    type);
}
WG_API int cublasRotgEx(void* h, void* a, void* b, int type, void* c, void* s, int typeCS, int) {
    return rotgOf({h, __func__}, a, b, type, c, isComplexType(typeCS) ? typeCS - C32 : typeCS, s, typeCS);
}
WG_API int cublasRotmEx(void* h, int n, void* x, int typeX, int incx, void* y, int typeY, int incy,
                        const void* parameters, int typeP, int) {
    return rotmOf({h, __func__}, n, x, typeX, incx, y, typeY, incy, parameters, typeP);
}
WG_API int cublasRotmgEx(void* h, void* d1, int type1, void* d2, int type2, void* x1, int typeX, const void* y1,
                         int typeY, void* parameters, int typeP, int) {
    return rotmgOf({h, __func__}, d1, type1, d2, type2, x1, typeX, y1, typeY, parameters, typeP);
}

// NOLINTBEGIN(bugprone-macro-parentheses): what stands there are types and parts of names
#define WG_ROTATION(NAME, T, TYPE, C, TYPE_C, S, TYPE_S)                                                               \
    WG_API int cublas##NAME##_v2(void* h, int n, T* x, int incx, T* y, int incy, const C* c, const S* s) {             \
        return rotateOf({h, __func__}, n, x, TYPE, incx, y, TYPE, incy, c, TYPE_C, s, TYPE_S);                         \
    }
WG_ROTATION(Srot, float, F32, float, F32, float, F32)
WG_ROTATION(Drot, double, F64, double, F64, double, F64)
WG_ROTATION(Crot, Complex, C32, float, F32, Complex, C32)
WG_ROTATION(Zrot, DoubleComplex, C64, double, F64, DoubleComplex, C64)
WG_ROTATION(Csrot, Complex, C32, float, F32, float, F32)
WG_ROTATION(Zdrot, DoubleComplex, C64, double, F64, double, F64)

#define WG_FINDS_ROTATION(NAME, T, TYPE, R, TYPE_R)                                                                    \
    WG_API int cublas##NAME##_v2(void* h, T* a, T* b, R* c, T* s) {                                                    \
        return rotgOf({h, __func__}, a, b, TYPE, c, TYPE_R, s, TYPE);                                                  \
    }
WG_FINDS_ROTATION(Srotg, float, F32, float, F32)
WG_FINDS_ROTATION(Drotg, double, F64, double, F64)
WG_FINDS_ROTATION(Crotg, Complex, C32, float, F32)
WG_FINDS_ROTATION(Zrotg, DoubleComplex, C64, double, F64)

#define WG_MODIFIED_ROTATION(L, T, TYPE)                                                                               \
    WG_API int cublas##L##rotm_v2(void* h, int n, T* x, int incx, T* y, int incy, const T* parameters) {               \
        return rotmOf({h, __func__}, n, x, TYPE, incx, y, TYPE, incy, parameters, TYPE);                               \
    }                                                                                                                  \
    WG_API int cublas##L##rotmg_v2(void* h, T* d1, T* d2, T* x1, const T* y1, T* parameters) {                         \
        return rotmgOf({h, __func__}, d1, TYPE, d2, TYPE, x1, TYPE, y1, TYPE, parameters, TYPE);                       \
    }
// NOLINTEND(bugprone-macro-parentheses)
WG_MODIFIED_ROTATION(S, float, F32)
WG_MODIFIED_ROTATION(D, double, F64)
