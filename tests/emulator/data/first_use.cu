// SPDX-License-Identifier: GPL-3.0-or-later
// Global memory that is read before anybody wrote there, and such as only seems to be. first_use.ptx is made from this file:
//   nvcc -arch=compute_80 -O3 -lineinfo -ptx first_use.cu -o first_use.ptx   (the path in .file cut down to the name)
#include <cuda_pipeline.h>

struct Gaps {
    char c; // bytes 1 to 7 and 18 to 23 belong to nobody
    double d;
    short s;
};

extern "C" {

// ---- Wrong

__global__ void sumsAHalf(const float4* in, float* out) { // 16 bytes of each 32 were written
    const float4 v = in[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

__global__ void writesEveryFourth(int* work, int* out, int step) {
    work[4 * threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = work[threadIdx.x * step] + 1;
}

__global__ void exchangesUnwritten(int* slots, int* out) { out[threadIdx.x] = atomicExch(slots + threadIdx.x, 1); }

__global__ void exchangesUnwrittenShared(int* out) {
    __shared__ int slots[32];
    out[threadIdx.x] = atomicExch(slots + threadIdx.x, 1);
}

__global__ void copiesUnwritten(const int* in, int* out) {
    __shared__ int s[32];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}

// ---- Right

__global__ void copiesGaps(Gaps* from, Gaps* to) {
    const int t = threadIdx.x;
    from[t].c = 1;
    from[t].d = t;
    from[t].s = 3;
    __syncthreads();
    to[t] = from[31 - t];
}

struct Best {
    int value;
    long long place; // behind a gap of four bytes
};

// Lanes give each other whole structs, words that belong to nobody included.
__global__ void findsTheBest(Best* all, Best* out) {
    const int t = threadIdx.x;
    all[t].value = 7 * t % 32;
    all[t].place = t;
    __syncthreads();
    uint4 own = *(const uint4*)&all[31 - t];
    for (int d = 16; d > 0; d /= 2) {
        uint4 other;
        other.x = __shfl_xor_sync(~0u, own.x, d);
        other.y = __shfl_xor_sync(~0u, own.y, d);
        other.z = __shfl_xor_sync(~0u, own.z, d);
        other.w = __shfl_xor_sync(~0u, own.w, d);
        if (int(other.x) > int(own.x))
            own = other;
    }
    *(uint4*)&out[t] = own;
}

__global__ void exchangesOnly(int* slots, int* out) {
    atomicExch(slots + threadIdx.x, 1);
    __syncthreads();
    out[threadIdx.x] = slots[31 - threadIdx.x];
}

__global__ void exchangesOnlyShared(int* out) {
    __shared__ int slots[32];
    atomicExch(slots + threadIdx.x, 1);
    __syncthreads();
    out[threadIdx.x] = slots[31 - threadIdx.x];
}

__global__ void bytesBeforeWords(unsigned char* bytes, unsigned* out) {
    bytes[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 8)
        out[threadIdx.x] = ((unsigned*)bytes)[threadIdx.x];
}

// Keys of eight bytes and values of four, copied word by word: the second half of what the value lies in is a gap. With
// `apart` it is stored alone, as something of its own would be; with `ahead` structs are copied that nobody wrote.
__global__ void copiesGapsByWord(int* from, int* to, int ahead, int apart) {
    from[threadIdx.x * 4] = from[threadIdx.x * 4 + 1] = 1;
    from[threadIdx.x * 4 + 2] = threadIdx.x;
    __syncthreads();
    const int *p = from + (31 - threadIdx.x + ahead) * 4, *const q = to + threadIdx.x * 4;
    int value, gap;
    asm volatile("ld.global.u32 %0, [%2+12];\n\tld.global.u32 %1, [%2+8];" : "=r"(gap), "=r"(value) : "l"(p));
    if (apart)
        asm volatile("ld.global.u32 %0, [%2+12];\n\tst.global.u32 [%1+12], %0;" : "=r"(gap) : "l"(q), "l"(p));
    else
        asm volatile("st.global.v2.u32 [%0+8], {%1, %2};" : : "l"(q), "r"(value), "r"(gap));
}

}
