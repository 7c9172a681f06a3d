// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that wait for each other. blocks.ptx is made from this file:
//   nvcc -arch=compute_75 -O3 -ptx blocks.cu -o blocks.ptx
#include <cooperative_groups.h>

// Every block adds one in each round and waits until all have; then it reads what its neighbour wrote.
extern "C" __global__ void gridBarrier(unsigned* count, volatile int* cells, int* out, int rounds) {
    int sum = 0;
    for (int r = 1; r <= rounds; ++r) {
        if (threadIdx.x == 0)
            cells[blockIdx.x] = r * 100 + blockIdx.x;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count, 1u);
            while (atomicAdd(count, 0u) < r * 2 * gridDim.x - gridDim.x)
                ;
        }
        __syncthreads();
        sum += cells[(blockIdx.x + 1) % gridDim.x];
        __syncthreads();
        if (threadIdx.x == 0) { // nobody may write before all have read
            atomicAdd(count, 1u);
            while (atomicAdd(count, 0u) < r * 2 * gridDim.x)
                ;
        }
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Blocks enter in the reverse of their order: block b holds ticket gridDim - 1 - b.
extern "C" __global__ void ticketLock(volatile unsigned* serving, int* order) {
    if (threadIdx.x == 0) {
        unsigned ticket = gridDim.x - 1 - blockIdx.x;
        while (*serving != ticket)
            ;
        __threadfence();
        order[ticket] = blockIdx.x;
        __threadfence();
        *serving = ticket + 1;
    }
}

// A lock that one thread of each block takes, many times.
extern "C" __global__ void spinLock(int* lock, int* sum, int times) {
    if (threadIdx.x == 0)
        for (int i = 0; i < times; ++i) {
            while (atomicCAS(lock, 0, 1) != 0)
                ;
            __threadfence();
            *(volatile int*)sum = *(volatile int*)sum + 1;
            __threadfence();
            atomicExch(lock, 0);
        }
}

// A chain of sums in which each block looks at the one behind it: block 0 is the last to know.
extern "C" __global__ void lookBack(const int* in, int* out, volatile int* state, volatile int* sums) {
    int next = blockIdx.x + 1, mine = in[blockIdx.x];
    if (threadIdx.x == 0) {
        int before = 0;
        if (next < gridDim.x) {
            while (state[next] == 0)
                ;
            __threadfence();
            before = sums[next];
        }
        sums[blockIdx.x] = before + mine;
        __threadfence();
        state[blockIdx.x] = 1;
        out[blockIdx.x] = before + mine;
    }
}

// Block 0 takes what block 1 makes, one item at a time, through one cell.
extern "C" __global__ void producer(volatile int* full, volatile int* cell, int* out, int items) {
    if (threadIdx.x != 0)
        return;
    for (int i = 0; i < items; ++i) {
        if (blockIdx.x == 1) {
            while (*full)
                ;
            *cell = i * i;
            __threadfence();
            *full = 1;
        } else if (blockIdx.x == 0) {
            while (!*full)
                ;
            __threadfence();
            out[i] = *cell;
            *full = 0;
        }
    }
}

// No fence anywhere: block 0 waits for a flag that the last block sets.
extern "C" __global__ void plainFlag(volatile int* flag, int* out) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == gridDim.x - 1)
            *flag = 7;
        while (*flag == 0)
            ;
        out[blockIdx.x] = *flag;
    }
}

// Nobody ever sets the flag.
extern "C" __global__ void nobody(volatile int* flag, int* out) {
    if (threadIdx.x == 5) {
        while (flag[3] == 0)
            ;
        out[blockIdx.x] = 1;
    }
}

// Waits for a while and gives up.
extern "C" __global__ void patience(volatile int* flag, int* out, int tries) {
    if (threadIdx.x == 0) {
        int n = 0;
        while (*flag == 0 && n < tries)
            ++n;
        out[blockIdx.x] = n;
    }
}

extern "C" __global__ void gridSync(int* cells, int* out) {
    auto grid = cooperative_groups::this_grid();
    const int n = grid.num_threads(), me = grid.thread_rank();
    cells[me] = me * 3;
    grid.sync();
    out[me] = cells[(me + 1) % n];
    grid.sync();
    cells[me] = 0;
    grid.sync();
    out[me] += cells[(me + 7) % n];
}

// A baton goes from block to block; who waits for it asks by an atomic that adds nothing.
extern "C" __global__ void baton(int* flags, int* out, int rounds) {
    __shared__ int got;
    for (int s = blockIdx.x; s < rounds; s += gridDim.x) {
        if (threadIdx.x == 0) {
            int v;
            while ((v = atomicAdd(&flags[s], 0)) == 0) {
            }
            atomicAdd(&flags[s + 1], v + 1);
            got = v;
        }
        __syncthreads();
        out[s * blockDim.x + threadIdx.x] = got;
        __syncthreads();
    }
}
