// SPDX-License-Identifier: GPL-3.0-or-later
// What ptxas makes of sequences and puts between each other, and tiles of products with parts left out: chain, sums, bodies, tile and
// count of h200-micro.csv. nvcc -std=c++20 -O3 -gencode arch=compute_90a,code=sm_90a -lcuda.
// Cycles of one warp (and of several) for what kernels of today are made of. Rows: case,cycles a round.
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cuda_fp16.h>
#include "../../model/today/mma_tiles.h"
#define OK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s %s\n", #x, cudaGetErrorString(e_)); exit(1);} } while (0)
struct Ex2 { static __device__ float of(float x, float) { float y; asm volatile("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; } };
struct Ex2Ftz { static __device__ float of(float x, float) { float y; asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; } };
struct Rsq { static __device__ float of(float x, float) { float y; asm volatile("rsqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; } };
struct RsqFtz { static __device__ float of(float x, float) { float y; asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; } };
struct Lg2 { static __device__ float of(float x, float) { float y; asm volatile("lg2.approx.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; } };
struct DivFull { static __device__ float of(float x, float d) { float y; asm volatile("div.full.f32 %0, %1, %2;" : "=f"(y) : "f"(x), "f"(d)); return y; } };
struct DivRn { static __device__ float of(float x, float d) { return x / d; } };
struct UDiv { static __device__ float of(float x, float d) { return __uint_as_float((__float_as_uint(x) / __float_as_uint(d)) + 0x40000000u); } };
struct SDiv { static __device__ float of(float x, float d) { return __int_as_float((__float_as_int(x) / __float_as_int(d)) + 0x40000000); } };
struct URem { static __device__ float of(float x, float d) { return __uint_as_float((__float_as_uint(x) % __float_as_uint(d)) + 0x40000000u); } };
struct Exp { static __device__ float of(float x, float) { return expf(x) - 1.5f; } };
struct Tanh { static __device__ float of(float x, float) { return tanhf(x); } };
struct Fma { static __device__ float of(float x, float d) { return fmaf(x, d, d); } };
struct Shfl { static __device__ float of(float x, float) { return x + __shfl_xor_sync(~0u, x, 1); } };
struct Cvt { static __device__ float of(float x, float d) { return float(int(x)) * d; } };

template <class Op, int K>
__global__ void chains(float* out, uint64_t* cycles, float d, int rounds) {
    float x[K];
    for (int k = 0; k < K; ++k) x[k] = 1.0f + k * 0.01f + threadIdx.x * 0.001f;
    __syncthreads();
    const uint64_t t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < K; ++k) x[k] = Op::of(x[k], d);
    }
    const uint64_t t1 = clock64();
    float s = 0;
    for (int k = 0; k < K; ++k) s += x[k];
    out[threadIdx.x] = s;
    if (threadIdx.x == 0) *cycles = t1 - t0;
}
float* out; uint64_t* cyc;
template <class Op, int K> void chain(const char* name, float d) {
    for (int warps : {1, 4, 8, 16}) {
        for (int again = 0; again < 2; ++again) { chains<Op, K><<<1, 32 * warps>>>(out, cyc, d, 32); OK(cudaDeviceSynchronize()); }
        uint64_t c; OK(cudaMemcpy(&c, cyc, 8, cudaMemcpyDeviceToHost));
        printf("chain/%s/beside:%d/warps:%d,%.2f\n", name, K, warps, c / 32.0);
    }
}
template <class Op> void all(const char* name, float d) { chain<Op, 1>(name, d); chain<Op, 2>(name, d); chain<Op, 4>(name, d); chain<Op, 8>(name, d); chain<Op, 16>(name, d); }

// Exponentials of 32 values and their sum, as attention has them.
template <bool Ftz>
__global__ void sums(float* out, uint64_t* cycles, float scale, int rounds) {
    float x[32], s = 0;
    for (int k = 0; k < 32; ++k) x[k] = 0.1f * k + threadIdx.x * 0.01f;
    __syncthreads();
    const uint64_t t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        float more = 0;
#pragma unroll
        for (int k = 0; k < 32; ++k) { const float e = x[k] * scale - s * scale; x[k] = Ftz ? Ex2Ftz::of(e, 0) : Ex2::of(e, 0); more += x[k]; }
        s = more;
    }
    const uint64_t t1 = clock64();
    for (int k = 0; k < 32; ++k) s += x[k];
    out[threadIdx.x] = s;
    if (threadIdx.x == 0) *cycles = t1 - t0;
}
// Bodies in shared memory.
template <int Unroll>
__global__ void bodies(float* out, uint64_t* cycles, int rounds) {
    __shared__ float4 tile[64];
    if (threadIdx.x < 64) tile[threadIdx.x] = make_float4(threadIdx.x * .1f, threadIdx.x * .2f, 1, 2);
    __syncthreads();
    float fx = 0, fy = 0, fz = 0, mx = threadIdx.x, my = 1, mz = 2;
    const uint64_t t0 = clock64();
#pragma unroll Unroll
    for (int k = 0; k < rounds; ++k) {
        const float4 o = tile[k & 63];
        const float dx = o.x - mx, dy = o.y - my, dz = o.z - mz, inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), q = o.w * inv * inv * inv;
        fx += q * dx; fy += q * dy; fz += q * dz;
    }
    const uint64_t t1 = clock64();
    out[threadIdx.x] = fx + fy + fz;
    if (threadIdx.x == 0) *cycles = t1 - t0;
}
// A tile's loop over k, with parts of it left out. Parts: 1 copies, 2 barrier, 4 ldmatrix, 8 products.
template <class T, int Parts>
__global__ void __launch_bounds__(T::threads) tiles(const char* a, float* out, uint64_t* cycles, int rounds) {
    extern __shared__ __align__(128) char memory[];
    Sum<T::T> sums[T::WM / 16][T::WN / 8][4] = {};
    const unsigned at = sharedAddress(memory);
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    const int row = warp / (T::BN / T::WN) * T::WM, column = warp % (T::BN / T::WN) * T::WN;
    const Rows ra{a, 4096, T::BM}, rb{a + 65536, 4096, T::BN};
    unsigned left[T::WM / 16][4] = {}, right[T::WN / 16][4] = {};
    __syncthreads();
    const uint64_t t0 = clock64();
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
        if constexpr (Parts & 2) { waitForCopies<T::Stages - 2>(); __syncthreads(); }
        if constexpr (Parts & 1) {
            const unsigned to = at + unsigned((k + T::Stages - 1) % T::Stages * T::stage);
            T::template load<T::BM>(to, ra, k % 16 * T::Wide);
            T::template load<T::BN>(to + T::BM * T::Wide, rb, k % 16 * T::Wide);
        }
        commitCopies();
        const unsigned tileA = at + unsigned(k % T::Stages * T::stage), tileB = tileA + T::BM * T::Wide;
#pragma unroll
        for (int step = 0; step < T::Wide / 32; ++step) {
            if constexpr (Parts & 4) {
#pragma unroll
                for (int i = 0; i < T::WM / 16; ++i)
                    loadMatrices(left[i], tileA + swizzled<T::Wide>(row + 16 * i + lane % 16, 2 * step + lane / 16));
#pragma unroll
                for (int j = 0; j < T::WN / 16; ++j)
                    loadMatrices(right[j], tileB + swizzled<T::Wide>(column + 16 * j + lane % 8 + lane / 16 * 8, 2 * step + lane / 8 % 2));
            }
            if constexpr (Parts & 8) {
#pragma unroll
                for (int i = 0; i < T::WM / 16; ++i)
#pragma unroll
                    for (int j = 0; j < T::WN / 8; ++j)
                        multiply<T::T>(sums[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
            }
        }
    }
    const uint64_t t1 = clock64();
    waitForCopies<0>();
    float s = float(left[0][0] + right[0][0]);
    for (auto& x : sums) for (auto& y : x) for (auto& z : y) s += float(z);
    for (auto& x : left) for (auto& y : x) s += float(y);
    for (auto& x : right) for (auto& y : x) s += float(y);
    out[threadIdx.x] = s;
    if (threadIdx.x == 0) *cycles = t1 - t0;
}
char* data;
template <class T, int Parts> void tile(const char* name) {
    OK(cudaFuncSetAttribute(tiles<T, Parts>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::shared));
    for (int again = 0; again < 2; ++again) { tiles<T, Parts><<<1, T::threads, T::shared>>>(data, out, cyc, 64); OK(cudaDeviceSynchronize()); }
    uint64_t c; OK(cudaMemcpy(&c, cyc, 8, cudaMemcpyDeviceToHost));
    printf("tile/%s/parts:%d,%.2f\n", name, Parts, c / 64.0);
}
template <class T> void parts(const char* name) { tile<T, 8>(name); tile<T, 12>(name); tile<T, 4>(name); tile<T, 14>(name); tile<T, 15>(name); tile<T, 3>(name); tile<T, 13>(name); }

// Counts in shared memory, and matches: value = lane's value modulo `different`, mixed.
template <int What>
__global__ void counts(float* out, uint64_t* cycles, int different, int rounds) {
    __shared__ unsigned bins[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) bins[k] = 0;
    __syncthreads();
    unsigned v = (threadIdx.x * 7u + threadIdx.x / 32u) % unsigned(different), s = 0;
    const uint64_t t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            if (What == 0) atomicAdd(bins + v + k * 32, 1u);
            if (What == 1) s += atomicAdd(bins + v + k * 32, 1u);
            if (What == 2) s += __match_any_sync(~0u, v + k);
            if (What == 3) s += __ballot_sync(~0u, (v + s) & 1);
            if (What == 4) { s = __match_any_sync(~0u, v + (s & 0)) ; v += s >> 31 >> 1; }
        }
    }
    const uint64_t t1 = clock64();
    __syncthreads();
    out[threadIdx.x] = s + bins[threadIdx.x];
    if (threadIdx.x == 0) *cycles = t1 - t0;
}
template <int What> void count(const char* name) {
    for (int warps : {1, 4, 8, 16})
        for (int different : {1, 2, 4, 8, 16, 24, 32}) {
            for (int again = 0; again < 2; ++again) { counts<What><<<1, 32 * warps>>>(out, cyc, different, 8); OK(cudaDeviceSynchronize()); }
            uint64_t c; OK(cudaMemcpy(&c, cyc, 8, cudaMemcpyDeviceToHost));
            printf("count/%s/different:%d/warps:%d,%.2f\n", name, different, warps, c / 64.0);
        }
}
int main() {
    OK(cudaMalloc(&out, 1 << 16)); OK(cudaMalloc(&cyc, 64)); OK(cudaMalloc(&data, 1 << 21)); OK(cudaMemset(data, 0, 1 << 21));
    all<Fma>("fma", 0.5f); all<Ex2>("ex2", 0); all<Ex2Ftz>("ex2ftz", 0); all<Rsq>("rsqrt", 0); all<RsqFtz>("rsqrtftz", 0); all<Lg2>("lg2", 0);
    all<DivFull>("divfull", 1.25f); all<DivRn>("divrn", 1.25f); all<UDiv>("udiv", 3e-40f); all<SDiv>("sdiv", 3e-40f); all<URem>("urem", 3e-40f);
    all<Exp>("expf", 0); all<Tanh>("tanhf", 0); all<Shfl>("shfladd", 0); all<Cvt>("f2i2f", 1.01f);
    for (int warps : {1, 4, 8, 16}) {
        uint64_t c;
        for (int again = 0; again < 2; ++again) { sums<false><<<1, 32 * warps>>>(out, cyc, 0.3f, 16); OK(cudaDeviceSynchronize()); }
        OK(cudaMemcpy(&c, cyc, 8, cudaMemcpyDeviceToHost)); printf("sums/ex2/warps:%d,%.2f\n", warps, c / 16.0);
        for (int again = 0; again < 2; ++again) { sums<true><<<1, 32 * warps>>>(out, cyc, 0.3f, 16); OK(cudaDeviceSynchronize()); }
        OK(cudaMemcpy(&c, cyc, 8, cudaMemcpyDeviceToHost)); printf("sums/ex2ftz/warps:%d,%.2f\n", warps, c / 16.0);
#define BODIES(U) for (int again = 0; again < 2; ++again) { bodies<U><<<1, 32 * warps>>>(out, cyc, 256); OK(cudaDeviceSynchronize()); } \
        OK(cudaMemcpy(&c, cyc, 8, cudaMemcpyDeviceToHost)); printf("bodies/unroll:" #U "/warps:%d,%.2f\n", warps, c / 256.0);
        BODIES(1) BODIES(2) BODIES(4) BODIES(8)
    }
    parts<Tile<Of::F16, 64, 64, 32, 32, 128, 3>>("f16_64x64_32x32");
    parts<Tile<Of::F16, 128, 128, 64, 32, 64, 3>>("f16_128x128_64x32");
    parts<Tile<Of::BF16, 32, 64, 16, 32, 128, 4>>("bf16_32x64_16x32");
    parts<Tile<Of::TF32, 64, 64, 32, 32, 128, 3>>("tf32_64x64_32x32");
    parts<Tile<Of::S8, 64, 64, 32, 32, 128, 4>>("s8_64x64_32x32");
    count<0>("red"); count<1>("atom"); count<2>("match"); count<4>("matchchain");
}
