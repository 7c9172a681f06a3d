// SPDX-License-Identifier: GPL-3.0-or-later
// Shared memory that threads and asynchronous copies use by turns: with what that needs, and with some of it missing.
//   nvcc -arch=sm_90 -ptx -lineinfo proxy.cu
#include <cstdint>

__device__ uint32_t at(const void* p) {
    return uint32_t(__cvta_generic_to_shared(p));
}
__device__ void fence() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ void addOut(int* out, const int* from, int count) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(out), "r"(at(from)),
                 "r"(count * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
__device__ void expect(uint64_t* bar, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
}
__device__ void bring(int* to, const int* from, int bytes, uint64_t* bar) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
                 "l"(from), "r"(bytes), "r"(at(bar))
                 : "memory");
}
__device__ void await(uint64_t* bar, uint32_t parity) {
    uint32_t done = 0;
    while (!done)
        asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(at(bar)), "r"(parity)
                     : "memory");
}
__device__ void makeBarrier(uint64_t* bar) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(bar)));
    fence();
}

// 64 threads; out += tile.
template <int who> // 0: nobody fences; 1: all; 2: the asking thread behind the barrier; 3: that one alone, before it
__device__ void add(int* out) {
    __shared__ alignas(128) int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    if (who == 1 || (who == 3 && threadIdx.x == 0))
        fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (who == 2)
            fence();
        addOut(out, tile, 64);
    }
}
extern "C" __global__ void addsUnfenced(int* out) { add<0>(out); }
extern "C" __global__ void addsFenced(int* out) { add<1>(out); }
extern "C" __global__ void addsFencedBehind(int* out) { add<2>(out); }
extern "C" __global__ void addsFencedByOne(int* out) { add<3>(out); }

extern "C" __global__ void addsWhatWasWrittenAgain(int* out) {
    __shared__ alignas(128) int tile[64];
    tile[threadIdx.x] = 0;
    fence();
    __syncthreads();
    tile[63 - threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        addOut(out, tile, 64);
}
// One warp, whose first lane makes the fence for all.
extern "C" __global__ void addsByAWarp(int* out) {
    __shared__ alignas(128) int tile[32];
    tile[threadIdx.x] = threadIdx.x;
    __syncwarp();
    if (threadIdx.x == 0) {
        fence();
        addOut(out, tile, 32);
    }
}

// Rows of 64 ints through two stages, each with a barrier of its own; the parity of a stage changes every second row.
template <bool flips>
__device__ void stages(const int* in, int* out, int rows) {
    __shared__ alignas(128) int stage[2][64];
    __shared__ uint64_t full[2];
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; ++s)
            makeBarrier(&full[s]);
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rows; ++r) {
        if (threadIdx.x == 0) {
            expect(&full[r % 2], 256);
            bring(stage[r % 2], in + r * 64, 256, &full[r % 2]);
        }
        await(&full[r % 2], flips ? r / 2 % 2 : 0);
        sum += stage[r % 2][threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
extern "C" __global__ void stagesFlip(const int* in, int* out, int rows) { stages<true>(in, out, rows); }
extern "C" __global__ void stagesDoNot(const int* in, int* out, int rows) { stages<false>(in, out, rows); }

// The next row is asked for while other warps may still read this one.
template <bool meets>
__device__ void refill(const int* in, int* out, int rows) {
    __shared__ alignas(128) int row[64];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        makeBarrier(&full);
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rows; ++r) {
        if (meets)
            __syncthreads();
        if (threadIdx.x == 32) {
            expect(&full, 256);
            bring(row, in + r * 64, 256, &full);
        }
        await(&full, r % 2);
        sum += row[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
extern "C" __global__ void refillsWhenAllHaveRead(const int* in, int* out, int rows) { refill<true>(in, out, rows); }
extern "C" __global__ void refillsEarly(const int* in, int* out, int rows) { refill<false>(in, out, rows); }

// The first n threads meet; the others return, or have work of their own.
extern "C" __global__ void othersReturn(int* out, int n) {
    __shared__ int word[64];
    if (threadIdx.x >= n)
        return;
    word[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = word[n - 1 - threadIdx.x];
}
extern "C" __global__ void othersReturnBeforeALoop(int* out, int n) {
    __shared__ int word[64];
    if (threadIdx.x >= n)
        return;
    int sum = 0;
    for (int k = 0; k < n; ++k) {
        word[threadIdx.x] = threadIdx.x + k;
        __syncthreads();
        sum += word[n - 1 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
extern "C" __global__ void othersWork(int* out, int n) {
    __shared__ int word[64];
    if (threadIdx.x < n) {
        word[threadIdx.x] = threadIdx.x;
        __syncthreads();
        out[threadIdx.x] = word[n - 1 - threadIdx.x];
    } else {
        atomicAdd(&out[63], 1);
    }
}

// Eight bytes an element would not wrap; bytes do.
extern "C" __global__ void wraps(unsigned char* table, int row, int width) {
    table[row * width + int(threadIdx.x)] = 1;
}

// Each thread doubles its own word, the first one also writes what the last one wrote.
extern "C" __global__ void doubles(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 3 * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = 2 * tile[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        out[63] = tile[62];
    if (threadIdx.x == 1)
        atomicAdd(&out[62], 5);
}
