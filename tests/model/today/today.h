// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of these programs: each fills its memory, puts it out of L2, launches its kernel (cold), launches it again
// (warm), and holds the results against the host's. A program launches nothing else, so that launch 2 k and 2 k + 1 of
// its list are those of the k-th case that it names.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const cudaError_t status = (call);                                                                             \
        if (status != cudaSuccess) {                                                                                   \
            std::printf("line %d: %s is %s\n", __LINE__, #call, cudaGetErrorName(status));                             \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

inline std::vector<std::string> only; // cases that were asked for; none: all
inline bool failed = false;

inline void begin(int argc, char** argv) {
    only.assign(argv + 1, argv + argc);
}
inline bool chosen(const std::string& name) {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
}
inline void say(const std::string& name, bool right) {
    std::printf("%s %s\n", name.c_str(), right ? "right" : "WRONG");
    failed = failed || !right;
}
inline int end() {
    std::printf(failed ? "FAILED\n" : "passed\n");
    return failed ? 1 : 0;
}

// Device memory of a case, given back with it.
class Memory {
public:
    Memory() = default;
    Memory(const Memory&) = delete;
    ~Memory() {
        for (void* p : given_)
            CHECK(cudaFree(p));
    }
    template <class T>
    T* of(std::size_t count) {
        void* p = nullptr;
        CHECK(cudaMalloc(&p, count * sizeof(T)));
        CHECK(cudaMemset(p, 0, count * sizeof(T)));
        given_.push_back(p);
        return static_cast<T*>(p);
    }
    template <class T>
    T* holding(const std::vector<T>& values) {
        T* p = of<T>(values.size());
        CHECK(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
        return p;
    }

private:
    std::vector<void*> given_;
};
template <class T>
std::vector<T> back(const T* from, std::size_t count) {
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

// `before` gives what the kernel changes its first value again.
template <class Before, class Launch>
void twice(Before before, Launch launch) {
    constexpr std::size_t more = std::size_t(96) << 20; // than L2 holds
    static void* other = nullptr;
    if (!other)
        CHECK(cudaMalloc(&other, more));
    before();
    CHECK(cudaMemset(other, 0, more));
    launch();
    CHECK(cudaGetLastError());
    before();
    launch();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}
template <class Launch>
void twice(Launch launch) {
    twice([] {}, launch);
}

struct Random {
    std::uint32_t state = 1;
    std::uint32_t next() {
        state = state * 1664525u + 1013904223u;
        return state >> 8;
    }
    int within(int least, int most) { return least + int(next() % std::uint32_t(most - least + 1)); }
    float unit() { return float(next()) / float(1 << 24); }
};

// Element types of products. Small whole numbers are exact in each, and so are their sums in 32 bits.
enum class Of { F16, BF16, TF32, E4M3, S8 };
constexpr int bytesOf(Of type) {
    return type == Of::TF32 ? 4 : type == Of::F16 || type == Of::BF16 ? 2 : 1;
}
template <Of T>
struct SumOf {
    using Type = float;
};
template <>
struct SumOf<Of::S8> {
    using Type = int;
};
template <Of T>
using Sum = typename SumOf<T>::Type;

struct Matrix { // rows of whole numbers, and the same as bytes of a type
    int rows, columns;
    std::vector<signed char> values;
    std::vector<unsigned char> bytes;
    int at(int row, int column) const { return values[std::size_t(row) * columns + column]; }
};
template <Of T>
void encode(int value, unsigned char* to) {
    if constexpr (T == Of::F16) {
        const __half h = __float2half(float(value));
        std::memcpy(to, &h, 2);
    } else if constexpr (T == Of::BF16) {
        const __nv_bfloat16 h = __float2bfloat16(float(value));
        std::memcpy(to, &h, 2);
    } else if constexpr (T == Of::TF32) {
        const float f = float(value);
        std::memcpy(to, &f, 4);
    } else if constexpr (T == Of::E4M3) {
        *to = __nv_cvt_float_to_fp8(float(value), __NV_SATFINITE, __NV_E4M3);
    } else {
        *to = (unsigned char)(signed char)value;
    }
}
template <Of T>
Matrix random(int rows, int columns, std::uint32_t seed) {
    Matrix m{rows, columns, std::vector<signed char>(std::size_t(rows) * columns), {}};
    m.bytes.resize(m.values.size() * bytesOf(T));
    unsigned char made[7][4];
    for (int v = -3; v <= 3; ++v)
        encode<T>(v, made[v + 3]);
    Random draw{seed};
    for (std::size_t k = 0; k < m.values.size(); ++k) {
        const int v = draw.within(-3, 3);
        m.values[k] = (signed char)v;
        std::memcpy(&m.bytes[k * bytesOf(T)], made[v + 3], bytesOf(T));
    }
    return m;
}

// c[i][j] = sum of a[i][k] b[j][k], at the corners and at 500 places.
template <class S>
bool isProduct(const Matrix& a, const Matrix& b, const std::vector<S>& c) {
    Random draw{77};
    for (int sample = 0; sample < 504; ++sample) {
        const int i = sample < 4 ? (sample & 1) * (a.rows - 1) : draw.within(0, a.rows - 1);
        const int j = sample < 4 ? (sample >> 1) * (b.rows - 1) : draw.within(0, b.rows - 1);
        int sum = 0;
        for (int k = 0; k < a.columns; ++k)
            sum += a.at(i, k) * b.at(j, k);
        if (c[std::size_t(i) * b.rows + j] != S(sum)) {
            std::printf("at %d, %d: %g for %d\n", i, j, double(c[std::size_t(i) * b.rows + j]), sum);
            return false;
        }
    }
    return true;
}
inline int processors() {
    int count = 0;
    CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return count;
}
