// SPDX-License-Identifier: GPL-3.0-or-later
// What a fence and an arrival that releases to the cluster take beside bulk copies of the same SM (release of h200-micro.csv), and what
// a warpgroup's results take to leave it, as stores of 8 bytes a lane and as sums of floats (results). nvcc -arch=sm_90a -O3.
#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("error %s line %d\n", cudaGetErrorString(e), __LINE__); std::exit(1); } } while (0)
__device__ unsigned sh(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

enum { Fence, Own, Other, Both, Plain, OwnCta };
// warps 0..W-1 release; the last warp copies.
__global__ void releases(int what, int warps, int flying, int bytes, int all, int gap, const char* from, size_t span, unsigned* out, int rounds) {
    extern __shared__ __align__(128) char smem[];
    __shared__ __align__(8) unsigned long long big, full[8];
    __shared__ volatile int stop;
    unsigned rank, blocks;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        stop = 0;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sh(&big)), "r"(1000000));
        for (int k = 0; k < 8; ++k)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sh(&full[k])), "r"(1));
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    if (warp == warps) {
        if (lane == 0 && flying > 0) {
            unsigned done = 0;
            size_t at = (size_t(blockIdx.x) * 7919 * 1024) % span;
            while (true) {
                const int s = done % flying;
                if (done >= (unsigned)flying) {
                    unsigned ok = 0;
                    while (!ok)
                        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(ok) : "r"(sh(&full[s])), "r"((done / flying - 1) & 1) : "memory");
                }
                if (stop && done % flying == 0) { // all that fly are waited for below
                    break;
                }
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sh(&full[s])), "r"(bytes) : "memory");
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sh(smem) + s * bytes), "l"(from + at), "r"(bytes), "r"(sh(&full[s])) : "memory");
                at += bytes;
                if (at + bytes > span)
                    at = 0;
                ++done;
            }
            // stages other than the one waited for
            for (int s = 1; s < flying; ++s) {
                unsigned ok = 0;
                while (!ok)
                    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(ok) : "r"(sh(&full[s])), "r"((done / flying - 1) & 1) : "memory");
            }
        }
    } else if (warp < warps) {
        const unsigned mine = sh(&big);
        unsigned there;
        const unsigned target = what == Own || what == OwnCta ? rank : what == Other ? (rank + 1) % blocks : (lane % blocks);
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(mine), "r"(target));
        const long long begin = clock64();
        while (clock64() - begin < 4000) {}
        long long sum = 0, first = clock64();
        for (int k = 0; k < rounds; ++k) {
            const long long t0 = clock64();
            if (what == Fence)
                asm volatile("fence.acq_rel.cluster;" ::: "memory");
            else if (what == Both) {
                if (lane < 2)
                    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
            } else if (what == Own || what == Other) {
                if (lane == 0)
                    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
            } else if (what == Plain) {
                if (lane == 0)
                    asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
            } else if (lane == 0)
                asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(mine) : "memory");
            __syncwarp();
            const long long t1 = clock64();
            sum += t1 - t0;
            if (gap)
                while (clock64() - t1 < gap) {}
        }
        const long long last = clock64();
        if (lane == 0) {
            out[(blockIdx.x * 16 + warp) * 2] = unsigned(sum / rounds);
            out[(blockIdx.x * 16 + warp) * 2 + 1] = unsigned((last - first) / rounds);
        }
        asm volatile("bar.sync 1, %0;" ::"r"(warps * 32) : "memory");
        stop = 1;
    }
    __syncthreads();
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// A warpgroup's results: each warp 16 rows x n columns; a lane two words in two rows. Kind 0: stores of 8 bytes; 1: sums of one float.
template <int Kind>
__global__ void results(float* to, int pitch, int n, int shared, unsigned* out) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int block = shared > 1 ? blockIdx.x / shared : blockIdx.x;
    float* const base = to + size_t(block) * (blockDim.x / 2) * pitch;
    __syncthreads();
    const long long t0 = clock64();
    for (int half = 0; half < 2; ++half) {
        float* p = base + size_t(16 * warp + lane / 4 + 8 * half) * pitch + lane % 4 * 2;
#pragma unroll 8
        for (int j = 0; j < n / 8; ++j) {
            if (Kind == 0)
                *reinterpret_cast<float2*>(p + 8 * j) = make_float2(1.0f, 2.0f);
            else {
                atomicAdd(p + 8 * j, 1.0f);
                atomicAdd(p + 8 * j + 1, 2.0f);
            }
        }
    }
    const long long t1 = clock64();
    __threadfence();
    const long long t2 = clock64();
    if (lane == 0) {
        out[(blockIdx.x * 16 + warp) * 2] = unsigned(t1 - t0);
        out[(blockIdx.x * 16 + warp) * 2 + 1] = unsigned(t2 - t0);
    }
}

static void say(unsigned* out, int blocks, int warps) {
    static std::vector<unsigned> h(132 * 32);
    CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
    double a = 0, b = 0, m = 0;
    for (int k = 0; k < blocks; ++k)
        for (int w = 0; w < warps; ++w) {
            a += h[(k * 16 + w) * 2];
            b += h[(k * 16 + w) * 2 + 1];
            if (h[(k * 16 + w) * 2 + 1] > m) m = h[(k * 16 + w) * 2 + 1];
        }
    std::printf("%.1f,%.1f,%.0f\n", a / blocks / warps, b / blocks / warps, m);
}

int main() {
    unsigned* out;
    char* from;
    const size_t span = 8 << 20;
    CHECK(cudaMalloc(&out, 132 * 32 * 4));
    CHECK(cudaMalloc(&from, 256 << 20));
    CHECK(cudaMemset(from, 0, 256 << 20));
    CHECK(cudaFuncSetAttribute(releases, cudaFuncAttributeMaxDynamicSharedMemorySize, 150 * 1024));
    const char* names[] = {"fence", "own", "other", "both", "relaxed", "cta"};
    for (int cluster : {1, 2})
        for (int grid : {2, 64, 132})
            for (int what = 0; what < 6; ++what) {
                if (cluster == 1 && (what == Other || what == Both)) continue;
                for (int warps : {1, 4, 8})
                    for (int flying : {0, 1, 4})
                        for (int gap : {0, 1000}) {
                            if (gap == 0 && what == Plain) continue;
                            cudaLaunchConfig_t c{};
                            c.gridDim = grid; c.blockDim = 32 * (warps + 1); c.dynamicSmemBytes = 140 * 1024;
                            cudaLaunchAttribute at{};
                            at.id = cudaLaunchAttributeClusterDimension;
                            at.val.clusterDim = {unsigned(cluster), 1, 1};
                            c.attrs = &at; c.numAttrs = 1;
                            for (int run = 0; run < 2; ++run) {
                                CHECK(cudaLaunchKernelEx(&c, releases, what, warps, flying, 32768, 0, gap, (const char*)from, span, out, 64));
                                CHECK(cudaDeviceSynchronize());
                            }
                            std::printf("release/%s/cluster:%d/blocks:%d/warps:%d/flying:%d/gap:%d,", names[what], cluster, grid, warps, flying, gap);
                            say(out, grid, warps);
                        }
            }
    cudaEvent_t e0, e1;
    cudaEventCreate(&e0); cudaEventCreate(&e1);
    for (int kind : {0, 1})
        for (int blocks : {1, 16, 32, 64, 96, 132})
            for (int warps : {4, 8})
                for (int n : {64, 128, 256})
                    for (int share : {1, 11}) {
                        if (kind == 0 && share > 1) continue;
                        // tiles side by side in memory as rows of 1024 floats each of its own
                        for (int run = 0; run < 3; ++run) {
                            if (kind) results<1><<<blocks, warps * 32>>>((float*)from, 1024, n, share, out);
                            else results<0><<<blocks, warps * 32>>>((float*)from, 1024, n, share, out);
                        }
                        CHECK(cudaDeviceSynchronize());
                        std::printf("results/%s/blocks:%d/warps:%d/n:%d/share:%d,", kind ? "sums" : "stores", blocks, warps, n, share);
                        say(out, blocks, warps);
                    }
}
