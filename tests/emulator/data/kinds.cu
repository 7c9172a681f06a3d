// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that hang since one step is wrong, if `wrong` says so; 0: all is right. kinds.ptx is made from this file:
//   nvcc -arch=sm_90 -lineinfo -ptx kinds.cu -o kinds.ptx   (the path in .file cut down to the name)
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
__device__ __forceinline__ void arriveAt(uint64_t* b, uint32_t rank) {
    asm volatile("{ .reg .b32 r;\nmapa.shared::cluster.u32 r, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]; }" ::"r"(at(b)),
                 "r"(rank)
                 : "memory");
}
__device__ __forceinline__ void wait(uint64_t* b, uint32_t parity) {
    asm volatile("{ .reg .pred p;\nagain: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again; }" ::"r"(at(b)),
                 "r"(parity)
                 : "memory");
}
__device__ __forceinline__ void meetCluster() {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__device__ __forceinline__ void lock(int* l) {
    while (atomicCAS(l, 0, 1) != 0) {
    }
    __threadfence();
}
__device__ __forceinline__ void unlock(int* l) {
    __threadfence();
    atomicExch(l, 0);
}

extern "C" {

// Blocks add to a sum behind a lock; wrong: whoever finds it large enough leaves with the lock.
__global__ void keepsLock(int* l, int* sum, int wrong) {
    if (threadIdx.x == 0) {
        lock(l);
        if (wrong && *(volatile int*)sum >= 3)
            return;
        *(volatile int*)sum += 1;
        unlock(l);
    }
}

// Block b takes lock b and then lock b + 1 of three; right: the last takes them in the other order.
__global__ void philosophers(int* locks, int* ready, int* out, int wrong) {
    if (threadIdx.x == 0) {
        const int n = gridDim.x, b = blockIdx.x;
        int first = b, second = (b + 1) % n;
        if (!wrong && first > second) {
            first = second;
            second = b;
        }
        lock(&locks[first]);
        atomicAdd(ready, 1);
        for (int k = 0; wrong == 1 && *(volatile int*)ready < n && k < 10000; ++k) {
        }
        lock(&locks[second]);
        out[b] = 1;
        unlock(&locks[second]);
        unlock(&locks[first]);
    }
}

// Each block hands a value to the next by a flag; wrong: block 2 sets the flag of its own.
__global__ void chain(volatile int* flag, int* out, int wrong) {
    if (threadIdx.x == 0) {
        const int b = blockIdx.x;
        if (b > 0)
            while (flag[b] == 0) {
            }
        out[b] = b > 0 ? out[b - 1] + 1 : 1;
        __threadfence();
        if (b + 1 < gridDim.x)
            flag[wrong && b == 2 ? b : b + 1] = 1;
    }
}

// Partial sums by a semaphore, in the order of slices; wrong: slice 1 hands on to itself.
__global__ void slices(volatile int* semaphore, float* out, int wrong) {
    if (threadIdx.x == 0)
        while (*semaphore != int(blockIdx.x)) {
        }
    __syncthreads();
    out[threadIdx.x] += 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        *semaphore = blockIdx.x + (wrong && blockIdx.x == 1 ? 0 : 1);
}

// All blocks meet at a counter, twice; wrong: the last one forgets to count in the second round.
__global__ void meets(volatile int* count, int* out, int wrong) {
    for (int round = 1; round <= 2; ++round) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            if (!(wrong == 1 && round == 2 && blockIdx.x == 3))
                atomicAdd((int*)count, 1);
            while (*count < int(gridDim.x + (wrong == 2 ? 1 : 0)) * round) {
            }
        }
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = *count;
}

// A queue of four places in global memory from block 0 to block 1; wrong: the reader does not give back its last place.
__global__ void queue(volatile int* head, volatile int* tail, volatile int* slots, int* out, int items, int wrong) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        for (int k = 0; k < items; ++k) {
            while (k - *tail >= 4) {
            }
            slots[k % 4] = k;
            __threadfence();
            *head = k + 1;
        }
    } else {
        int sum = 0;
        for (int k = 0; k < items; ++k) {
            while (*head <= k) {
            }
            sum += slots[k % 4];
            __threadfence();
            if (!(wrong && k >= 5))
                *tail = k + 1;
        }
        *out = sum;
    }
}

// Workers take tasks until none is left; the master waits until all are done; wrong: one kind of task is not counted.
__global__ void tasks(int* next, int* done, int* out, int count, int wrong) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        while (*(volatile int*)done < count) {
        }
        *out = 1;
        return;
    }
    for (int t = atomicAdd(next, 1); t < count; t = atomicAdd(next, 1)) {
        if (wrong && t % 7 == 3)
            continue;
        __threadfence();
        atomicAdd(done, 1);
    }
}

// Consumers meet by themselves at a barrier of their own; wrong: by the one of the whole block.
__global__ void roles(float* out, int wrong) {
    __shared__ float sum[96];
    __shared__ uint64_t ready;
    if (threadIdx.x == 0)
        make(&ready, 96);
    __syncthreads();
    if (threadIdx.x < 96) {
        sum[threadIdx.x] = threadIdx.x;
        if (wrong)
            __syncthreads();
        else
            asm volatile("bar.sync 1, 96;" ::: "memory");
        out[threadIdx.x] = sum[95 - threadIdx.x];
        arrive(&ready);
    } else {
        wait(&ready, 0);
        out[threadIdx.x] = sum[0];
    }
}

// cp.async tells an mbarrier of 64 arrivals; wrong: in the form that raises what is expected.
__global__ void lanesTell(const float* in, float* out, int wrong) {
    __shared__ float tile[64];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        make(&full, 64);
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&tile[threadIdx.x])), "l"(in + threadIdx.x) : "memory");
    if (wrong)
        asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at(&full)) : "memory");
    else
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&full)) : "memory");
    wait(&full, 0);
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

// Two blocks of a cluster: each tells the other that it is ready; wrong: block 1 tells itself.
__global__ void __cluster_dims__(2) tells(float* out, int wrong) {
    __shared__ uint64_t ready;
    const uint32_t rank = blockIdx.x % 2;
    if (threadIdx.x == 0)
        make(&ready, 32);
    meetCluster();
    arriveAt(&ready, wrong == 1 && rank == 1 ? rank : 1 - rank);
    wait(&ready, 0);
    out[blockIdx.x * 32 + threadIdx.x] = rank;
    if (!(wrong == 2 && rank == 0))
        meetCluster();
}

// Lanes hand something on within a warp: lane 0 waits for lane 5; wrong: which returns first.
__global__ void lanes(volatile int* flag, int* out, int n, int wrong) {
    if (wrong && threadIdx.x >= n)
        return;
    if (threadIdx.x == 5)
        *flag = 1;
    if (threadIdx.x == 0)
        while (*flag == 0) {
        }
    __syncwarp();
    out[threadIdx.x] = *flag;
}

// Scan by look-back: each block waits until the one before has said its sum; wrong: a block of few elements says none.
__global__ void lookBack(volatile int* state, volatile int* sums, int* out, int n, int wrong) {
    __shared__ int before;
    const int b = blockIdx.x, mine = min(32, n - b * 32);
    if (threadIdx.x == 0) {
        int sum = 0;
        if (b > 0) {
            while (state[b - 1] == 0) {
            }
            __threadfence();
            sum = sums[b - 1];
        }
        before = sum;
        if (!(wrong && b == 4)) {
            sums[b] = sum + mine;
            __threadfence();
            state[b] = 1;
        }
    }
    __syncthreads();
    if (int(threadIdx.x) < mine)
        out[b * 32 + threadIdx.x] = before + threadIdx.x;
}

// A barrier that is told by its sense; wrong: the counter is not set back for the second round.
__global__ void senses(int* count, volatile int* sense, int* out, int wrong) {
    for (int round = 0; round < 3; ++round) {
        if (threadIdx.x == 0) {
            const int now = *sense;
            if (atomicAdd(count, 1) == int(gridDim.x) - 1) {
                if (!wrong || round == 0)
                    *count = 0;
                __threadfence();
                *sense = 1 - now;
            } else {
                while (*sense == now) {
                }
            }
        }
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = *sense;
}

// Readers are counted; who writes waits until none is left; wrong: readers that find nothing leave without being counted off.
__global__ void readers(int* count, volatile int* entered, int* data, int* out, int wrong) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        while (*entered < int(gridDim.x) - 1) {
        }
        while (atomicAdd(count, 0) != 0) {
        }
        data[0] = 1;
        return;
    }
    atomicAdd(count, 1);
    atomicAdd((int*)entered, 1);
    if (wrong && data[blockIdx.x] == 0)
        return;
    out[blockIdx.x] = data[blockIdx.x];
    __threadfence();
    atomicSub(count, 1);
}

// Each block waits for the flag of the one before, by adding nothing to it; wrong: block 2 sets none.
__global__ void addsNothing(int* flag, int* out, int wrong) {
    const int b = blockIdx.x;
    if (threadIdx.x != 0)
        return;
    while (b > 0 && atomicAdd(&flag[b - 1], 0) == 0) {
    }
    out[b] = b;
    __threadfence();
    if (!wrong || b != 2)
        atomicExch(&flag[b], 1);
}

}
