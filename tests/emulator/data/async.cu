// SPDX-License-Identifier: GPL-3.0-or-later
// Copies that go on while the threads do something else, barriers in memory, clusters. async.ptx is made of it by
//   nvcc -ptx -arch=sm_90 -lineinfo -o async.ptx async.cu
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// out[t] = the sum of in[k * 64 + t], two tiles in flight. Blocks of 64.
extern "C" __global__ void doubleBuffered(int* out, const int* in, int tiles) {
    __shared__ int tile[2][64];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][t], &in[t], 4);
    __pipeline_commit();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        if (k + 1 < tiles)
            __pipeline_memcpy_async(&tile[(k + 1) % 2][t], &in[(k + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += tile[k % 2][63 - t]; // another thread's copy
        __syncthreads();
    }
    out[t] = sum;
}

// The first warp copies, the others add: out[t] = the sum over tiles of in[k * 64 + t]. Blocks of 96.
extern "C" __global__ void producerConsumer(int* out, const int* in, int tiles) {
    constexpr int stages = 3;
    __shared__ int tile[stages][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    const bool produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state,
                                    produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (produces) {
        for (int k = 0; k < tiles; ++k) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < 64; i += 32)
                cuda::memcpy_async(&tile[k % stages][i], &in[k * 64 + i], sizeof(int), pipe);
            pipe.producer_commit();
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        pipe.consumer_wait();
        sum += tile[k % stages][threadIdx.x - 32];
        pipe.consumer_release();
    }
    out[threadIdx.x - 32] = sum;
}

// cuda::barrier with a copy that reports to it. Blocks of 128.
extern "C" __global__ void copyToBarrier(int* out, const int* in) {
    __shared__ int tile[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * 128 + threadIdx.x], sizeof(int), barrier);
    barrier.arrive_and_wait();
    out[blockIdx.x * 128 + threadIdx.x] = 2 * tile[127 - threadIdx.x];
}

__device__ unsigned at(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }
__device__ void initialise(unsigned long long* barrier, unsigned count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(barrier)), "r"(count) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(unsigned long long* barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(barrier)), "r"(bytes) : "memory");
}
__device__ void arrive(unsigned long long* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(barrier)) : "memory");
}
__device__ void await(unsigned long long* barrier, unsigned parity) {
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }" ::"r"(
                     at(barrier)),
                 "r"(parity)
                 : "memory");
}

// in -> shared memory -> out, one more each. Blocks of 64, 64 ints a block.
extern "C" __global__ void bulkBothWays(int* out, const int* in) {
    __shared__ alignas(16) int tile[64];
    __shared__ unsigned long long barrier;
    const int t = threadIdx.x;
    if (t == 0)
        initialise(&barrier, 1);
    __syncthreads();
    if (t == 0) {
        expect(&barrier, 256);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
                         at(tile)),
                     "l"(in + blockIdx.x * 64), "r"(at(&barrier))
                     : "memory");
    }
    await(&barrier, 0);
    tile[t] += 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out + blockIdx.x * 64),
                     "r"(at(tile))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// A ring of stages filled with boxes of a tensor (TMA): warp 0 loads, the others add. map: 32 columns, box 32 x 4.
struct alignas(64) Map {
    char opaque[128];
};
extern "C" __global__ void tensorRing(const __grid_constant__ Map map, int* out, int boxes) {
    constexpr int stages = 2;
    __shared__ alignas(128) int tile[stages][4][32];
    __shared__ unsigned long long full[stages], empty[stages];
    if (threadIdx.x == 0)
        for (int s = 0; s < stages; ++s) {
            initialise(&full[s], 1);
            initialise(&empty[s], 4); // one a consumer warp
        }
    __syncthreads();
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        if (lane == 0)
            for (int k = 0; k < boxes; ++k) {
                const int s = k % stages;
                await(&empty[s], (k / stages + 1) % 2);
                expect(&full[s], 512);
                asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                             "[%1, {%2, %3}], [%4];" ::"r"(at(tile[s])),
                             "l"(&map), "r"(0), "r"(k * 4), "r"(at(&full[s]))
                             : "memory");
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < boxes; ++k) {
        const int s = k % stages;
        await(&full[s], k / stages % 2);
        sum += tile[s][warp - 1][lane];
        __syncwarp();
        if (lane == 0)
            arrive(&empty[s]);
    }
    out[threadIdx.x - 32] = sum;
}

// Bins are shared out among the blocks of a cluster of 4; 16 bins a block.
extern "C" __global__ void __cluster_dims__(4, 1, 1) clusterHistogram(unsigned* bins, const unsigned* in, int n) {
    __shared__ unsigned own[16];
    auto cluster = cg::this_cluster();
    if (threadIdx.x < 16)
        own[threadIdx.x] = 0;
    cluster.sync();
    const int first = cluster.block_rank() * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += blockDim.x * cluster.num_blocks()) {
        const unsigned bin = in[i] % 64;
        atomicAdd(cluster.map_shared_rank(own, bin / 16) + bin % 16, 1u);
    }
    cluster.sync();
    if (threadIdx.x < 16)
        bins[cluster.block_rank() * 16 + threadIdx.x] = own[threadIdx.x];
}

// Each block adds up 64 numbers, its cluster's first one the sums. Clusters of 2 from the launch.
extern "C" __global__ void clusterSum(int* out, const int* in) {
    __shared__ int sum;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * 64 + threadIdx.x]);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int all = 0;
        for (unsigned r = 0; r < cluster.num_blocks(); ++r)
            all += *cluster.map_shared_rank(&sum, r);
        out[blockIdx.x / cluster.num_blocks()] = all;
    }
    cluster.sync();
}

// Each block sends its number to the next one of its cluster, which waits for 4 bytes.
extern "C" __global__ void __cluster_dims__(4, 1, 1) sendAround(int* out) {
    __shared__ int box;
    __shared__ unsigned long long barrier;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        initialise(&barrier, 1);
        expect(&barrier, 4);
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
        unsigned to, bar;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(at(&box)), "r"(next));
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(bar) : "r"(at(&barrier)), "r"(next));
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to),
                     "r"(100 + blockIdx.x), "r"(bar)
                     : "memory");
        await(&barrier, 0);
        out[blockIdx.x] = box;
    }
    cluster.sync();
}

// ---- mistakes ----

// Reads before it waits.
extern "C" __global__ void readsTooEarly(int* out, const int* in) {
    __shared__ int tile[32];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    const int early = tile[threadIdx.x];
    __pipeline_wait_prior(0);
    out[threadIdx.x] = early + tile[threadIdx.x];
}

// Waits for two arrivals, of which one comes.
extern "C" __global__ void waitsForEver(int* out) {
    __shared__ unsigned long long barrier;
    if (threadIdx.x == 0)
        initialise(&barrier, 2);
    __syncthreads();
    if (threadIdx.x == 0)
        arrive(&barrier);
    await(&barrier, 0);
    out[threadIdx.x] = 1;
}

// Waits for 64 bytes, of which 16 come.
extern "C" __global__ void waitsForBytes(int* out, const int* in) {
    __shared__ alignas(16) int tile[16];
    __shared__ unsigned long long barrier;
    if (threadIdx.x == 0) {
        initialise(&barrier, 1);
        expect(&barrier, 64);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::"r"(
                         at(tile)),
                     "l"(in), "r"(at(&barrier))
                     : "memory");
    }
    __syncthreads();
    await(&barrier, 0);
    out[threadIdx.x] = tile[0];
}

// The second block of each cluster never comes to its barrier.
extern "C" __global__ void __cluster_dims__(2, 1, 1) missingAtCluster(int* out, volatile int* never) {
    if (cg::this_cluster().block_rank() == 1)
        while (*never == 0) {
        }
    cg::this_cluster().sync();
    out[blockIdx.x] = 1;
}

// Reads its neighbour's memory after the neighbour may have ended.
extern "C" __global__ void __cluster_dims__(2, 1, 1) readsTooLate(int* out, volatile int* flag) {
    __shared__ int mine;
    auto cluster = cg::this_cluster();
    mine = blockIdx.x;
    cluster.sync();
    if (cluster.block_rank() == 1)
        return;
    while (*flag == 0) {
        if (clock64() > 100000)
            break;
    }
    out[0] = *cluster.map_shared_rank(&mine, 1);
}
