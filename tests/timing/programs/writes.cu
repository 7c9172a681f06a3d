// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind stores: fences by how much was stored before (fence_behind), loads and copies beside bursts of stores
// (beside_stores), the end of a launch (end_behind), and match.any by its values (match). nvcc -arch=sm_90a -O3.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("error %s line %d\n", cudaGetErrorString(e), __LINE__); std::exit(1); } } while (0)
__device__ unsigned sh(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

// Each warp stores so many times, 128 bytes in one line or 4 lanes' 8 bytes in each of eight lines, and fences.
__global__ void fenceBehind(char* to, int stores, int lines, unsigned* out, int what) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    char* p = to + size_t(blockIdx.x * warps + warp) * 65536;
    p += lines == 1 ? lane * 4 : lines == 8 ? (lane / 4) * 4096 + lane % 4 * 8 : lane * 2048;
    const int step = lines == 1 ? 128 : 32;
    unsigned sum = 0;
    __threadfence();
    __syncthreads();
    long long t0 = 0, t1 = 0, t2 = 0;
    for (int turn = 0; turn < 4; ++turn) { // the last counts
        __syncthreads();
        const long long begin = clock64();
        while (clock64() - begin < 3000) {}
        t0 = clock64();
        for (int k = 0; k < stores; ++k) {
            if (lines == 8)
                asm volatile("st.global.v2.f32 [%0], {%1, %1};" ::"l"(p + k * step), "f"(float(k)) : "memory");
            else
                *reinterpret_cast<volatile float*>(p + k * step) = float(k);
        }
        t1 = clock64();
        if (what == 0)
            __threadfence();
        else
            asm volatile("fence.acq_rel.gpu;" ::: "memory");
        t2 = clock64();
    }
    if (lane == 0) {
        out[(blockIdx.x * 32 + warp) * 2] = unsigned(t1 - t0) + sum * 0;
        out[(blockIdx.x * 32 + warp) * 2 + 1] = unsigned(t2 - t1);
    }
}

// Rounds of: all but the last warp store a tile's results (n columns) and pause; the last warp loads one word behind the other, or
// has one bulk copy after the other, and takes the time of each. Blocks begin `apart` cycles one behind the other.
template <int Kind> // 0: dependent loads past L1, 1: bulk copies of 16 KB
__global__ void beside(float* to, const char* from, size_t span, int n, int pause, int apart, int rounds, unsigned* out) {
    extern __shared__ __align__(128) char smem[];
    __shared__ __align__(8) unsigned long long full;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32 - 1;
    __shared__ volatile int left;
    if (threadIdx.x == 0) {
        left = warps;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(sh(&full)));
    }
    __syncthreads();
    long long begin = clock64();
    while (clock64() - begin < (long long)apart * blockIdx.x) {}
    if (warp < warps) {
        begin = clock64();
        for (int r = 0; r < rounds; ++r) {
            float* const base = to + (size_t(r) * gridDim.x + blockIdx.x) * 16 * warps * 256;
            for (int half = 0; half < 2; ++half) {
                float* p = base + size_t(16 * warp + lane / 4 + 8 * half) * 256 + lane % 4 * 2;
#pragma unroll 8
                for (int j = 0; j < n / 8; ++j)
                    *reinterpret_cast<float2*>(p + 8 * j) = make_float2(1.0f, float(r));
            }
            while (clock64() - begin < (long long)(r + 1) * pause) {}
        }
        const long long end = clock64();
        if (threadIdx.x == 0)
            out[blockIdx.x * 4 + 3] = unsigned((end - begin) / rounds);
        __syncwarp();
        if (lane == 0)
            atomicSub((int*)&left, 1);
    } else {
        unsigned count = 0, most = 0;
        long long sum = 0;
        size_t at = (size_t(blockIdx.x) * 7919 * 4096) % span;
        unsigned phase = 0;
        while (left > 0 && count < 100000) {
            const long long t0 = clock64();
            if (Kind == 0) {
                unsigned v;
                asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(from + at + lane * 4) : "memory");
                if (v != 0) // there are zeros
                    break;
                at += 128;
            } else {
                if (lane == 0) {
                    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16384;" ::"r"(sh(&full)) : "memory");
                    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16384, [%2];" ::"r"(sh(smem)), "l"(from + at), "r"(sh(&full)) : "memory");
                }
                unsigned ok = 0;
                while (!ok)
                    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(ok) : "r"(sh(&full)), "r"(phase) : "memory");
                phase ^= 1;
                at += 16384;
            }
            __syncwarp();
            const unsigned took = unsigned(clock64() - t0);
            if (at + 16384 > span)
                at = 0;
            sum += took;
            most = max(most, took);
            ++count;
        }
        if (lane == 0) {
            out[blockIdx.x * 4] = unsigned(sum / max(count, 1u));
            out[blockIdx.x * 4 + 1] = most;
            out[blockIdx.x * 4 + 2] = count;
        }
    }
}

// Each block waits, stores a tile's results and ends; or stores them first.
__global__ void ends(float* to, int n, int wait, int before) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const long long begin = clock64();
    if (before)
        while (clock64() - begin < wait) {}
    float* const base = to + size_t(blockIdx.x) * 16 * warps * 256;
    for (int half = 0; half < 2; ++half) {
        float* p = base + size_t(16 * warp + lane / 4 + 8 * half) * 256 + lane % 4 * 2;
#pragma unroll 8
        for (int j = 0; j < n / 8; ++j)
            *reinterpret_cast<float2*>(p + 8 * j) = make_float2(1.0f, 2.0f);
    }
    if (!before)
        while (clock64() - begin < wait) {}
}

// Digits of keys by match, each of which waits for the one before.
__global__ void matches(const unsigned* keys, int values, int rounds, unsigned* out) {
    const int lane = threadIdx.x % 32;
    unsigned own[16], sum = 0;
    for (int k = 0; k < 16; ++k)
        own[k] = values > 0 ? (lane + k) % values : keys[threadIdx.x + 32 * k] & 255;
    __syncthreads();
    const long long t1 = clock64();
    unsigned v = own[0];
    for (int r = 0; r < rounds * 16; ++r) {
        const unsigned m = __match_any_sync(~0u, v);
        v += m == 0;
    }
    if (v == 12345)
        sum ^= v;
    const long long t2 = clock64();
    if (lane == 0) {
        out[threadIdx.x / 32 * 3 + 1] = unsigned((t2 - t1) * 10 / rounds / 16);
    }
    if (sum == 12345)
        out[2] = sum;
}
// The same with a radix sort's counters, as sorts.cu of tests/model/today has them.
__global__ void ranks(const unsigned* keys, int values, unsigned* out) {
    __shared__ int counters[16][256];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned own[16];
    int rank[16];
    for (int k = 0; k < 16; ++k)
        own[k] = values > 0 ? (lane + k) % values : keys[threadIdx.x + 32 * k] & 255;
    for (int k = lane; k < 256; k += 32)
        counters[warp][k] = 0;
    __syncthreads();
    const long long t0 = clock64();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        const int d = own[k];
        const unsigned same = __match_any_sync(~0u, d);
        const int earlier = __popc(same & ((1u << lane) - 1));
        int old = 0;
        if (earlier == 0) {
            old = counters[warp][d];
            counters[warp][d] = old + __popc(same);
        }
        rank[k] = __shfl_sync(~0u, old, __ffs(int(same)) - 1) + earlier;
        __syncwarp();
    }
    const long long t1 = clock64();
    int sum = 0;
    for (int k = 0; k < 16; ++k)
        sum ^= rank[k];
    if (lane == 0)
        out[warp * 3] = unsigned((t1 - t0) * 10 / 16);
    if (sum == 123456789)
        out[2] = sum;
}

int main() {
    unsigned* out;
    char* from;
    float* to;
    const size_t big = 512ull << 20;
    CHECK(cudaMalloc(&out, 132 * 64 * 4));
    CHECK(cudaMalloc(&from, big));
    CHECK(cudaMalloc(&to, big));
    CHECK(cudaMemset(from, 0, big));
    CHECK(cudaMemset(to, 0, big));
    std::vector<unsigned> h(132 * 64);
    auto back = [&] {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
    };
    for (int blocks : {1, 16, 132})
        for (int warps : {1, 4, 8})
            for (int lines : {1, 8, 32})
                for (int stores : {0, 1, 2, 4, 8, 16, 32, 64}) {
                    fenceBehind<<<blocks, warps * 32>>>((char*)to, stores, lines, out, 0);
                    back();
                    double a = 0, b = 0, m = 0;
                    for (int k = 0; k < blocks; ++k)
                        for (int w = 0; w < warps; ++w) {
                            a += h[(k * 32 + w) * 2];
                            b += h[(k * 32 + w) * 2 + 1];
                            m = std::max(m, double(h[(k * 32 + w) * 2 + 1]));
                        }
                    const double c = blocks * warps;
                    std::printf("fence_behind/blocks:%d/warps:%d/lines:%d/stores:%d,%.0f,%.0f,%.0f\n", blocks, warps, lines, stores, a / c, b / c, m);
                }
    CHECK(cudaFuncSetAttribute(beside<0>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 * 1024));
    CHECK(cudaFuncSetAttribute(beside<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 * 1024));
    for (int kind : {0, 1})
        for (size_t span : {size_t(4) << 20, size_t(400) << 20})
            for (int blocks : {1, 132})
                for (int apart : {0, 60})
                    for (int n : {0, 128, 256})
                        for (int pause : {4000, 8000, 16000}) {
                            if ((blocks == 1 && apart) || (n == 0 && (pause != 8000))) continue;
                            const int rounds = 24; // 415 MB
                            for (int run = 0; run < 2; ++run) {
                                CHECK(cudaMemset(to, 0, 64 << 20));
                                if (kind) beside<1><<<blocks, 9 * 32, 110 * 1024>>>(to, from, span, n, pause, apart, rounds, out);
                                else beside<0><<<blocks, 9 * 32, 110 * 1024>>>(to, from, span, n, pause, apart, rounds, out);
                                back();
                            }
                            double a = 0, m = 0, c = 0, r = 0;
                            for (int k = 0; k < blocks; ++k) {
                                a += double(h[k * 4]) * h[k * 4 + 2];
                                c += h[k * 4 + 2];
                                m += h[k * 4 + 1];
                                r += h[k * 4 + 3];
                            }
                            std::printf("beside_stores/%s/span:%zu/blocks:%d/apart:%d/n:%d/pause:%d,%.0f,%.0f,%.0f\n", kind ? "copy16k" : "load", span >> 20, blocks, apart, n, pause, a / c, m / blocks, r / blocks);
                        }
    cudaEvent_t e0, e1;
    CHECK(cudaEventCreate(&e0));
    CHECK(cudaEventCreate(&e1));
    for (int blocks : {1, 32, 132})
        for (int warps : {4, 8})
            for (int n : {0, 32, 64, 128, 256}) {
                double ns[2];
                for (int before : {0, 1}) {
                    std::vector<float> t;
                    for (int run = 0; run < 9; ++run) {
                        CHECK(cudaEventRecord(e0));
                        for (int k = 0; k < 50; ++k)
                            ends<<<blocks, warps * 32>>>(to, n, 12000, before);
                        CHECK(cudaEventRecord(e1));
                        CHECK(cudaEventSynchronize(e1));
                        float ms;
                        CHECK(cudaEventElapsedTime(&ms, e0, e1));
                        t.push_back(ms);
                    }
                    std::sort(t.begin(), t.end());
                    ns[before] = t[4] * 1e6 / 50;
                }
                std::printf("end_behind/blocks:%d/warps:%d/n:%d,%.0f,%.0f,%.0f\n", blocks, warps, n, ns[0], ns[1], (ns[1] - ns[0]));
            }
    std::vector<unsigned> keys(4096);
    for (unsigned& k : keys)
        k = std::rand() >> 3;
    CHECK(cudaMemcpy(from, keys.data(), keys.size() * 4, cudaMemcpyHostToDevice));
    for (int warps : {1, 2, 4, 8, 12, 16})
        for (int values : {0, 1, 2, 4, 8, 16, 24, 32}) {
            double b = 0, c = 0;
            for (int run = 0; run < 2; ++run)
                matches<<<1, warps * 32>>>((unsigned*)from, values, 16, out);
            back();
            for (int w = 0; w < warps; ++w)
                b += h[w * 3 + 1] / 10.0;
            for (int run = 0; run < 2; ++run)
                ranks<<<1, warps * 32>>>((unsigned*)from, values, out);
            back();
            for (int w = 0; w < warps; ++w)
                c += h[w * 3] / 10.0;
            std::printf("match/warps:%d/values:%d,%.1f,%.1f\n", warps, values, b / warps, c / warps);
        }
    std::puts("done");
}
