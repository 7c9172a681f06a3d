// SPDX-License-Identifier: GPL-3.0-or-later
#include <cuda_fp16.h>
__global__ void floats(float* f, int n) {
    float x = f[threadIdx.x];
    x = sinf(x) + cosf(x) * expf(x) + logf(x + 2) + sqrtf(x) + rsqrtf(x) + 1.0f / x + powf(x, 2.5f);
    x += __sinf(x) + __cosf(x) + __expf(x) + __logf(x) + __fdividef(x, 3.0f) + fminf(x, 2) + fmaxf(x, 3) + fabsf(x);
    x += truncf(x) + floorf(x) + ceilf(x) + rintf(x) + copysignf(x, -1.0f) + fmaf(x, x, x) + __saturatef(x) + fmodf(x, 3);
    f[threadIdx.x] = x + n;
}
__global__ void doubles(double* d, float* f, long long* l) {
    double x = d[threadIdx.x];
    x = sqrt(x) + 1.0 / x + fma(x, x, 2.5) + fmin(x, 1.0) + sin(x) + exp(x);
    d[threadIdx.x] = x;
    f[threadIdx.x] = float(x) + __double2float_rz(x);
    l[threadIdx.x] = (long long)x * l[threadIdx.x] / 7 % 5 + __double2ll_rn(x);
}
__global__ void bits(unsigned* u, unsigned long long* w, int* i) {
    unsigned x = u[threadIdx.x], y = x * 2654435761u;
    x = __byte_perm(x, y, 0x5140) + __funnelshift_l(x, y, 7) + __umulhi(x, y) + (x / 7) + (x % 13) + __sad(int(x), int(y), 3u);
    i[threadIdx.x] = (int(x) >> 3) - min(int(x), int(y)) + max(int(x), int(y)) + abs(int(x)) - int(x) / 3 + __mul24(int(x), 5);
    w[threadIdx.x] = (unsigned long long)x * y + (w[threadIdx.x] >> 5) + __popcll(w[threadIdx.x]) + __clzll(w[threadIdx.x]) +
                     __umul64hi(w[threadIdx.x], 12345ull) - (x == y) + (w[threadIdx.x] << (x & 63));
    u[threadIdx.x] = ~x ^ (y & 0xff00ff00u) | (x << 4);
    unsigned lo, hi;
    asm("{\n\t.reg .u32 t;\n\tadd.cc.u32 t, %2, %3;\n\taddc.u32 %1, %2, 0;\n\tmov.u32 %0, t;\n\t}" : "=r"(lo), "=r"(hi) : "r"(x), "r"(y));
    asm("{\n\t.reg .u32 t;\n\tbfe.u32 t, %1, 4, 8;\n\tbfi.b32 %0, t, %1, 16, 8;\n\t}" : "=r"(y) : "r"(hi));
    u[threadIdx.x] += lo + hi + y;
}
__global__ void halves(__half* h, __half2* h2) {
    h[threadIdx.x] = __hadd(h[threadIdx.x], __float2half(1.5f));
    h2[threadIdx.x] = __hfma2(h2[threadIdx.x], h2[threadIdx.x], h2[threadIdx.x]);
}
