// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of a type that a call names by a number, as the functions "Ex" do (cudaDataType of library_types.h).
#pragma once

#include "gpu/launch/half.h"
#include "gpu/virtual/libraries/blas.h"

#include <cmath>
#include <cstring>

namespace warpglass::virtual_device::blas {

enum Type : int { F32 = 0, F64 = 1, F16 = 2, S8 = 3, C32 = 4, C64 = 5, S32 = 10, Bf16 = 14 };

inline std::size_t bytesOf(int type) { // 0: it is not known here
    switch (type) {
    case S8:
        return 1;
    case F16:
    case Bf16:
        return 2;
    case F32:
    case S32:
        return 4;
    case F64:
    case C32:
        return 8;
    case C64:
        return 16;
    default:
        return 0;
    }
}
inline bool isComplexType(int type) {
    return type == C32 || type == C64;
}

template <class T>
T numberAt(const std::byte* at, int type) {
    const auto as = [&]<class S>(S) {
        S v;
        std::memcpy(&v, at, sizeof v);
        return v;
    };
    if constexpr (isComplex<T>)
        return type == C32 ? T(as(Complex())) : type == C64 ? T(as(DoubleComplex())) : T(numberAt<Real<T>>(at, type));
    else
        switch (type) {
        case F16:
            return T(valueOf(as(std::uint16_t()), binary16));
        case Bf16:
            return T(valueOf(as(std::uint16_t()), bfloat16));
        // NOLINTNEXTLINE(bugprone-branch-clone): each is of another type
        case S8:
            return T(as(std::int8_t()));
        case S32:
            return T(as(std::int32_t()));
        case F32:
            return T(as(float()));
        default:
            return T(as(double()));
        }
}

template <class T>
void put(std::byte* at, int type, T v) {
    const auto as = [&](auto made) { std::memcpy(at, &made, sizeof made); };
    if constexpr (isComplex<T>) {
        if (type == C32)
            as(Complex(v));
        else if (type == C64)
            as(DoubleComplex(v));
        else
            put(at, type, v.real());
    } else
        switch (type) {
        case F16:
            return as(bitsOf(double(v), binary16));
        case Bf16:
            return as(bitsOf(double(v), bfloat16));
        case S8:
            return as(std::int8_t(std::clamp(std::nearbyint(double(v)), -128.0, 127.0)));
        case S32:
            return as(std::int32_t(std::clamp(std::nearbyint(double(v)), -2147483648.0, 2147483647.0)));
        case F32:
            return as(float(v));
        default:
            return as(double(v));
        }
}

struct TypedVector {
    std::size_t place = 0;
    int n = 0, step = 1, type = F32;
    std::byte* at(Places m, int k) const { // a negative step begins at the end
        const auto apart = std::int64_t(step) * std::int64_t(bytesOf(type));
        return m[place] + (step < 0 ? std::int64_t(k - (n - 1)) : std::int64_t(k)) * apart;
    }
    template <class W>
    W get(Places m, int k) const {
        return numberAt<W>(at(m, k), type);
    }
    template <class W>
    void set(Places m, int k, W v) const {
        put<W>(at(m, k), type, v);
    }
};
inline TypedVector vectorOf(Call& c, const void* at, int n, int step, int type, Call::Use use) {
    c.needs(step != 0);
    const std::uint64_t bytes = bytesOf(type), apart = std::uint64_t(std::abs(std::int64_t(step))) * bytes;
    return {c.add(at, bytes, std::uint64_t(std::max(n, 1)), apart, use), n, step, type};
}

struct TypedScalar {
    DoubleComplex value{};
    int type = F32;
    std::size_t place = ~std::size_t(0);
    template <class W>
    W at(Places m) const {
        const DoubleComplex v = place == ~std::size_t(0) ? value : numberAt<DoubleComplex>(m[place], type);
        if constexpr (isComplex<W>)
            return v;
        else
            return v.real();
    }
};
inline TypedScalar scalarOf(Call& c, const void* at, int type) {
    if (!c.handle() || !c.needs(at != nullptr))
        return {};
    if (c.handle()->scalarsOnDevice)
        return {{}, type, c.add(at, bytesOf(type), 1, 0, Call::Use::Reads)};
    return {numberAt<DoubleComplex>(static_cast<const std::byte*>(at), type), type};
}

// Numbers of these types are computed with here.
inline bool known(std::initializer_list<int> types) {
    return std::all_of(types.begin(), types.end(), [](int t) { return bytesOf(t) > 0 && t != S8 && t != S32; });
}
// f by double, or by pairs.
template <class F>
int inWide(int type, F f) {
    return isComplexType(type) ? f(DoubleComplex()) : f(double());
}
} // namespace warpglass::virtual_device::blas
