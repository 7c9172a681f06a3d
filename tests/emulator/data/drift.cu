// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of a warp that write in shared memory what others of it have read, and may drift apart. drift.ptx is made from
// this file:
//   nvcc -arch=compute_75 -O3 -lineinfo -ptx drift.cu -o drift.ptx   (the path in .file cut down to the name)

extern "C" {

// ---- Wrong: a lane that is ahead writes before the one behind has read.

__global__ void shiftsInPlace(int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = 7 * t;
    s[t + 32] = t;
    __syncwarp();
    const int next = s[t + 1];
    s[t] = next;
    __syncwarp();
    out[t] = s[t];
}

__global__ void countsOnWhileAllRead(int* out) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = 5;
    __syncwarp();
    const int first = s[0];
    if (t == 0)
        s[0] = first + 1;
    __syncwarp();
    out[t] = first + s[0];
}

__global__ void scansInPlace(int* out) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    for (int d = 1; d < 32; d *= 2) {
        const int before = t >= d ? s[t - d] : 0;
        s[t] += before;
        __syncwarp();
    }
    out[t] = s[t];
}

__global__ void shiftsFours(float4* out) {
    __shared__ float4 s[33];
    const int t = threadIdx.x;
    s[t] = make_float4(t, 1, 2, 3);
    if (t == 0)
        s[32] = s[0];
    __syncwarp();
    const float4 next = s[t + 1];
    s[t] = next;
    __syncwarp();
    out[t] = s[t];
}

// Only the second warp does: the first one has met at the same instructions before.
__global__ void shiftsInTheSecondWarp(int* out) {
    __shared__ int s[96];
    const int t = threadIdx.x;
    s[t] = t;
    if (t < 32)
        s[t + 64] = t;
    __syncthreads();
    const int next = s[t < 32 ? t : t + 1];
    s[t] = 3 * next;
    __syncthreads();
    out[t] = s[t];
}

// ---- Right

__global__ void meetsBetween(int* out) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    for (int d = 1; d < 32; d *= 2) {
        const int before = t >= d ? s[t - d] : 0;
        __syncwarp();
        s[t] += before;
        __syncwarp();
    }
    out[t] = s[t];
}

// Each lane gives on what it has read, so all have when one goes on.
__global__ void shufflesBetween(int* out) {
    __shared__ int s[33];
    const int t = threadIdx.x;
    s[t] = t;
    if (t == 0)
        s[32] = 9;
    __syncwarp();
    int next = s[t + 1];
    next += __shfl_xor_sync(~0u, next, 1);
    s[t] = next;
    __syncwarp();
    out[t] = s[t];
}

__global__ void votesBetween(int* out) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    const int other = s[31 - t];
    if (__any_sync(~0u, other > 3))
        s[t] = other;
    __syncwarp();
    out[t] = s[t];
}

__global__ void multipliesBetween(int* out) {
    __shared__ unsigned s[64];
    const int t = threadIdx.x;
    s[t] = s[t + 32] = 0x3c003c00u; // ones, as halves
    __syncwarp();
    const unsigned a0 = s[t + 1], a1 = s[t + 2], b = s[t + 3];
    unsigned d0, d1;
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %5};"
        : "=r"(d0), "=r"(d1)
        : "r"(a0), "r"(a1), "r"(b), "r"(0));
    s[t] = d0;
    __syncwarp();
    out[t] = int(s[t]);
}

__global__ void keepsToItsOwn(int* out) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = t;
    for (int k = 0; k < 4; ++k)
        s[t] = s[t] * 3 + 1;
    __syncwarp();
    out[t] = s[t ^ 1];
}

__global__ void tilesMeet(int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    const unsigned tile = 0xffu << (t % 32 / 8 * 8);
    s[t] = t;
    __syncwarp(tile);
    const int other = s[t ^ 7];
    __syncwarp(tile);
    s[t] = other;
    __syncwarp(tile);
    out[t] = s[t ^ 1];
}

// Whoever reads late reads the same.
__global__ void writesWhatIsThere(int* out) {
    __shared__ int s[33];
    const int t = threadIdx.x;
    s[t] = 4;
    if (t == 0)
        s[32] = 4;
    __syncwarp();
    const int next = s[t + 1];
    s[t] = next;
    __syncwarp();
    out[t] = s[t];
}
}
