// SPDX-License-Identifier: GPL-3.0-or-later
// How many accesses wait for an SM's memory unit before a warp that asks has to wait itself: the clock behind each of 20 accesses
// in a row whose results nobody waits for (queue of h200-micro.csv; "_beside": odd warps of each scheduler keep shared memory
// busy), and how many stores of 4, 8 and 16 bytes a lane have been given away by when (queue/stg). nvcc -arch=sm_90a -O3.
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e_)); exit(1); } } while (0)
constexpr int N = 20;
enum Op { LdsFree, Lds8, Lds32, Sts, Sts32, LdgL1, LdgLines, LdgL2, Ldg32L2, Stg, Stg32, Red32, Shfl, S2r, Ops };
const char* names[] = {"lds", "lds8", "lds32", "sts", "sts32", "ldg_l1", "ldg_l1_32lines", "ldg_l2", "ldg_l2_32sectors", "stg", "stg_32sectors", "red_32sectors", "shfl", "s2r"};
__device__ __forceinline__ int clk() { int c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c)::"memory"); return c; }
template <int O>
__device__ __forceinline__ void one(unsigned sh, const float* g, int k, float& v) {
    if constexpr (O == LdsFree || O == Lds8 || O == Lds32) asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(v) : "r"(sh) : "memory");
    else if constexpr (O == Sts || O == Sts32) asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(sh), "f"(1.f) : "memory");
    else if constexpr (O == LdgL1 || O == LdgLines) asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(g + k * (O == LdgLines ? 8 : 32)) : "memory");
    else if constexpr (O == LdgL2 || O == Ldg32L2) asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(g + k * (O == Ldg32L2 ? 8 : 32)) : "memory");
    else if constexpr (O == Stg || O == Stg32) asm volatile("st.global.f32 [%0], %1;" ::"l"(g + k * (O == Stg32 ? 8 : 32)), "f"(1.f) : "memory");
    else if constexpr (O == Red32) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(g), "r"(1) : "memory");
    else if constexpr (O == Shfl) { int t; asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=r"(t) : "r"(int(sh)) : "memory"); v = __int_as_float(t); }
    else if constexpr (O == S2r) { int t; asm volatile("mov.u32 %0, %%smid;" : "=r"(t)::"memory"); v = __int_as_float(t); }
}
template <int O, bool beside>
__global__ void __launch_bounds__(1024) asks(float* mem, int* out, float* sink, int stride) {
    __shared__ float tile[8192];
    for (int k = threadIdx.x; k < 8192; k += blockDim.x) tile[k] = 0;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const bool other = beside && (warp / 4) % 2;
    const bool alone = stride != 0; // only every so-many-th warp
    const unsigned base = (unsigned)__cvta_generic_to_shared(tile);
    const int step = O == Lds8 ? 8 : O == Lds32 || O == Sts32 ? 32 : 1;
    const unsigned sh = base + 4 * (lane * step % 1024) + (O == Lds8 ? 4 * (lane / 4 % 8) * 0 : 0);
    // 32 sectors: a line each, 128 bytes apart; a warp's own 4 KB
    const float* g = mem + (size_t)warp * 8192 + (O == LdgLines || O == Ldg32L2 || O == Stg32 || O == Red32 ? lane * 32 : O == (Op)99 ? lane * 4 : lane);
    float v[N]; int t[N + 1];
    float w = *(volatile const float*)g; // it is in L1, and in L2
    if (O == LdgL1 || O == LdgLines || O == (Op)99) { float x; asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(x) : "l"(g) : "memory"); w += x; }
    if (w == 1.25f) *sink = w;
    __syncthreads();
    if (other) {
        float s = 0; const unsigned at = base + 128 * lane;
        for (int k = 0; k < 24; ++k) { float x[8];
            for (int j = 0; j < 8; ++j) asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(x[j]) : "r"(at + 4 * j) : "memory");
            for (int j = 0; j < 8; ++j) s += x[j]; }
        if (s == 1.25f) *sink = s;
        __syncthreads(); return;
    }
    if (beside) { long long a = clock64(); while (clock64() - a < 1000) {} }
    if (alone && warp % stride) return;
#pragma unroll
    for (int k = 0; k < N; ++k) { t[k] = clk(); one<O>(sh, g, k, v[k]); }
    t[N] = clk();
    const int over0 = clk();
    if (!alone) __syncthreads(); // stores of results are not to fill the queue of others
    else { long long a = clock64(); while (clock64() - a < 20000) {} }
#pragma unroll
    for (int k = 0; k < N; ++k) if constexpr (!(O == Sts || O == Sts32 || O == Stg || O == Stg32 || O == Red32)) asm volatile("st.volatile.global.f32 [%0], %1;" ::"l"(sink + 1024 * k + threadIdx.x), "f"(v[k]) : "memory");
    const int over = clk();
    (void)over0;
    if (lane == 0) { for (int k = 0; k <= N; ++k) out[warp * (N + 2) + k] = t[k]; out[warp * (N + 2) + N + 1] = over; }
}
float *mem, *sink; int* out;
template <int O, bool beside> void run(int warps, int stride) {
    std::vector<int> h(32 * (N + 2));
    for (int rep = 0; rep < 3; ++rep) {
        CHECK(cudaMemset(out, 0, h.size() * 4));
        asks<O, beside><<<1, 32 * warps>>>(mem, out, sink, stride);
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
    int first = 0; bool any = false;
    for (int w = 0; w < warps; ++w) if (h[w * (N + 2)] && (!any || h[w * (N + 2)] - first < 0)) first = h[w * (N + 2)], any = true;
    for (int w = 0; w < warps; ++w) {
        if (!h[w * (N + 2)]) continue;
        printf("queue/%s%s/warps:%d/every:%d/warp:%d", names[O], beside ? "_beside" : "", warps, stride ? stride : 1, w);
        for (int k = 0; k < N + 2; ++k) printf(",%d", h[w * (N + 2) + k] - first);
        puts("");
    }
}
template <int O> void all() {
    run<O, false>(1, 0);
    run<O, false>(8, 4);  // warps 0 and 4: of one scheduler
    run<O, false>(16, 4); // four of one scheduler
    run<O, false>(32, 4); // eight of one scheduler
    run<O, false>(4, 0);
    run<O, false>(8, 0);
    run<O, false>(16, 0);
    run<O, true>(8, 0);
    if constexpr (O + 1 < Ops) all<O + 1>();
}
template <int BYTES, bool rows>
__global__ void __launch_bounds__(1024) given(char* mem, int* out) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // rows: 8 rows of 32 bytes (4 lanes each), as sums of products are stored; else side by side
    char* g = mem + (size_t)blockIdx.x * (1 << 20) + (size_t)warp * 32768 + (rows ? (lane / 4) * 4096 + (lane % 4) * BYTES : lane * BYTES);
    int t[9];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 64; ++k) {
        if (k % 8 == 0) t[k / 8] = clk();
        char* a = g + (rows ? k * 64 : k * 32 * BYTES);
        if constexpr (BYTES == 4) asm volatile("st.global.f32 [%0], %1;" ::"l"(a), "f"(1.f) : "memory");
        if constexpr (BYTES == 8) asm volatile("st.global.v2.f32 [%0], {%1,%1};" ::"l"(a), "f"(1.f) : "memory");
        if constexpr (BYTES == 16) asm volatile("st.global.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(a), "f"(1.f) : "memory");
    }
    t[8] = clk();
    if (lane == 0 && blockIdx.x == gridDim.x - 1) for (int k = 0; k < 9; ++k) out[warp * 9 + k] = t[k];
}
template <int BYTES, bool rows> void gives() {
    for (int blocks : {1, 132}) for (int warps : {1, 4, 8, 16, 32}) {
        std::vector<int> h(288);
        for (int rep = 0; rep < 2; ++rep) { given<BYTES, rows><<<blocks, 32 * warps>>>((char*)mem, out); CHECK(cudaDeviceSynchronize()); }
        CHECK(cudaMemcpy(h.data(), out, 1152, cudaMemcpyDeviceToHost));
        int first = h[0];
        for (int w = 0; w < warps; ++w) if (h[9 * w] - first < 0) first = h[9 * w];
        // how many had been given away, of all warps, by when
        std::vector<int> t; for (int w = 0; w < warps; ++w) for (int k = 1; k < 9; ++k) t.push_back(h[9 * w + k] - first);
        std::sort(t.begin(), t.end());
        printf("queue/stg/bytes:%d/%s/blocks:%d/warps:%d", BYTES, rows ? "rows" : "along", blocks, warps);
        for (size_t k = 0; k < t.size(); k += std::max<size_t>(1, t.size() / 16)) printf(",%zu@%d", 8 * (k + 1), t[k]);
        printf(",%d@%d\n", 64 * warps, t.back());
    }
}
int main() {
    CHECK(cudaMalloc(&mem, 256 << 20)); CHECK(cudaMalloc(&out, 1 << 20)); CHECK(cudaMalloc(&sink, 1 << 20)); CHECK(cudaMemset(mem, 0, 256 << 20));
    all<0>();
    gives<4, false>(); gives<8, false>(); gives<16, false>();
}
