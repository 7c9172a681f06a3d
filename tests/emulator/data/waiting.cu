// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose warps and blocks wait for each other, and are right; then some that hang. Their results are worked out on
// the host in waiting_test.cpp; none of them may be accused of anything. waiting.ptx is made from this file:
//   nvcc -arch=compute_75 -O3 -lineinfo -ptx waiting.cu -o waiting.ptx   (the path in .file cut down to the name)
#include <cooperative_groups.h>

extern "C" {

// Data goes from block to block through plain stores, a fence and a flag.
__global__ void chain(int* data, volatile int* flags, int* out) {
    const int b = blockIdx.x, n = blockDim.x;
    if (b > 0) {
        if (threadIdx.x == 0)
            while (flags[b - 1] == 0)
                ;
        __threadfence();
        __syncthreads();
    }
    const int before = b > 0 ? data[(b - 1) * n + (threadIdx.x + 1) % n] : threadIdx.x;
    data[b * n + threadIdx.x] = before + 1;
    out[b * n + threadIdx.x] = before;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        flags[b] = 1;
}

// The same by instructions that release and acquire.
__global__ void chainByRelease(int* data, int* flags, int* out) {
    const int b = blockIdx.x;
    if (threadIdx.x != 0)
        return;
    int seen = 1;
    while (b > 0) {
        asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flags + b - 1) : "memory");
        if (seen)
            break;
    }
    const int before = b > 0 ? data[b - 1] : 0;
    data[b] = before + b;
    out[b] = before;
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flags + b), "r"(1) : "memory");
}

// The last block to come adds up what the others left, and makes the counter ready for the next launch.
__global__ void lastBlockSums(const int* in, int* parts, unsigned* done, int* out) {
    __shared__ int tile[64];
    __shared__ bool last;
    tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (int step = 32; step > 0; step /= 2) {
        if (threadIdx.x < step)
            tile[threadIdx.x] += tile[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = tile[0];
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    int sum = 0;
    for (int b = threadIdx.x; b < gridDim.x; b += 64)
        sum += parts[b];
    tile[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        int all = 0;
        for (int t = 0; t < 64; ++t)
            all += tile[t];
        *out = all;
        *done = 0;
    }
}

// Inclusive scan in one pass: each block looks back at its predecessors' states until it finds a full prefix. A state
// and its value are one 64-bit word. Blocks take their numbers in the order in which they begin.
__global__ void lookBackScan(const int* in, int* out, unsigned long long* states, int* next) {
    __shared__ int tile[128];
    __shared__ int number, before;
    if (threadIdx.x == 0)
        number = atomicAdd(next, 1);
    __syncthreads();
    const int b = number, t = threadIdx.x, i = b * 128 + t;
    tile[t] = in[i];
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        const int more = t >= step ? tile[t - step] : 0;
        __syncthreads();
        tile[t] += more;
        __syncthreads();
    }
    volatile unsigned long long* const at = states;
    if (t == 0) {
        const int sum = tile[127];
        at[b] = (b == 0 ? 2ull : 1ull) << 32 | (unsigned)sum; // 1: its own sum; 2: with all before it
        int prefix = 0;
        for (int p = b - 1; p >= 0;) {
            const unsigned long long state = at[p];
            if (state >> 32 == 0)
                continue;
            prefix += int(unsigned(state));
            if (state >> 32 == 2)
                break;
            --p;
        }
        if (b > 0)
            at[b] = 2ull << 32 | (unsigned)(prefix + sum);
        before = prefix;
    }
    __syncthreads();
    out[i] = before + tile[t];
}

// Plain data under a lock that every thread takes once: in a warp, across warps and blocks.
__global__ void lockOfThreads(int* lock, int* data) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            data[0] += 1;
            data[1] = data[0] * 3;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// Written in the way that needs lanes which go on alone: the loop's exit stands before the critical section.
__global__ void lockNeedsIndependence(int* lock, int* data) {
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *(volatile int*)data = *(volatile int*)data + 1;
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void ticketsOfWarps(unsigned* next, volatile unsigned* serving, int* data, int* order) {
    if (threadIdx.x % 32 != 0)
        return;
    const unsigned mine = atomicAdd(next, 1);
    while (*serving != mine)
        ;
    __threadfence();
    order[data[0]] = mine;
    data[0] += 1;
    __threadfence();
    *serving = mine + 1;
}

// A ring of four cells between block 0, which fills, and block 1, which empties it.
__global__ void ring(int* cells, volatile int* written, volatile int* taken, int* out, int items) {
    if (threadIdx.x != 0)
        return;
    for (int i = 0; i < items; ++i) {
        if (blockIdx.x == 0) {
            while (i - *taken >= 4)
                ;
            __threadfence();
            cells[i % 4] = i * i + 1;
            __threadfence();
            *written = i + 1;
        } else {
            while (*written <= i)
                ;
            __threadfence();
            out[i] = cells[i % 4];
            __threadfence();
            *taken = i + 1;
        }
    }
}

// Two buffers that change places at every barrier of the grid; each cell becomes the sum of its neighbours.
__global__ void gridDoubleBuffer(int* a, int* b, int rounds) {
    auto grid = cooperative_groups::this_grid();
    const int n = grid.num_threads(), i = grid.thread_rank();
    for (int r = 0; r < rounds; ++r) {
        b[i] = (a[(i + n - 1) % n] + a[(i + 1) % n]) & 0xffff;
        grid.sync();
        int* const other = a;
        a = b;
        b = other;
    }
}

// The same with a barrier of one's own: all execute a fence, then one thread of each block counts.
__global__ void ownGridBarrier(int* a, int* b, unsigned* count, int rounds) {
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 1; r <= rounds; ++r) {
        b[i] = a[(i + 1) % n] + 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count, 1u);
            while (*(volatile unsigned*)count < r * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
        int* const other = a;
        a = b;
        b = other;
    }
}

// Each block takes pieces of work from one counter and writes where nobody else does.
__global__ void workQueue(int* next, int* out, int pieces) {
    __shared__ int piece;
    for (;;) {
        if (threadIdx.x == 0)
            piece = atomicAdd(next, 1);
        __syncthreads();
        const int mine = piece;
        __syncthreads();
        if (mine >= pieces)
            return;
        out[mine * blockDim.x + threadIdx.x] = mine * 1000 + threadIdx.x;
    }
}

// All raise one flag to the same value; bytes beside each other belong to different blocks.
__global__ void sameValueAndBytes(int* flag, unsigned char* bytes) {
    *flag = 1;
    if (threadIdx.x == 0)
        bytes[blockIdx.x] = 200 + blockIdx.x;
}

// Lanes exchange through shared memory with __syncwarp, warps with two buffers and one barrier a round.
__global__ void warpsAndBuffers(int* out) {
    __shared__ int mine[64], buffer[2][64];
    const int t = threadIdx.x;
    mine[t] = t * t;
    __syncwarp();
    int value = mine[t ^ 1];
    __syncwarp();
    mine[t] = value + 1;
    __syncwarp();
    value += mine[t ^ 2];
    for (int r = 0; r < 5; ++r) {
        buffer[r % 2][t] = value;
        __syncthreads();
        value = buffer[r % 2][(t + 33) % 64] + r;
    }
    out[t] = value;
}

// Warps of a block under a lock in shared memory, and a flag there that warp 0 raises for warp 1.
__global__ void sharedLockAndFlag(int* out) {
    __shared__ int lock, count, item;
    __shared__ volatile int flag;
    if (threadIdx.x == 0) {
        lock = count = 0;
        flag = 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence_block();
        count += 1 + threadIdx.x;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    if (threadIdx.x == 32) {
        while (flag == 0)
            ;
        __threadfence_block();
        out[0] = item;
    }
    if (threadIdx.x == 0) {
        item = 77;
        __threadfence_block();
        flag = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[1] = count;
}

// Warp 0 makes and warp 1 uses, with two named barriers, through shared and through global memory.
__global__ void namedBarriers(int* cells, int* out, int rounds) {
    __shared__ int tile[32];
    const int lane = threadIdx.x % 32;
    for (int r = 0; r < rounds; ++r) {
        if (threadIdx.x < 32) {
            if (r > 0)
                asm volatile("bar.sync 2, 64;" ::: "memory");
            tile[lane] = r * 100 + lane;
            cells[lane] = r * 7 + lane;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[r * 32 + lane] = tile[31 - lane] + cells[31 - lane];
            if (r + 1 < rounds)
                asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}

// Block 0 takes the lock and ends without giving it back.
__global__ void lockNeverReleased(int* lock, int* out) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        atomicExch(lock, 1);
        return;
    }
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    out[blockIdx.x] = 1;
}

__global__ void flagNeverWritten(volatile int* flag, int* out) {
    if (threadIdx.x == 2)
        while (flag[1] == 0)
            ;
    out[threadIdx.x] = 1;
}

// Counts to one block more than there is.
__global__ void gridBarrierOneTooMany(unsigned* count) {
    if (threadIdx.x == 0) {
        atomicAdd(count, 1u);
        while (*(volatile unsigned*)count < gridDim.x + 1)
            ;
    }
    __syncthreads();
}

// Ends never, and never asks memory for anything.
__global__ void endless(int* out, int step) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 12345;\n again: @p bra again; }" ::"r"(step));
    *out = 1;
}

}
