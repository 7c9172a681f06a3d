// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions, form by form: cycles from one to the next that needs its result, and warp-instructions a cycle of an SM with one
// block of 8 and of 32 warps. Rows cvt/FORM/latency and cvt/FORM/warps:N of h200-micro.csv. A form that narrows comes back by
// the cheapest that widens, whose row stands beside it. nvcc -arch=sm_90 -O3 -std=c++17 conversions.cu.
#include <cstdio>
#include <cstdlib>

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (const cudaError_t e_ = (x); e_ != cudaSuccess) {                                                           \
            printf("%s: %s\n", #x, cudaGetErrorString(e_));                                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

constexpr int rounds = 64, copies = 16;

// one: reads and writes a register of 32 bits, %0, through whatever else it declares.
#define FORM(id, one)                                                                                                  \
    template <int chains>                                                                                              \
    __global__ void id(long long* out, unsigned seed) {                                                                \
        unsigned v[chains];                                                                                            \
        for (int c = 0; c < chains; ++c)                                                                               \
            v[c] = seed + threadIdx.x + c;                                                                             \
        __syncthreads();                                                                                               \
        const long long begin = clock64();                                                                             \
        for (int r = 0; r < rounds; ++r)                                                                               \
            _Pragma("unroll") for (int k = 0; k < copies; ++k)                                                         \
                _Pragma("unroll") for (int c = 0; c < chains; ++c) asm volatile("{\n" one "\n}" : "+r"(v[c]));         \
        const long long end = clock64();                                                                               \
        unsigned all = 0;                                                                                              \
        for (int c = 0; c < chains; ++c)                                                                               \
            all ^= v[c];                                                                                               \
        if (threadIdx.x % 32 == 0) {                                                                                   \
            out[threadIdx.x / 32 * 2] = begin;                                                                         \
            out[threadIdx.x / 32 * 2 + 1] = end + (all == 12345 ? 1 : 0);                                              \
        }                                                                                                              \
    }

// A half of the register, widened: the next one takes the half of that.
FORM(f32_bf16, ".reg .b16 h, g;\nmov.b32 {h, g}, %0;\ncvt.f32.bf16 %0, h;")
FORM(f32_f16, ".reg .b16 h, g;\nmov.b32 {h, g}, %0;\ncvt.f32.f16 %0, h;")
FORM(bf16x2_f32, "cvt.rn.bf16x2.f32 %0, %0, %0;")
FORM(f16x2_f32, "cvt.rn.f16x2.f32 %0, %0, %0;")
FORM(bf16_f32, ".reg .b16 h;\ncvt.rn.bf16.f32 h, %0;\nmov.b32 %0, {h, h};")
FORM(f16_f32, ".reg .b16 h;\ncvt.rn.f16.f32 h, %0;\nmov.b32 %0, {h, h};")
FORM(f32_s32, "cvt.rn.f32.s32 %0, %0;")
FORM(s32_f32, "cvt.rzi.s32.f32 %0, %0;")
FORM(f32_u8, "cvt.rn.f32.u8 %0, %0;")
FORM(s32_s8, "cvt.s32.s8 %0, %0;")
FORM(rni_f32, "cvt.rni.f32.f32 %0, %0;")
FORM(tf32_f32, "cvt.rna.tf32.f32 %0, %0;")
FORM(e4m3x2_f32, ".reg .b16 h;\ncvt.rn.satfinite.e4m3x2.f32 h, %0, %0;\nmov.b32 %0, {h, h};")
FORM(f16x2_e4m3x2, ".reg .b16 h, g;\nmov.b32 {h, g}, %0;\ncvt.rn.f16x2.e4m3x2 %0, h;")
FORM(f64_f32_back, ".reg .f64 d;\ncvt.f64.f32 d, %0;\ncvt.rn.f32.f64 %0, d;")
FORM(f64_s32_back, ".reg .f64 d;\ncvt.rn.f64.s32 d, %0;\ncvt.rzi.s32.f64 %0, d;")

using Kernel = void (*)(long long*, unsigned);

double cycles(Kernel kernel, int warps) {
    static long long* out = nullptr;
    if (!out)
        CHECK(cudaMalloc(&out, 4096));
    long long clocks[64];
    double least = 1e18;
    for (int time = 0; time < 3; ++time) {
        kernel<<<1, warps * 32>>>(out, 3);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(clocks, out, sizeof clocks, cudaMemcpyDeviceToHost));
        long long from = clocks[0], until = clocks[1];
        for (int w = 1; w < warps; ++w) {
            from = clocks[2 * w] < from ? clocks[2 * w] : from;
            until = clocks[2 * w + 1] > until ? clocks[2 * w + 1] : until;
        }
        least = double(until - from) < least ? double(until - from) : least;
    }
    return least;
}

void rows(const char* name, Kernel alone, Kernel many) {
    printf("cvt/%s/latency,%.6g,cycles\n", name, cycles(alone, 1) / rounds / copies);
    for (const int warps : {8, 32})
        printf("cvt/%s/warps:%d,%.6g,instructions/cycle\n", name, warps,
               4.0 * warps * rounds * copies / cycles(many, warps));
}
#define ROWS(id) rows(#id, id<1>, id<4>)

int main() {
    ROWS(f32_bf16);
    ROWS(f32_f16);
    ROWS(bf16x2_f32);
    ROWS(f16x2_f32);
    ROWS(bf16_f32);
    ROWS(f16_f32);
    ROWS(f32_s32);
    ROWS(s32_f32);
    ROWS(f32_u8);
    ROWS(s32_s8);
    ROWS(rni_f32);
    ROWS(tf32_f32);
    ROWS(e4m3x2_f32);
    ROWS(f16x2_e4m3x2);
    ROWS(f64_f32_back);
    ROWS(f64_s32_back);
}
