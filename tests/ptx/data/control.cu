// SPDX-License-Identifier: GPL-3.0-or-later
#include <cassert>
#include <cstdio>
struct Shape { __device__ virtual int area(int k) const = 0; };
struct Square : Shape { int s; __device__ Square(int n) : s(n) {} __device__ int area(int k) const override { return s * s + k; } };
struct Strip : Shape { int s; __device__ Strip(int n) : s(n) {} __device__ int area(int k) const override { return s * 2 - k; } };
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __forceinline__ int inner(int x) { return x > 3 ? __shfl_xor_sync(~0u, x, 1) : x * 3; }
__device__ __forceinline__ int outer(int x) { return inner(x + 1) + inner(x * 2); }
__global__ void calls(int* out, int n) {
    Square a(n); Strip b(n + 1);
    const Shape* s = out[0] ? (const Shape*)&a : (const Shape*)&b;
    out[threadIdx.x] = s->area(n) + fib(n & 7) + outer(n);
}
__global__ void switches(int* out, const int* in, int n) {
    const int i = threadIdx.x;
    switch (in[i]) {
    case 0: out[i] = 7; break;
    case 1: out[i] = i * i; break;
    case 2: out[i] = i ^ n; out[i + 1] = 3; break;
    case 3: out[i] /= n; break;
    case 4: out[i] = int(sqrtf(float(i))); break;
    case 5: out[i] = in[i + 1] % 9; break;
    case 6: out[i] = in[i + 2] - out[i + 3]; break;
    case 7: out[i] = in[i + 3] * out[i + 5]; break;
    default: out[i] = -1;
    }
}
__global__ void __launch_bounds__(256, 2) nested(int* out, int n) {
    if (int(threadIdx.x) >= n) return;
    int s = 0;
    for (int i = 0; i < n; ++i) {
        if (i & 1) continue;
        for (int j = i; j < n; j += 3) {
            if (out[j] < 0) break;
            s += out[j] > 5 ? out[i] : j;
        }
        if (s > 1000) return;
    }
    out[threadIdx.x] = s;
}
__global__ void prints(int n, float x) {
    if (threadIdx.x == 0) printf("%d %f %s %c %lld\n", n, x, "text", 'c', 5ll);
    assert(n > 0);
    if (n == 3) __trap();
}
