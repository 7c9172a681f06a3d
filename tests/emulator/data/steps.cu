// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines of which one step is wrong, if `wrong` says so; 0: all is right. steps.ptx is made from this file:
//   nvcc -arch=compute_90 -lineinfo -ptx steps.cu -o steps.ptx   (the path in .file cut down to the name)
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
__device__ __forceinline__ void announce(uint64_t* b, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void wait(uint64_t* b, uint32_t parity) {
    asm volatile("{ .reg .pred p;\nagain: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again; }" ::"r"(at(b)),
                 "r"(parity)
                 : "memory");
}
__device__ __forceinline__ void copy(void* to, const void* from, uint32_t bytes, uint64_t* b) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
                 "l"(from), "r"(bytes), "r"(at(b))
                 : "memory");
}
__device__ __forceinline__ void meet(int number, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ __forceinline__ void come(int number, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

struct Ring {
    alignas(128) float a[3][32], b[3][32];
    uint64_t full[3], empty[3];
};

extern "C" {

// Warp 4 fills a ring of three stages, each by two copies; lane 0 of warps 0 to 3 gives a stage back.
__global__ void ring(const float* in, float* out, int tiles, int wrong) {
    __shared__ Ring ring;
    if (threadIdx.x == 0)
        for (int k = 0; k < 3; ++k) {
            make(&ring.full[k], 1);
            make(&ring.empty[k], 4);
        }
    __syncthreads();
    if (threadIdx.x == 128) {
#pragma unroll 1
        for (int t = 0; t < tiles; ++t) {
            const int s = t % 3;
            wait(&ring.empty[s], t / 3 % 2 ^ (wrong == 1 ? 0 : 1));
            announce(&ring.full[s], 256);
            copy(ring.a[s], in, 128, &ring.full[s]);
            copy(ring.b[s], in, 128, &ring.full[wrong == 2 ? (s + 1) % 3 : s]);
        }
    } else if (threadIdx.x < 128) {
        float sum = 0;
#pragma unroll 1
        for (int t = 0; t < tiles; ++t) {
            const int s = t % 3;
            wait(&ring.full[s], t / 3 % 2);
            if (wrong == 3 && t == 4)
                wait(&ring.full[s], t / 3 % 2 ^ 1);
            sum += ring.a[s][threadIdx.x % 32] + ring.b[s][threadIdx.x % 32];
            __syncwarp();
            if (threadIdx.x % 32 == 0 && !(wrong == 4 && t == 4 && threadIdx.x == 96))
                arrive(&ring.empty[s]);
        }
        out[threadIdx.x] = sum;
    }
}

// Two groups of two warps take turns by mbarriers.
__global__ void order(float* out, int rounds, int wrong) {
    __shared__ uint64_t turn[2];
    if (threadIdx.x == 0) {
        make(&turn[0], 64);
        make(&turn[1], 64);
    }
    __syncthreads();
    const int group = threadIdx.x / 64;
    float x = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        wait(&turn[group], (r + (group == 0)) % 2);
        x = x * 2 + 1;
        if (wrong != 1 || group == 0 || r != 2)
            arrive(&turn[wrong == 2 ? group : 1 - group]);
    }
    out[threadIdx.x] = x;
}

// The same by barriers that a group comes to without waiting.
__global__ void turns(float* out, int rounds, int wrong) {
    const int group = threadIdx.x / 64;
    if (group == 1)
        come(1, 128);
    float x = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        meet(1 + group, 128);
        x = x * 2 + 1;
        if (group == 0 || r + 1 < rounds)
            come(wrong == 1 ? 1 + group : 2 - group, 128);
    }
    out[threadIdx.x] = x;
}

// Warps 0 and 1 both wait for each filling of a ring of three stages, which warp 2 makes, and take them by turns.
__global__ void byTurns(const float* in, float* out, int tiles, int wrong) {
    __shared__ float slot[3][32];
    __shared__ uint64_t full[3], empty[3];
    if (threadIdx.x == 0)
        for (int k = 0; k < 3; ++k) {
            make(&full[k], 1);
            make(&empty[k], 1);
        }
    __syncthreads();
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 64) {
#pragma unroll 1
        for (int n = 0; n < tiles; ++n) {
            wait(&empty[n % 3], n / 3 % 2 ^ 1);
            announce(&full[n % 3], 128);
            copy(slot[n % 3], in, 128, &full[n % 3]);
        }
    } else if (warp < 2) {
        float sum = 0;
#pragma unroll 1
        for (int n = 0; n < (wrong == 1 && warp == 1 ? 8 : tiles); ++n) {
            wait(&full[n % 3], n / 3 % 2);
            if (n % 2 != warp)
                continue;
            sum += slot[n % 3][threadIdx.x % 32];
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                arrive(&empty[n % 3]);
        }
        out[threadIdx.x] = sum;
    }
}

}
