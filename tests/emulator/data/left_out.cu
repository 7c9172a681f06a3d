// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels in which somebody leaves out a step, each if `wrong` says so; 0: all is right. left_out.ptx is made from this file:
//   nvcc -arch=compute_90 -lineinfo -ptx left_out.cu -o left_out.ptx   (the path in .file cut down to the name)
// and left_out_debug.ptx with -G in the place of -lineinfo.
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
__device__ __forceinline__ void come(int number, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

struct Attention {
    float keys[3][64], values[3][64];
    struct {
        uint64_t keys[3], values[3], read[3];
    } ready;
};

extern "C" {

// Warps 0 and 1 write scores, warps 2 and 3 read them. 1: the last but one is not given back.
__global__ void scores(const float* in, float* out, int rounds, int wrong) {
    __shared__ float score[64];
    if (threadIdx.x < 64) {
#pragma unroll 1
        for (int r = 0; r < rounds; ++r) {
            if (r > 0)
                meet(2, 128);
            score[threadIdx.x] = in[threadIdx.x];
            come(1, 128);
        }
    } else {
        float sum = 0;
#pragma unroll 1
        for (int r = 0; r < rounds; ++r) {
            meet(1, 128);
            sum += score[threadIdx.x - 64];
            if (r + 1 + wrong < rounds)
                come(2, 128);
        }
        out[threadIdx.x - 64] = sum;
    }
}

// Warp 2 fills a ring of three stages of keys and values, each with a barrier of its own; lane 0 of warps 0 and 1 gives a
// stage back. 1: warp 1 leaves out tile 5 behind the wait for its keys.
__global__ void attention(const float* in, float* out, int tiles, int wrong) {
    extern __shared__ char memory[];
    Attention* s = (Attention*)memory;
    if (threadIdx.x == 0)
        for (int k = 0; k < 3; ++k) {
            make(&s->ready.keys[k], 32);
            make(&s->ready.values[k], 32);
            make(&s->ready.read[k], 2);
        }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x >= 64) {
#pragma unroll 1
        for (int t = 0; t < tiles; ++t) {
            const int k = t % 3;
            if (t >= 3)
                wait(&s->ready.read[k], (t / 3 - 1) % 2);
            s->keys[k][lane] = s->keys[k][lane + 32] = in[lane];
            arrive(&s->ready.keys[k]);
            s->values[k][lane] = s->values[k][lane + 32] = in[lane];
            arrive(&s->ready.values[k]);
        }
    } else {
        float sum = 0;
#pragma unroll 1
        for (int t = 0; t < tiles; ++t) {
            const int k = t % 3;
            wait(&s->ready.keys[k], t / 3 % 2);
            const float key = s->keys[k][threadIdx.x];
            if (wrong == 1 && threadIdx.x >= 32 && t == 5)
                continue;
            wait(&s->ready.values[k], t / 3 % 2);
            sum += key * s->values[k][threadIdx.x];
            __syncwarp();
            if (lane == 0)
                arrive(&s->ready.read[k]);
        }
        out[threadIdx.x] = sum;
    }
}

// Warp 1 fills one slot for warp 0. 1: in round 2 the last 8 threads of warp 0 do not give it back.
__global__ void part(const float* in, float* out, int rounds, int wrong) {
    __shared__ float slot[32];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        make(&full, 32);
        make(&empty, 32);
    }
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if (threadIdx.x >= 32) {
            if (r > 0)
                wait(&empty, (r - 1) % 2);
            slot[threadIdx.x - 32] = in[threadIdx.x - 32];
            arrive(&full);
        } else {
            wait(&full, r % 2);
            sum += slot[threadIdx.x];
            if (wrong != 1 || r != 2 || threadIdx.x < 24)
                arrive(&empty);
        }
    }
    if (threadIdx.x < 32)
        out[threadIdx.x] = sum;
}

// Two blocks at a time take a place. 1: odd blocks keep it.
__global__ void places(int* free, float* out, int wrong) {
    if (threadIdx.x == 0) {
        for (int now = *(volatile int*)free;;) {
            const int seen = now > 0 ? atomicCAS(free, now, now - 1) : 0;
            if (now > 0 && seen == now)
                break;
            now = *(volatile int*)free;
        }
        out[blockIdx.x] = float(blockIdx.x);
        if (wrong != 1 || blockIdx.x % 2 == 0)
            atomicAdd(free, 1);
    }
}

__global__ void tells(int* flag) {
    atomicExch(flag, 1);
}

// Waits for what a launch of its own writes.
__global__ void tellsItself(int* flag) {
    tells<<<1, 1, 0, cudaStreamTailLaunch>>>(flag);
    while (*(volatile int*)flag == 0) {
    }
}

// Warp 2 fills one slot for warps 0 and 1, for whom thread 0 gives it back. 1: not in round 3.
__global__ void lead(const float* in, float* out, int rounds, int wrong) {
    __shared__ float slot[32];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        make(&full, 32);
        make(&empty, 1);
    }
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if (threadIdx.x >= 64) {
            if (r > 0)
                wait(&empty, (r - 1) % 2);
            slot[threadIdx.x - 64] = in[threadIdx.x - 64];
            arrive(&full);
        } else {
            wait(&full, r % 2);
            sum += slot[threadIdx.x % 32];
            meet(1, 64);
            if (threadIdx.x == 0 && (wrong != 1 || r != 3))
                arrive(&empty);
        }
    }
    if (threadIdx.x < 64)
        out[threadIdx.x] = sum;
}

} // extern "C"
