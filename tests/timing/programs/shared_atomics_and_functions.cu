// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics of shared memory, and functions in a chain: the rows shared_atomic_* and function_* of h200-micro.csv. nvcc -arch=sm_90 -O3.
#include <algorithm>
#include <cstdio>
enum Op { U32, F32, F64, CAS32, U64 };
// One block: of each warp all lanes add, `same` of them to each word; warps to words of their own or to the same.
template <int OP>
__global__ void k(int same, int apart, int rounds, long long* out) {
    __shared__ double d[32 * 33];
    for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x)
        d[i] = 0;
    __syncthreads();
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    int at = lane / same + (apart ? w * 32 : 0);
    long long t0 = clock64();
    for (int r = 0; r < rounds; ++r) {
        if (OP == U32)
            atomicAdd((unsigned*)d + at, 1u + r);
        if (OP == U64)
            atomicAdd((unsigned long long*)d + at, 1ull + r);
        if (OP == F32)
            atomicAdd((float*)d + at, 1.f);
        if (OP == F64)
            atomicAdd(d + at, 1.0);
        if (OP == CAS32)
            atomicCAS((unsigned*)d + at, 7u, 1u + r);
    }
    __syncthreads();
    long long t1 = clock64();
    if (threadIdx.x == 0) {
        *out = t1 - t0;
        out[1] = d[0];
    }
}
template <int OP>
void all(const char* name, long long* out) {
    for (int warps : {1, 2, 4, 8, 16, 32})
        for (int same : {1, 2, 4, 8, 16, 32})
            for (int apart : {0, 1}) {
                long long best = 1ll << 60;
                for (int t = 0; t < 3; ++t) {
                    k<OP><<<1, 32 * warps>>>(same, apart, 64, out);
                    long long v;
                    cudaMemcpy(&v, out, 8, cudaMemcpyDeviceToHost);
                    best = std::min(best, v);
                }
                printf("shared_atomic_%s/warps:%d/same:%d/apart:%d,%.2f,cycles\n", name, warps, same, apart,
                       best / 64.0);
            }
}
// Chains: division and remainder of 64 bits, sincos and exp at small and large arguments, double functions.
template <int F>
__global__ void chain(float x, double y, unsigned long long n, int rounds, long long* out, float* o) {
    float v = x;
    double w = y;
    unsigned long long m = n;
    long long t0 = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if (F == 0)
            m = (m * 3 + 12345678901ull) / (n | 1);
        if (F == 1)
            m = (m * 3 + 12345678901234ull) % (n | 1);
        if (F == 2)
            v = sinf(v) + x;
        if (F == 3)
            v = expf(v) * x;
        if (F == 4) {
            float s, c;
            sincosf(v, &s, &c);
            v = s + c + x;
        }
        if (F == 5)
            w = exp(w) * y;
        if (F == 6)
            w = sin(w) + y;
        if (F == 7)
            w = 1.0 / w + y;
        if (F == 8)
            w = sqrt(w) + y;
        if (F == 9)
            v = powf(v, 1.1f) + x;
        if (F == 10)
            v = logf(v) + x;
        if (F == 11)
            v = atan2f(v, x) + x;
        if (F == 12)
            w = log(w) + y;
        if (F == 13)
            w = pow(w, 1.1) + y;
        if (F == 14)
            m = (m * 3 + 123456789ull) / (unsigned)(n | 1);
        if (F == 15)
            v = tanhf(v) + x;
        if (F == 16)
            v = erff(v) + x;
        if (F == 17)
            w = w * y + 1.0;
    }
    long long t1 = clock64();
    if (threadIdx.x == 0) {
        out[0] = t1 - t0;
    }
    o[threadIdx.x] = v + w + m;
}
template <int F>
void times(const char* name, float x, double y, unsigned long long n, long long* out, float* o) {
    for (int warps : {1, 4, 16, 32}) {
        long long best = 1ll << 60;
        for (int t = 0; t < 3; ++t) {
            chain<F><<<1, 32 * warps>>>(x, y, n, 64, out, o);
            long long v;
            cudaMemcpy(&v, out, 8, cudaMemcpyDeviceToHost);
            best = std::min(best, v);
        }
        printf("function_%s/warps:%d,%.2f,cycles\n", name, warps, best / 64.0);
    }
}
int main() {
    long long* out;
    float* o;
    cudaMalloc(&out, 64);
    cudaMalloc(&o, 4096);
    all<U32>("u32", out);
    all<F32>("f32", out);
    all<F64>("f64", out);
    all<CAS32>("cas", out);
    all<U64>("u64", out);
    times<0>("div_u64", 1, 1, 1000003, out, o);
    times<1>("rem_u64", 1, 1, 1000003, out, o);
    times<14>("div_u64_small", 1, 1, 3, out, o);
    times<2>("sinf", 0.5f, 1, 3, out, o);
    times<2>("sinf_large", 200000.f, 1, 3, out, o);
    times<3>("expf", 0.5f, 1, 3, out, o);
    times<4>("sincosf", 0.5f, 1, 3, out, o);
    times<4>("sincosf_large", 200000.f, 1, 3, out, o);
    times<5>("exp", 1, 0.5, 3, out, o);
    times<6>("sin", 1, 0.5, 3, out, o);
    times<7>("reciprocal_f64", 1, 1.5, 3, out, o);
    times<8>("sqrt_f64", 1, 1.5, 3, out, o);
    times<9>("powf", 1.5f, 1, 3, out, o);
    times<10>("logf", 1.5f, 1, 3, out, o);
    times<11>("atan2f", 1.5f, 1, 3, out, o);
    times<12>("log", 1, 2.5, 3, out, o);
    times<13>("pow", 1, 1.5, 3, out, o);
    times<15>("tanhf", 0.7f, 1, 3, out, o);
    times<16>("erff", 0.7f, 1, 3, out, o);
    times<17>("fma_f64", 1, 0.5, 3, out, o);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
