// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that are busy on the SM itself: tiles in shared memory with barriers between, wide loads of it, scans, sums by shuffles,
// fp64 chains, weights in constant memory. tests/timing/programs/on_chip.cu measures them.
#include <cstdint>

// C = A B, matrices n x n, a tile of T x T a block.
template <int T>
__device__ void tileProduct(const float* a, const float* b, float* c, int n) {
    __shared__ float ta[T][T], tb[T][T];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        ta[y][x] = a[row * n + k + x];
        tb[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += ta[y][i] * tb[i][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
extern "C" __global__ void tile_product16(const float* a, const float* b, float* c, int n) {
    tileProduct<16>(a, b, c, n);
}
extern "C" __global__ void tile_product32(const float* a, const float* b, float* c, int n) {
    tileProduct<32>(a, b, c, n);
}

// The same with R x R values a thread: 256 threads, tiles of 16 R x 16.
template <int R>
__device__ void registerProduct(const float* a, const float* b, float* c, int n) {
    constexpr int side = 16 * R;
    __shared__ float ta[16][side], tb[16][side];
    const int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    float sum[R][R] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = t; i < side * 16; i += 256) {
            ta[i % 16][i / 16] = a[(blockIdx.y * side + i / 16) * n + k + i % 16];
            tb[i / side][i % side] = b[(k + i / side) * n + blockIdx.x * side + i % side];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            float va[R], vb[R];
#pragma unroll
            for (int r = 0; r < R; ++r) {
                va[r] = ta[i][y * R + r];
                vb[r] = tb[i][x * R + r];
            }
#pragma unroll
            for (int r = 0; r < R; ++r)
#pragma unroll
                for (int s = 0; s < R; ++s)
                    sum[r][s] += va[r] * vb[s];
        }
        __syncthreads();
    }
    for (int r = 0; r < R; ++r)
        for (int s = 0; s < R; ++s)
            c[(blockIdx.y * side + y * R + r) * n + blockIdx.x * side + x * R + s] = sum[r][s];
}
extern "C" __global__ void register_product2(const float* a, const float* b, float* c, int n) {
    registerProduct<2>(a, b, c, n);
}
extern "C" __global__ void register_product4(const float* a, const float* b, float* c, int n) {
    registerProduct<4>(a, b, c, n);
}

// n turns of four 16-byte loads of shared memory: a lane its own, or one for all.
__device__ void wideLoads(float* out, int n, int lane) {
    __shared__ float4 words[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = make_float4(i, 1, 2, 3);
    __syncthreads();
    float4 sum = make_float4(0, 0, 0, 0);
    int at = lane;
    for (int k = 0; k < n; ++k) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float4 v = words[(at + 32 * i) & 1023];
            sum.x += v.x;
            sum.y += v.y;
            sum.z += v.z;
            sum.w += v.w;
        }
        at += 128;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}
extern "C" __global__ void wide_shared(float* out, int n) {
    wideLoads(out, n, threadIdx.x);
}
extern "C" __global__ void wide_shared_one(float* out, int n) {
    wideLoads(out, n, threadIdx.x / 32);
}
// The same of global memory that lies in L1.
extern "C" __global__ void wide_global_one(const float4* in, float* out, int n) {
    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < n; ++k) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float4 v = in[(4 * k + i) & 255];
            sum.x += v.x;
            sum.y += v.y;
            sum.z += v.z;
            sum.w += v.w;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}

// n inclusive scans of the block's values, log2 steps of two barriers each.
extern "C" __global__ void scan_doubling_turns(float* out, int n) {
    __shared__ float s[1024];
    const int t = threadIdx.x;
    float v = t;
    for (int k = 0; k < n; ++k) {
        s[t] = v;
        __syncthreads();
        for (int d = 1; d < blockDim.x; d *= 2) {
            const float add = t >= d ? s[t - d] : 0;
            __syncthreads();
            s[t] += add;
            __syncthreads();
        }
        v = s[t] * 0.5f;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = v;
}
// n sums of the block's values: shuffles in the warp, then of the warps' sums by the first.
extern "C" __global__ void sum_shuffle_turns(float* out, int n) {
    __shared__ float s[32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float v = t;
    for (int k = 0; k < n; ++k) {
        float sum = v;
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(~0u, sum, d);
        if (lane == 0)
            s[warp] = sum;
        __syncthreads();
        if (warp == 0) {
            sum = lane < blockDim.x / 32 ? s[lane] : 0;
            for (int d = 16; d > 0; d /= 2)
                sum += __shfl_xor_sync(~0u, sum, d);
            if (lane == 0)
                s[0] = sum;
        }
        __syncthreads();
        v = v * 0.5f + s[0];
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = v;
}

// Chains of n fp64 fused multiply-adds, I of them a thread.
template <int I>
__device__ void chains64(double* out, int n, double a) {
    double v[I];
    for (int i = 0; i < I; ++i)
        v[i] = threadIdx.x + i;
    for (int k = 0; k < n; ++k)
#pragma unroll
        for (int i = 0; i < I; ++i)
            v[i] = v[i] * a + 0.5;
    double sum = 0;
    for (int i = 0; i < I; ++i)
        sum += v[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void chains64_1(double* out, int n, double a) {
    chains64<1>(out, n, a);
}
extern "C" __global__ void chains64_4(double* out, int n, double a) {
    chains64<4>(out, n, a);
}

// One row of n floats a block: the largest, the sum of powers, the quotients.
extern "C" __global__ void softmax_row(const float* in, float* out, int n) {
    __shared__ float s[32];
    const float* row = in + (size_t)blockIdx.x * n;
    const int t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    float most = -1e30f;
    for (int i = t; i < n; i += blockDim.x)
        most = fmaxf(most, row[i]);
    for (int d = 16; d > 0; d /= 2)
        most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    if (lane == 0)
        s[warp] = most;
    __syncthreads();
    for (int w = 0; w < warps; ++w)
        most = fmaxf(most, s[w]);
    __syncthreads();
    float sum = 0;
    for (int i = t; i < n; i += blockDim.x)
        sum += __expf(row[i] - most);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
        s[warp] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < warps; ++w)
        sum += s[w];
    for (int i = t; i < n; i += blockDim.x)
        out[(size_t)blockIdx.x * n + i] = __expf(row[i] - most) / sum;
}

// A sum of 2 r + 1 neighbours by weights of constant memory.
__constant__ float weights[65];
extern "C" __global__ void weighted_neighbours(const float* in, float* out, int n, int r) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = -r; k <= r; ++k) {
        const int at = min(max(i + k, 0), n - 1);
        sum += weights[k + r] * in[at];
    }
    if (i < n)
        out[i] = sum;
}

// n stores, to one of so many words of the thread's own in turn, with a load of what lies in L1 before each or none.
template <int loads>
__device__ void rewriteWords(float* c, const float* a, int n, int words) {
    const int m = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 1;
    for (int k = 0, p = 0; k < n; ++k) {
        if (loads) {
            float v;
            asm volatile("ld.global.f32 %0,[%1];" : "=f"(v) : "l"(a + (threadIdx.x + (k & 7) * 32)));
            s += v;
        }
        c[p * m + i] = s + k;
        if (++p == words)
            p = 0;
    }
}
extern "C" __global__ void rewrite(float* c, const float* a, int n, int words) {
    rewriteWords<1>(c, a, n, words);
}
