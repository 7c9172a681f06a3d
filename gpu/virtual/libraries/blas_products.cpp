// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, level 3: products of matrices, one or many, of one type or of several (GemmEx). Elements of 8 and 16 bits become float
// or double before they are multiplied, and are rounded once, at the end; whole numbers of 8 bits are exact so.
#include "gpu/launch/half.h"
#include "gpu/virtual/libraries/blas.h"

#include <cmath>
#include <cstring>
#include <vector>

using namespace warpglass;
using namespace warpglass::virtual_device;
using namespace warpglass::virtual_device::blas;

namespace {

using Use = Call::Use;

enum Type : int { F32 = 0, F64 = 1, F16 = 2, S8 = 3, C32 = 4, C64 = 5, S32 = 10, Bf16 = 14 };

std::size_t bytesOf(int type) {
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

// The type in which a scale is given and sums are taken, of a cublasComputeType_t, or, as GemmEx once had it, of a type.
int computedIn(int compute, int result) {
    switch (compute) {
    case 64:
    case 65:
    case F16:
        return F16;
    case 72:
    case 73:
    case S32:
        return S32;
    case 70:
    case 71:
    case F64:
        return result == C64 ? C64 : F64;
    case C64:
        return C64;
    case C32:
        return C32;
    case F32:
    case 68:
    case 69:
    case 74:
    case 75:
    case 77:
        return result == C32 ? C32 : F32;
    default:
        return -1;
    }
}

struct Operand {
    int type = F32;
    int leading = 1;
    std::int64_t stride = 0;               // between matrices, in elements
    const void* at = nullptr;              // the first one
    const void* const* pointers = nullptr; // or an array of all
};

struct Product {
    Op a = Op::None, b = Op::None;
    int m = 0, n = 0, k = 0, count = 1;
    Operand A, B, C;
    const void *alpha = nullptr, *beta = nullptr;
    int compute = F32;
};

template <class T>
T numberAt(const std::byte* at, int type) {
    const auto as = [&]<class S>(S) {
        S v;
        std::memcpy(&v, at, sizeof v);
        return v;
    };
    if constexpr (!isComplex<T>)
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
    else
        return as(T());
}

template <class T>
void put(std::byte* at, int type, T v) {
    const auto as = [&](auto made) { std::memcpy(at, &made, sizeof made); };
    if constexpr (!isComplex<T>)
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
    else
        as(v);
}

template <class T>
constexpr int typeOf = std::is_same_v<T, float>     ? F32
                       : std::is_same_v<T, double>  ? F64
                       : std::is_same_v<T, Complex> ? C32
                                                    : C64;

// A matrix in the type in which it is computed: as it lies, or a copy.
template <class T>
struct Taken {
    std::vector<T> copy;
    T* data;
    int leading;
    Taken(std::byte* at, const Operand& o, int rows, int columns, bool read) : leading(o.leading) {
        if (o.type == typeOf<T>) {
            data = reinterpret_cast<T*>(at);
            return;
        }
        leading = std::max(1, rows);
        copy.resize(std::size_t(leading) * std::size_t(columns));
        data = copy.data();
        for (int j = 0; read && j < columns; ++j)
            for (int i = 0; i < rows; ++i)
                copy[std::size_t(i) + std::size_t(j) * std::size_t(leading)] = numberAt<T>(
                    at + (std::size_t(i) + std::size_t(j) * std::size_t(o.leading)) * bytesOf(o.type), o.type);
    }
    void giveBack(std::byte* at, const Operand& o, int rows, int columns) const {
        if (copy.empty())
            return;
        for (int j = 0; j < columns; ++j)
            for (int i = 0; i < rows; ++i)
                put(at + (std::size_t(i) + std::size_t(j) * std::size_t(o.leading)) * bytesOf(o.type), o.type,
                    copy[std::size_t(i) + std::size_t(j) * std::size_t(leading)]);
    }
};

int rowsOf(const Product& p, const Operand& o) {
    return &o == &p.C ? p.m : &o == &p.A ? (p.a == Op::None ? p.m : p.k) : p.b == Op::None ? p.k : p.n;
}
int columnsOf(const Product& p, const Operand& o) {
    return &o == &p.C ? p.n : &o == &p.A ? (p.a == Op::None ? p.k : p.m) : p.b == Op::None ? p.n : p.k;
}

template <class T>
void carryOut(const Product& p, T alpha, T beta, std::byte* A, std::byte* B, std::byte* C) {
    const Taken<T> left(A, p.A, rowsOf(p, p.A), columnsOf(p, p.A), true);
    const Taken<T> right(B, p.B, rowsOf(p, p.B), columnsOf(p, p.B), true);
    const Taken<T> to(C, p.C, p.m, p.n, beta != T(0));
    multiply<T>(p.a, p.b, p.m, p.n, p.k, alpha, left.data, left.leading, right.data, right.leading, beta, to.data,
                to.leading);
    to.giveBack(C, p.C, p.m, p.n);
}

// Where a matrix of the call lies.
std::vector<const void*> matricesOf(Call& c, const Operand& o, int count) {
    if (o.pointers)
        return c.listed(o.pointers, count);
    std::vector<const void*> all(std::size_t(std::max(count, 0)));
    for (std::size_t n = 0; n < all.size(); ++n)
        all[n] = static_cast<const std::byte*>(o.at) + std::int64_t(n) * o.stride * std::int64_t(bytesOf(o.type));
    return all;
}

template <class T, class S>
int give(Call& c, const Product& p) {
    const auto alpha = c.scalar(static_cast<const S*>(p.alpha)), beta = c.scalar(static_cast<const S*>(p.beta));
    struct Three {
        std::size_t A, B, C;
    };
    std::vector<Three> all;
    const bool isNothing = p.m <= 0 || p.n <= 0 || p.count <= 0;
    if (!isNothing && c.handle()) {
        const auto A = matricesOf(c, p.A, p.count), B = matricesOf(c, p.B, p.count), C = matricesOf(c, p.C, p.count);
        const auto add = [&](const Operand& o, const void* at, Use use) {
            const std::uint64_t bytes = bytesOf(o.type);
            return c.add(at, std::uint64_t(rowsOf(p, o)) * bytes, std::uint64_t(columnsOf(p, o)),
                         std::uint64_t(o.leading) * bytes, use);
        };
        const bool readsC = beta.isKnown() && !beta.isZero();
        for (std::size_t n = 0; n < A.size(); ++n) // without a k nothing is read
            all.push_back({p.k > 0 ? add(p.A, A[n], Use::Reads) : ~std::size_t(0),
                           p.k > 0 ? add(p.B, B[n], Use::Reads) : ~std::size_t(0),
                           add(p.C, C[n], readsC ? Use::Updates : Use::Writes)});
    }
    return c.give(isNothing, [=](Places m) {
        const auto scale = [&](const Scalar<S>& s) {
            const S v = s.at(m);
            if constexpr (std::is_same_v<S, std::uint16_t>)
                return T(valueOf(v, binary16));
            else
                return T(v);
        };
        std::byte none[16] = {};
        for (const Three& each : all)
            carryOut<T>(p, scale(alpha), scale(beta), p.k > 0 ? m[each.A] : none, p.k > 0 ? m[each.B] : none,
                        m[each.C]);
    });
}

int product(Call c, const Product& p) {
    const auto isOp = [](Op op) { return int(op) >= 0 && int(op) <= 2; };
    c.needs(p.m >= 0 && p.n >= 0 && p.k >= 0 && p.count >= 0 && isOp(p.a) && isOp(p.b));
    for (const Operand* o : {&p.A, &p.B, &p.C})
        c.needs(o->leading >= std::max(1, rowsOf(p, *o)));
    const int in = computedIn(p.compute, p.C.type);
    const auto real = [](int type) { return type != C32 && type != C64 && bytesOf(type) > 0; };
    const bool isReal = real(p.A.type) && real(p.B.type) && real(p.C.type);
    const bool wide = p.A.type == F64 || p.C.type == F64;
    if (in == F32 && isReal && !wide && p.C.type != S32)
        return give<float, float>(c, p);
    if (in == F64 && isReal)
        return give<double, double>(c, p);
    if (in == F16 && isReal && !wide)
        return give<float, std::uint16_t>(c, p);
    if (in == S32 && p.A.type == S8 && p.B.type == S8 && p.C.type == S32)
        return give<double, std::int32_t>(c, p); // 53 bits hold every sum of 8-bit products
    if (in == C32 && p.A.type == C32 && p.B.type == C32 && p.C.type == C32)
        return give<Complex, Complex>(c, p);
    if (in == C64 && p.A.type == C64 && p.B.type == C64 && p.C.type == C64)
        return give<DoubleComplex, DoubleComplex>(c, p);
    return blasNotSupported;
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): what stands there are types and parts of names
#define WG_PRODUCTS(L, T, TYPE, COMPUTE)                                                                               \
    WG_PRODUCT(cublas##L##gemm_v2, T, TYPE, COMPUTE)                                                                   \
    WG_PRODUCT_OF_MANY(L, T, TYPE, COMPUTE)
#define WG_PRODUCT(NAME, T, TYPE, COMPUTE)                                                                             \
    WG_API int NAME(void* h, Op a, Op b, int m, int n, int k, const T* alpha, const T* A, int lda, const T* B,         \
                    int ldb, const T* beta, T* C, int ldc) {                                                           \
        return product(                                                                                                \
            {h, __func__},                                                                                             \
            {a, b, m, n, k, 1, {TYPE, lda, 0, A}, {TYPE, ldb, 0, B}, {TYPE, ldc, 0, C}, alpha, beta, COMPUTE});        \
    }
#define WG_PRODUCT_OF_MANY(L, T, TYPE, COMPUTE)                                                                        \
    WG_API int cublas##L##gemmStridedBatched(void* h, Op a, Op b, int m, int n, int k, const T* alpha, const T* A,     \
                                             int lda, long long strideA, const T* B, int ldb, long long strideB,       \
                                             const T* beta, T* C, int ldc, long long strideC, int count) {             \
        return product({h, __func__}, {a,                                                                              \
                                       b,                                                                              \
                                       m,                                                                              \
                                       n,                                                                              \
                                       k,                                                                              \
                                       count,                                                                          \
                                       {TYPE, lda, strideA, A},                                                        \
                                       {TYPE, ldb, strideB, B},                                                        \
                                       {TYPE, ldc, strideC, C},                                                        \
                                       alpha,                                                                          \
                                       beta,                                                                           \
                                       COMPUTE});                                                                      \
    }                                                                                                                  \
    WG_API int cublas##L##gemmBatched(void* h, Op a, Op b, int m, int n, int k, const T* alpha, const T* const* A,     \
                                      int lda, const T* const* B, int ldb, const T* beta, T* const* C, int ldc,        \
                                      int count) {                                                                     \
        const auto list = [](const auto* p) { return reinterpret_cast<const void* const*>(p); };                       \
        return product({h, __func__}, {a,                                                                              \
                                       b,                                                                              \
                                       m,                                                                              \
                                       n,                                                                              \
                                       k,                                                                              \
                                       count,                                                                          \
                                       {TYPE, lda, 0, nullptr, list(A)},                                               \
                                       {TYPE, ldb, 0, nullptr, list(B)},                                               \
                                       {TYPE, ldc, 0, nullptr, list(C)},                                               \
                                       alpha,                                                                          \
                                       beta,                                                                           \
                                       COMPUTE});                                                                      \
    }
// NOLINTEND(bugprone-macro-parentheses)
WG_PRODUCTS(S, float, F32, F32)
WG_PRODUCTS(D, double, F64, F64)
WG_PRODUCTS(C, Complex, C32, C32)
WG_PRODUCTS(Z, DoubleComplex, C64, C64)
WG_PRODUCT(cublasHgemm, std::uint16_t, F16, F16)
WG_PRODUCT_OF_MANY(H, std::uint16_t, F16, F16)

WG_API int cublasGemmEx(void* h, Op a, Op b, int m, int n, int k, const void* alpha, const void* A, int typeA, int lda,
                        const void* B, int typeB, int ldb, const void* beta, void* C, int typeC, int ldc, int compute,
                        int) {
    return product(
        {h, __func__},
        {a, b, m, n, k, 1, {typeA, lda, 0, A}, {typeB, ldb, 0, B}, {typeC, ldc, 0, C}, alpha, beta, compute});
}
WG_API int cublasSgemmEx(void* h, Op a, Op b, int m, int n, int k, const float* alpha, const void* A, int typeA,
                         int lda, const void* B, int typeB, int ldb, const float* beta, void* C, int typeC, int ldc) {
    return product({h, __func__},
                   {a, b, m, n, k, 1, {typeA, lda, 0, A}, {typeB, ldb, 0, B}, {typeC, ldc, 0, C}, alpha, beta, F32});
}
WG_API int cublasGemmStridedBatchedEx(void* h, Op a, Op b, int m, int n, int k, const void* alpha, const void* A,
                                      int typeA, int lda, long long strideA, const void* B, int typeB, int ldb,
                                      long long strideB, const void* beta, void* C, int typeC, int ldc,
                                      long long strideC, int count, int compute, int) {
    return product({h, __func__}, {a,
                                   b,
                                   m,
                                   n,
                                   k,
                                   count,
                                   {typeA, lda, strideA, A},
                                   {typeB, ldb, strideB, B},
                                   {typeC, ldc, strideC, C},
                                   alpha,
                                   beta,
                                   compute});
}
WG_API int cublasGemmBatchedEx(void* h, Op a, Op b, int m, int n, int k, const void* alpha, const void* const* A,
                               int typeA, int lda, const void* const* B, int typeB, int ldb, const void* beta,
                               void* const* C, int typeC, int ldc, int count, int compute, int) {
    return product({h, __func__}, {a,
                                   b,
                                   m,
                                   n,
                                   k,
                                   count,
                                   {typeA, lda, 0, nullptr, A},
                                   {typeB, ldb, 0, nullptr, B},
                                   {typeC, ldc, 0, nullptr, C},
                                   alpha,
                                   beta,
                                   compute});
}
