// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS (version 2 of its interface): what its functions share. Matrices lie column by column. Numbers of enumerations are those
// of the public header cublas_api.h; a test holds programs that were compiled with it against these functions.
#pragma once

#include "gpu/virtual/libraries/library.h"

#include <algorithm>
#include <complex>
#include <type_traits>
#include <vector>

namespace warpglass::virtual_device::blas {

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

enum BlasStatus : int {
    blasSuccess = 0,
    notInitialized = 1,
    allocFailed = 3,
    blasInvalidValue = 7,
    mappingError = 11,
    executionFailed = 13,
    blasNotSupported = 15,
};
enum class Op : int { None = 0, Transposed = 1, Adjoint = 2 };
enum class Fill : int { Lower = 0, Upper = 1 };
enum class Diag : int { Stored = 0, Unit = 1 };
enum class Side : int { Left = 0, Right = 1 };

// What a cublasHandle_t points to.
struct Handle {
    unsigned device = 0;
    void* stream = nullptr;
    bool scalarsOnDevice = false;
    int atomics = 0, math = 0, sms = 0;
    struct {
        int strategy = 0, specialValues = 0xffff, control = 0, maxBits = 0, bitOffset = 0;
    } emulation;
};
Handle* handleAt(void* handle); // null: it is none

// BLAS as Fortran has it: of a library on the host, or of loops here.
template <class T>
void multiply(Op a, Op b, int m, int n, int k, T alpha, const T* A, int lda, const T* B, int ldb, T beta, T* C,
              int ldc);
Message answeredBy(); // the products

template <class T>
inline constexpr bool isComplex = !std::is_floating_point_v<T>;
template <class T>
T conjugate(T v) {
    if constexpr (isComplex<T>)
        return std::conj(v);
    else
        return v;
}
template <class T>
struct RealOf {
    using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
    using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;

// A number that the program gave by a pointer: read at once, or, of the device, when the work is done.
template <class T>
struct Scalar {
    T value{};
    std::size_t place = ~std::size_t(0);
    bool isKnown() const { return place == ~std::size_t(0); }
    bool isZero() const { return isKnown() && value == T(0); }
    T at(Places m) const { return isKnown() ? value : *reinterpret_cast<const T*>(m[place]); }
};

template <class T>
struct Strided { // a vector's elements, where its work finds them
    T* first;
    std::int64_t step;
    T& operator[](std::int64_t n) const { return first[n * step]; }
};

// One call while it is put together: what is wrong with it, the memory of it, and its work.
class Call {
public:
    Call(void* handle, const Called& function) : m_handle(handleAt(handle)), m_function(function) {}

    bool needs(bool holds) { // else the call is not valid
        m_valid = m_valid && holds;
        return holds;
    }
    Pieces pieces;

    template <class T>
    Scalar<T> scalar(const T* at) {
        if (!m_handle || !needs(at != nullptr))
            return {};
        return m_handle->scalarsOnDevice ? Scalar<T>{T{}, pieces.reads(at, sizeof(T))} : Scalar<T>{*at};
    }
    enum class Use { Reads, Writes, Updates };
    // n elements, step apart; what at() makes of its place.
    template <class T>
    struct Vector {
        std::size_t place = 0;
        int n = 0, step = 1;
        Strided<T> at(Places m) const { // a negative step begins at the end
            auto* const first = reinterpret_cast<T*>(m[place]);
            return {step < 0 ? first + std::int64_t(n - 1) * -std::int64_t(step) : first, step};
        }
    };
    template <class T>
    Vector<std::remove_const_t<T>> vector(T* at, int n, int step, Use use) {
        needs(step != 0);
        const std::uint64_t apart = std::uint64_t(std::abs(std::int64_t(step))) * sizeof(T);
        return {add(at, sizeof(T), std::uint64_t(std::max(n, 1)), apart, use), n, step};
    }
    // Columns of so many rows, which begin `leading` elements from each other.
    template <class T>
    std::size_t matrix(T* at, int rows, int columns, int leading, Use use) {
        needs(rows >= 0 && columns >= 0 && leading >= std::max(1, rows));
        return add(at, std::uint64_t(std::max(rows, 1)) * sizeof(T), std::uint64_t(std::max(columns, 1)),
                   std::uint64_t(std::max(leading, 1)) * sizeof(T), use);
    }
    std::size_t add(const void* at, std::uint64_t bytes, std::uint64_t rows, std::uint64_t pitch, Use use) {
        auto* const to = const_cast<void*>(at);
        return use == Use::Reads    ? pieces.reads(at, bytes, rows, pitch)
               : use == Use::Writes ? pieces.writes(to, bytes, rows, pitch)
                                    : pieces.updates(to, bytes, rows, pitch);
    }

    // An array of pointers, which is of the device's memory, so it is read with the call.
    std::vector<const void*> listed(const void* pointers, int count);

    // Work that leaves what it makes in the device's memory. isNothing: there is nothing to be done.
    int give(bool isNothing, std::function<void(Places)> work);
    // Work that makes one number, for which the host waits where it is the host's.
    template <class R, class F>
    int result(R* to, F f) {
        if (!m_handle || !needs(to != nullptr))
            return failed();
        if (m_handle->scalarsOnDevice) {
            const std::size_t place = pieces.writes(to, sizeof(R));
            return give(false, [f, place](Places m) { *reinterpret_cast<R*>(m[place]) = f(m); });
        }
        m_waits = true;
        return give(false, [f, to](Places m) { *to = f(m); });
    }
    Device& device() const;
    const Handle* handle() const { return m_handle; }
    int failed() const { return m_handle ? blasInvalidValue : notInitialized; }

private:
    Handle* m_handle;
    Called m_function;
    bool m_valid = true, m_waits = false;
};

} // namespace warpglass::virtual_device::blas
