// SPDX-License-Identifier: GPL-3.0-or-later
// What stands between products: softmax, norms and activations, row by row, by a warp or a block a row.
#include "today.h"

#include <type_traits>

template <class T, int Count>
struct alignas(sizeof(T) * Count) Several {
    T v[Count];
};
__device__ inline float number(float x) {
    return x;
}
__device__ inline float number(__half x) {
    return __half2float(x);
}
__device__ inline float number(__nv_bfloat16 x) {
    return __bfloat162float(x);
}
template <class T>
__host__ __device__ inline T made(float x) {
    if constexpr (sizeof(T) == 4)
        return x;
    else if constexpr (std::is_same_v<T, __half>)
        return __float2half(x);
    else
        return __float2bfloat16(x);
}
struct Add {
    __device__ float operator()(float a, float b) const { return a + b; }
    static constexpr float none = 0;
};
struct Greater {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
    static constexpr float none = -INFINITY;
};
template <int Threads, class Op>
__device__ inline float ofAll(float x, Op op) { // of a warp or of a block
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        x = op(x, __shfl_xor_sync(~0u, x, step));
    if constexpr (Threads > 32) {
        __shared__ float warps[Threads / 32];
        if (threadIdx.x % 32 == 0)
            warps[threadIdx.x / 32] = x;
        __syncthreads();
        x = threadIdx.x % 32 < Threads / 32 ? warps[threadIdx.x % 32] : Op::none;
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            x = op(x, __shfl_xor_sync(~0u, x, step));
        __syncthreads();
    }
    return x;
}

// A row of Columns elements, 16 bytes at a time, kept in the registers of Threads threads; several rows in a block of
// 128 threads if a warp has a row.
template <class T, int Columns, int Threads>
struct Row {
    static constexpr int block = Threads == 32 ? 128 : Threads, each = 16 / int(sizeof(T));
    static constexpr int pieces = Columns / each / Threads, lanes = Threads;
    static_assert(pieces * each * Threads == Columns);
    float v[pieces * each];
    __device__ static long number() {
        return Threads == 32 ? long(blockIdx.x) * 4 + threadIdx.x / 32 : long(blockIdx.x);
    }
    __device__ void load(const T* from) {
#pragma unroll
        for (int p = 0; p < pieces; ++p) {
            const auto some = reinterpret_cast<const Several<T, each>*>(from)[p * Threads + int(threadIdx.x) % Threads];
#pragma unroll
            for (int e = 0; e < each; ++e)
                v[p * each + e] = ::number(some.v[e]);
        }
    }
    __device__ void store(T* to) const {
#pragma unroll
        for (int p = 0; p < pieces; ++p) {
            Several<T, each> some;
#pragma unroll
            for (int e = 0; e < each; ++e)
                some.v[e] = made<T>(v[p * each + e]);
            reinterpret_cast<Several<T, each>*>(to)[p * Threads + int(threadIdx.x) % Threads] = some;
        }
    }
};

template <class T, int Columns, int Threads>
__global__ void __launch_bounds__(Threads == 32 ? 128 : Threads) softmax(const T* in, T* out) {
    Row<T, Columns, Threads> row;
    const long at = row.number() * Columns;
    row.load(in + at);
    float high = -INFINITY, sum = 0;
    for (const float x : row.v)
        high = fmaxf(high, x);
    high = ofAll<Threads>(high, Greater{});
    for (float& x : row.v)
        sum += x = __expf(x - high);
    const float down = 1 / ofAll<Threads>(sum, Add{});
    for (float& x : row.v)
        x *= down;
    row.store(out + at);
}
// Rows that no block keeps: the running maximum and sum in one pass, the results in a second one.
__global__ void __launch_bounds__(512) softmaxOnline(const float* in, float* out, int columns) {
    in += long(blockIdx.x) * columns;
    out += long(blockIdx.x) * columns;
    float high = -INFINITY, sum = 0;
    for (int k = int(threadIdx.x); k < columns; k += 512) {
        const float x = in[k], now = fmaxf(high, x);
        sum = sum * expf(high - now) + expf(x - now);
        high = now;
    }
    const float all = ofAll<512>(high, Greater{});
    const float down = 1 / ofAll<512>(sum * expf(high - all), Add{});
    for (int k = int(threadIdx.x); k < columns; k += 512)
        out[k] = expf(in[k] - all) * down;
}

enum class Norm { Layer, Root, Residual };
template <class T, int Columns, int Threads, Norm norm>
__global__ void __launch_bounds__(Threads == 32 ? 128 : Threads)
    normalise(const T* in, const T* more, const T* gain, const T* shift, T* kept, T* out) {
    Row<T, Columns, Threads> row;
    const long at = row.number() * Columns;
    row.load(in + at);
    if constexpr (norm == Norm::Residual) {
        Row<T, Columns, Threads> other;
        other.load(more + at);
        for (int k = 0; k < int(sizeof row.v / 4); ++k)
            row.v[k] += other.v[k];
        row.store(kept + at);
    }
    float sum = 0, squares = 0;
    if constexpr (norm != Norm::Root) {
        for (const float x : row.v)
            sum += x;
        sum = ofAll<Threads>(sum, Add{}) / Columns;
    }
    for (const float x : row.v)
        squares += (x - sum) * (x - sum);
    const float scale = rsqrtf(ofAll<Threads>(squares, Add{}) / Columns + 1e-5f);
    Row<T, Columns, Threads> gains, shifts;
    gains.load(gain);
    if constexpr (norm != Norm::Root)
        shifts.load(shift);
    for (int k = 0; k < int(sizeof row.v / 4); ++k)
        row.v[k] = (row.v[k] - sum) * scale * gains.v[k] + (norm == Norm::Root ? 0 : shifts.v[k]);
    row.store(out + at);
}

enum class Act { Tanh, Erf, BiasTanh, Gated };
template <Act act>
__device__ inline float activated(float x, float other) {
    if constexpr (act == Act::Erf)
        return 0.5f * x * (1 + erff(x * 0.70710678f));
    if constexpr (act == Act::Gated)
        return x / (1 + __expf(-x)) * other;
    if constexpr (act == Act::BiasTanh)
        x += other;
    return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}
// `other` is as long as a row (a bias) or as all (gates).
template <class T, Act act>
__global__ void __launch_bounds__(256) activate(const T* in, const T* other, T* out, int columns) {
    constexpr int each = 16 / int(sizeof(T));
    const int at = int(blockIdx.x * 256 + threadIdx.x);
    using S = Several<T, each>;
    S some = reinterpret_cast<const S*>(in)[at], with{};
    if constexpr (act == Act::BiasTanh)
        with = reinterpret_cast<const S*>(other)[at % (columns / each)];
    if constexpr (act == Act::Gated)
        with = reinterpret_cast<const S*>(other)[at];
#pragma unroll
    for (int e = 0; e < each; ++e)
        some.v[e] = made<T>(activated<act>(number(some.v[e]), number(with.v[e])));
    reinterpret_cast<S*>(out)[at] = some;
}

template <class T>
std::vector<T> draws(std::size_t count, std::uint32_t seed, float least, float most) {
    std::vector<T> values(count);
    Random draw{seed};
    for (T& v : values)
        v = made<T>(least + (most - least) * draw.unit());
    return values;
}
template <class T>
double exact(T x) {
    return double(float(x));
}
template <class T>
bool near(T is, double want) {
    const bool right =
        std::abs(exact(is) - want) <= 1e-6 + (sizeof(T) == 4 ? 1e-4 : 0.02) * std::max(std::abs(want), 0.05);
    if (!right)
        std::printf("%g for %g\n", exact(is), want);
    return right;
}
// `want(row, in)` gives a row's results.
template <class T, class Want>
bool rowsAre(const std::vector<T>& out, int rows, int columns, Want want) {
    Random draw{3};
    for (int sample = 0; sample < 20; ++sample) {
        const int row = sample == 0 ? rows - 1 : draw.within(0, rows - 1);
        const std::vector<double> wanted = want(std::size_t(row) * columns);
        for (int k = 0; k < columns; ++k)
            if (!near(out[std::size_t(row) * columns + k], wanted[k]))
                return false;
    }
    return true;
}
template <class T, class Launch>
void softmaxOf(const char* name, int rows, int columns, Launch launch) {
    if (!chosen(name))
        return;
    const std::size_t count = std::size_t(rows) * columns;
    const auto in = draws<T>(count, 1, -4, 4);
    Memory memory;
    const T* from = memory.holding(in);
    T* to = memory.of<T>(count);
    twice([&] { launch(from, to); });
    say(name, rowsAre(back(to, count), rows, columns, [&](std::size_t at) {
            std::vector<double> want;
            double sum = 0;
            for (int k = 0; k < columns; ++k)
                sum += std::exp(exact(in[at + k]));
            for (int k = 0; k < columns; ++k)
                want.push_back(std::exp(exact(in[at + k])) / sum);
            return want;
        }));
}
template <class T, int Columns, int Threads>
void softmaxRows(const char* name, int rows) {
    using R = Row<T, Columns, Threads>;
    softmaxOf<T>(name, rows, Columns, [=](const T* in, T* out) {
        softmax<T, Columns, Threads><<<rows / (R::block / Threads), R::block>>>(in, out);
    });
}
template <class T, int Columns, int Threads, Norm norm>
void normRows(const char* name, int rows) {
    if (!chosen(name))
        return;
    using R = Row<T, Columns, Threads>;
    const std::size_t count = std::size_t(rows) * Columns;
    const auto in = draws<T>(count, 1, -2, 3), more = draws<T>(count, 2, -1, 1);
    const auto gain = draws<T>(Columns, 3, 0.5f, 1.5f), shift = draws<T>(Columns, 4, -1, 1);
    Memory memory;
    const T *from = memory.holding(in), *other = memory.holding(more), *g = memory.holding(gain),
            *s = memory.holding(shift);
    T *kept = memory.of<T>(count), *to = memory.of<T>(count);
    twice([&] {
        normalise<T, Columns, Threads, norm><<<rows / (R::block / Threads), R::block>>>(from, other, g, s, kept, to);
    });
    say(name, rowsAre(back(to, count), rows, Columns, [&](std::size_t at) {
            std::vector<double> x, want;
            double mean = 0, squares = 0;
            for (int k = 0; k < Columns; ++k) {
                x.push_back(exact(in[at + k]) + (norm == Norm::Residual ? exact(more[at + k]) : 0));
                mean += norm == Norm::Root ? 0 : x.back() / Columns;
            }
            for (const double v : x)
                squares += (v - mean) * (v - mean) / Columns;
            for (int k = 0; k < Columns; ++k)
                want.push_back((x[k] - mean) / std::sqrt(squares + 1e-5) * exact(gain[k]) +
                               (norm == Norm::Root ? 0 : exact(shift[k])));
            return want;
        }));
}
template <class T, Act act>
void activation(const char* name, int rows, int columns) {
    if (!chosen(name))
        return;
    const std::size_t count = std::size_t(rows) * columns;
    const auto in = draws<T>(count, 1, -3, 3), other = draws<T>(act == Act::Gated ? count : columns, 2, -1, 1);
    Memory memory;
    const T *from = memory.holding(in), *with = memory.holding(other);
    T* to = memory.of<T>(count);
    twice([&] { activate<T, act><<<unsigned(count * sizeof(T) / 16 / 256), 256>>>(from, with, to, columns); });
    say(name, rowsAre(back(to, count), rows, columns, [&](std::size_t at) {
            std::vector<double> want;
            for (int k = 0; k < columns; ++k) {
                double x = exact(in[at + k]);
                if (act == Act::BiasTanh)
                    x += exact(other[k]);
                want.push_back(act == Act::Erf ? 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)))
                               : act == Act::Gated
                                   ? x / (1 + std::exp(-x)) * exact(other[at + k])
                                   : 0.5 * x * (1 + std::tanh(0.79788456 * (x + 0.044715 * x * x * x))));
            }
            return want;
        }));
}

int main(int argc, char** argv) {
    begin(argc, argv);
    softmaxRows<float, 1024, 32>("softmax_warp_1024", 4096);
    softmaxRows<float, 4096, 256>("softmax_block_4096", 1024);
    softmaxRows<__half, 512, 32>("softmax_half_warp_512", 8192);
    softmaxRows<__half, 2048, 128>("softmax_half_2048", 3072);
    softmaxOf<float>("softmax_online_16384", 264, 16384,
                     [](const float* in, float* out) { softmaxOnline<<<264, 512>>>(in, out, 16384); });
    softmaxOf<float>("softmax_online_3000", 1000, 3000,
                     [](const float* in, float* out) { softmaxOnline<<<1000, 512>>>(in, out, 3000); });
    normRows<__half, 768, 32, Norm::Layer>("layernorm_half_warp_768", 6144);
    normRows<float, 1024, 256, Norm::Layer>("layernorm_block_1024", 4096);
    normRows<float, 4096, 512, Norm::Layer>("layernorm_block_4096", 1024);
    normRows<__half, 4096, 256, Norm::Root>("rmsnorm_half_4096", 2048);
    normRows<float, 512, 32, Norm::Root>("rmsnorm_warp_512", 8192);
    normRows<__nv_bfloat16, 1024, 128, Norm::Residual>("residual_layernorm_bf16_1024", 4096);
    activation<float, Act::Tanh>("gelu_tanh", 2048, 2048);
    activation<__half, Act::Erf>("gelu_erf_half", 4096, 1024);
    activation<__nv_bfloat16, Act::BiasTanh>("bias_gelu_bf16", 2048, 3072);
    activation<__half, Act::Gated>("gated_half", 2048, 2048);
    return end();
}
