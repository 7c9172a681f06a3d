// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS, level 3: products of matrices, one or many, of one type or of several (GemmEx). Elements of 8 and 16 bits become float
// or double before they are multiplied, and are rounded once, at the end; whole numbers of 8 bits are exact so.
#include "gpu/virtual/libraries/blas_types.h"

#include <vector>

using namespace warpglass;
using namespace warpglass::virtual_device;
using namespace warpglass::virtual_device::blas;

namespace {

using Use = Call::Use;

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
    case 79:
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
    case 78:
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

// Work of a product, once its operands are among the call's pieces; none where there is nothing to be done.
using Later = std::function<void(Places)>;
template <class T, class S>
Later prepared(Call& c, const Product& p) {
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
    if (isNothing)
        return {};
    return [=](Places m) {
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
    };
}

// Into to; false: there is no product of such types.
bool prepare(Call& c, const Product& p, std::vector<Later>& to) {
    const auto isOp = [](Op op) { return int(op) >= 0 && int(op) <= 2; };
    c.needs(p.m >= 0 && p.n >= 0 && p.k >= 0 && p.count >= 0 && isOp(p.a) && isOp(p.b));
    for (const Operand* o : {&p.A, &p.B, &p.C})
        c.needs(o->leading >= std::max(1, rowsOf(p, *o)));
    const int in = computedIn(p.compute, p.C.type);
    const auto real = [](int type) { return !isComplexType(type) && bytesOf(type) > 0; };
    const auto all = [&](int type) { return p.A.type == type && p.B.type == type && p.C.type == type; };
    const bool isReal = real(p.A.type) && real(p.B.type) && real(p.C.type);
    const bool wide = p.A.type == F64 || p.C.type == F64;
    if (in == F32 && isReal && !wide && p.C.type != S32)
        to.push_back(prepared<float, float>(c, p));
    else if (in == F64 && isReal)
        to.push_back(prepared<double, double>(c, p));
    else if (in == F16 && isReal && !wide)
        to.push_back(prepared<float, std::uint16_t>(c, p));
    else if (in == S32 && p.A.type == S8 && p.B.type == S8 && p.C.type == S32)
        to.push_back(prepared<double, std::int32_t>(c, p)); // 53 bits hold every sum of 8-bit products
    else if (in == C32 && all(C32))
        to.push_back(prepared<Complex, Complex>(c, p));
    else if (in == C64 && all(C64))
        to.push_back(prepared<DoubleComplex, DoubleComplex>(c, p));
    else
        return false;
    return true;
}

int products(Call c, const std::vector<Product>& wanted) {
    std::vector<Later> all;
    for (const Product& p : wanted)
        if (!prepare(c, p, all))
            return blasNotSupported;
    std::erase_if(all, [](const Later& work) { return !work; });
    return c.give(all.empty(), [all](Places m) {
        for (const Later& work : all)
            work(m);
    });
}
int product(Call c, const Product& p) {
    return products(std::move(c), {p});
}

// Groups of products, each of its own shape: shapes and scales are the host's, a group's scales one element of theirs.
struct Groups {
    const Op *a = nullptr, *b = nullptr;
    const int *m = nullptr, *n = nullptr, *k = nullptr;
    const void* alpha = nullptr;
    const void* const* A = nullptr;
    const int* lda = nullptr;
    const void* const* B = nullptr;
    const int* ldb = nullptr;
    const void* beta = nullptr;
    const void* const* C = nullptr;
    const int* ldc = nullptr;
    int count = 0;
    const int* sizes = nullptr;
};
int grouped(Call c, const Groups& g, int typeA, int typeB, int typeC, int compute) {
    const int in = computedIn(compute, typeC);
    if (in < 0)
        return blasNotSupported;
    if (!c.needs(g.count >= 0 && g.a && g.b && g.m && g.n && g.k && g.alpha && g.beta && g.lda && g.ldb && g.ldc &&
                 g.sizes))
        return c.failed();
    std::vector<Product> all;
    std::size_t before = 0;
    for (int n = 0; n < g.count; ++n) {
        const auto scale = [&](const void* first) {
            return static_cast<const std::byte*>(first) + std::size_t(n) * bytesOf(in);
        };
        all.push_back({g.a[n],
                       g.b[n],
                       g.m[n],
                       g.n[n],
                       g.k[n],
                       g.sizes[n],
                       {typeA, g.lda[n], 0, nullptr, g.A + before},
                       {typeB, g.ldb[n], 0, nullptr, g.B + before},
                       {typeC, g.ldc[n], 0, nullptr, g.C + before},
                       scale(g.alpha),
                       scale(g.beta),
                       compute});
        before += std::size_t(std::max(g.sizes[n], 0));
    }
    return products(std::move(c), all);
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
#define WG_GROUPED(L, T, TYPE, COMPUTE)                                                                                \
    WG_API int cublas##L##gemmGroupedBatched(void* h, const Op* a, const Op* b, const int* m, const int* n,            \
                                             const int* k, const T* alpha, const void* const* A, const int* lda,       \
                                             const void* const* B, const int* ldb, const T* beta,                      \
                                             const void* const* C, const int* ldc, int count, const int* sizes) {      \
        return grouped({h, __func__}, {a, b, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, count, sizes}, TYPE, TYPE,  \
                       TYPE, COMPUTE);                                                                                 \
    }
// NOLINTEND(bugprone-macro-parentheses)
WG_PRODUCTS(S, float, F32, F32)
WG_PRODUCTS(D, double, F64, F64)
WG_PRODUCTS(C, Complex, C32, C32)
WG_PRODUCTS(Z, DoubleComplex, C64, C64)
WG_PRODUCT(cublasHgemm, std::uint16_t, F16, F16)
WG_PRODUCT(cublasCgemm3m, Complex, C32, C32)
WG_PRODUCT(cublasZgemm3m, DoubleComplex, C64, C64)
WG_PRODUCT_OF_MANY(H, std::uint16_t, F16, F16)
WG_GROUPED(S, float, F32, F32)
WG_GROUPED(D, double, F64, F64)

WG_API int cublasGemmEx(void* h, Op a, Op b, int m, int n, int k, const void* alpha, const void* A, int typeA, int lda,
                        const void* B, int typeB, int ldb, const void* beta, void* C, int typeC, int ldc, int compute,
                        int) {
    return product(
        {h, __func__},
        {a, b, m, n, k, 1, {typeA, lda, 0, A}, {typeB, ldb, 0, B}, {typeC, ldc, 0, C}, alpha, beta, compute});
}
// NOLINTBEGIN(bugprone-macro-parentheses)
#define WG_PRODUCT_OF_TYPES(NAME, T, COMPUTE)                                                                          \
    WG_API int cublas##NAME(void* h, Op a, Op b, int m, int n, int k, const T* alpha, const void* A, int typeA,        \
                            int lda, const void* B, int typeB, int ldb, const T* beta, void* C, int typeC, int ldc) {  \
        return product(                                                                                                \
            {h, __func__},                                                                                             \
            {a, b, m, n, k, 1, {typeA, lda, 0, A}, {typeB, ldb, 0, B}, {typeC, ldc, 0, C}, alpha, beta, COMPUTE});     \
    }
// NOLINTEND(bugprone-macro-parentheses)
WG_PRODUCT_OF_TYPES(SgemmEx, float, F32)
WG_PRODUCT_OF_TYPES(CgemmEx, Complex, C32)
WG_PRODUCT_OF_TYPES(Cgemm3mEx, Complex, C32)
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
WG_API int cublasGemmGroupedBatchedEx(void* h, const Op* a, const Op* b, const int* m, const int* n, const int* k,
                                      const void* alpha, const void* const* A, int typeA, const int* lda,
                                      const void* const* B, int typeB, const int* ldb, const void* beta, void* const* C,
                                      int typeC, const int* ldc, int count, const int* sizes, int compute) {
    return grouped({h, __func__}, {a, b, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, count, sizes}, typeA, typeB,
                   typeC, compute);
}
