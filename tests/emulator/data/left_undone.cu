// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that hang since somebody leaves undone what is done else, or meets where not all can, if `wrong` says so; 0: all is
// right. left_undone.ptx is made from this file:
//   nvcc -arch=compute_90 -lineinfo -ptx left_undone.cu -o left_undone.ptx   (the path in .file cut down to the name)
#include <cstdint>

__device__ __forceinline__ uint32_t at(const void* p) {
    return uint32_t(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void make(uint64_t* b, uint32_t count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}
__device__ __forceinline__ void arrive(uint64_t* b) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ __forceinline__ void wait(uint64_t* b, uint32_t parity) {
    asm volatile("{ .reg .pred p;\nagain: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again; }" ::"r"(at(b)),
                 "r"(parity)
                 : "memory");
}
__device__ __forceinline__ void meet(int number, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

struct Cells {
    int item[2];
    volatile int put, taken;
};
struct Meeting {
    int came;
    volatile int generation;
};

extern "C" {

// Warp 1 hands items to warp 0 by a ring of two cells in shared memory; wrong: of negative items the cell is not given back.
__global__ void cells(const int* in, int* out, int items, int wrong) {
    __shared__ Cells ring;
    if (threadIdx.x == 0)
        ring.put = ring.taken = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        for (int k = 0; k < items; ++k) {
            while (ring.put - ring.taken >= 2) {
            }
            ring.item[k % 2] = in[k];
            __threadfence_block();
            ring.put = k + 1;
        }
    } else if (threadIdx.x == 0) {
        int sum = 0;
        for (int k = 0; k < items; ++k) {
            while (ring.put <= k) {
            }
            const int item = *(volatile int*)&ring.item[k % 2];
            sum += item;
            if (wrong && item < 0)
                continue;
            ring.taken = ring.taken + 1;
        }
        *out = sum;
    }
}

// Block 0 offers items, all others take them by tickets and count them off; wrong: block 2 does not count off its odd ones.
__global__ void tickets(volatile int* offered, int* ticket, int* freed, int* out, int items, int wrong) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        for (int k = 0; k < items; ++k) {
            while (k - *(volatile int*)freed >= 3) {
            }
            *offered = k + 1;
        }
        return;
    }
    for (;;) {
        const int mine = atomicAdd(ticket, 1);
        if (mine >= items)
            break;
        while (*offered <= mine) {
        }
        out[mine] = blockIdx.x;
        __threadfence();
        if (!wrong || blockIdx.x != 2 || mine % 2 == 0)
            atomicAdd(freed, 1);
    }
}

// Each block has items of its own, and the last one waits for all; wrong: what weighs nothing is not counted off.
__global__ void shares(const int* weight, int* left, int* out, int items, int wrong) {
    if (threadIdx.x != 0)
        return;
    const int workers = gridDim.x - 1;
    if (blockIdx.x == workers) {
        while (*(volatile int*)left > 0) {
        }
        *out = 1;
        return;
    }
    for (int i = blockIdx.x; i < items; i += workers) {
        const int w = weight[i];
        if (wrong && w == 0)
            continue;
        atomicAdd(out + 1, w);
        __threadfence();
        atomicSub(left, 1);
    }
}

// Warps take tasks from a counter in shared memory; warp 0 waits for all; wrong: who finds task 5 leaves the loop.
__global__ void takers(int* out, int tasks, int wrong) {
    __shared__ int next, done;
    if (threadIdx.x == 0)
        next = done = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        while (*(volatile int*)&done != tasks) {
        }
        out[tasks] = 1;
    } else if (threadIdx.x % 32 == 0) {
        for (;;) {
            const int task = atomicAdd(&next, 1);
            if (task >= tasks)
                break;
            out[task] = threadIdx.x / 32;
            if (wrong && task == 5)
                break;
            __threadfence_block();
            atomicAdd(&done, 1);
        }
    }
}

// Blocks meet by generations; wrong: in the third round who comes last does not set the counter back.
__global__ void generations(Meeting* meeting, int* out, int rounds, int wrong) {
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        if (threadIdx.x == 0) {
            const int mine = meeting->generation;
            if (atomicAdd(&meeting->came, 1) == int(gridDim.x) - 1) {
                if (!wrong || round != 2)
                    atomicExch(&meeting->came, 0);
                __threadfence();
                meeting->generation = mine + 1;
            } else {
                while (meeting->generation == mine) {
                }
            }
        }
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = meeting->generation;
}

// The same; wrong: which generation it is, is read only behind the arrival, and block 1 is late.
__global__ void lateReader(int* came, volatile int* generation, int* out, int wrong) {
    if (threadIdx.x == 0) {
        int mine = *generation;
        const int before = atomicAdd(came, 1);
        if (wrong) {
            for (int k = 0; blockIdx.x == 1 && *(volatile int*)came != 0 && k < 100000; ++k) {
            }
            mine = *generation;
        }
        if (before == int(gridDim.x) - 1) {
            *came = 0;
            __threadfence();
            *generation = mine + 1;
        } else {
            while (*generation == mine) {
            }
        }
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = *generation;
}

// Warps 1 to 3 hand a row to each other and then a word to warp 0; wrong: they meet at the block's barrier.
__global__ void handsOn(float* out, int wrong) {
    __shared__ float row[96];
    __shared__ volatile int ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        while (ready == 0) {
        }
        out[threadIdx.x] = row[threadIdx.x];
        return;
    }
    const int own = threadIdx.x - 32;
    row[own] = own;
    if (wrong)
        __syncthreads();
    else
        meet(3, 96);
    out[threadIdx.x] = row[95 - own];
    __threadfence_block();
    if (own == 0)
        ready = 1;
}

// Warp 2 makes a row anew whenever warps 0 and 1 have read it; wrong: these meet at a barrier of all three warps.
__global__ void rows(float* out, int rounds, int wrong) {
    __shared__ float row[64], sum[64];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        make(&full, 32);
        make(&empty, 64);
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
#pragma unroll 1
        for (int r = 0; r < rounds; ++r) {
            wait(&empty, r % 2 ^ 1);
            row[threadIdx.x - 64] = r;
            row[threadIdx.x - 32] = r + 1;
            arrive(&full);
        }
    } else {
        float all = 0;
#pragma unroll 1
        for (int r = 0; r < rounds; ++r) {
            wait(&full, r % 2);
            sum[threadIdx.x] = row[threadIdx.x];
            meet(1, wrong ? 96 : 64);
            all += sum[63 - threadIdx.x];
            arrive(&empty);
        }
        out[threadIdx.x] = all;
    }
}

}
