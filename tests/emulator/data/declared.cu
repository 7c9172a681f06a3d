// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that lie side by side in shared memory, and indices that leave one of them; or do not.
// declared.ptx is made from this file:
//   nvcc -arch=compute_75 -O3 -lineinfo -ptx declared.cu -o declared.ptx   (the paths in .file cut down to the names)

extern "C" __global__ void twoTiles(int* out, int n) {
    __shared__ int tile[32];
    __shared__ int other[32];
    const int t = int(threadIdx.x);
    tile[t] = t;
    other[t] = 100 + t;
    __syncthreads();
    out[t] = tile[t + n] + other[31 - t];
}

extern "C" __global__ void storesBehind(int* out, int n) {
    __shared__ float tile[32];
    __shared__ int other[32];
    const int t = int(threadIdx.x);
    tile[t] = 1;
    other[t] = 0;
    __syncthreads();
    if (t < 4)
        tile[t + n] = float(t);
    __syncthreads();
    out[t] = other[t] + int(tile[t]);
}

extern "C" __global__ void countsBehind(int* out, int n) {
    __shared__ int bins[8];
    __shared__ int total[2];
    const int t = int(threadIdx.x);
    if (t < 8)
        bins[t] = 0;
    if (t < 2)
        total[t] = 0;
    __syncthreads();
    atomicAdd(&bins[t % 8 + n], 1);
    __syncthreads();
    out[t] = t < 8 ? bins[t] : t < 10 ? total[t - 8] : 0;
}

extern __shared__ int given[];
extern "C" __global__ void beforeDynamic(int* out, int n) {
    __shared__ int tile[32];
    const int t = int(threadIdx.x);
    tile[t] = t;
    given[t] = 10 * t;
    __syncthreads();
    out[t] = given[t - n] + tile[31 - t];
}

// Right: pointers that walk, change places, and are chosen.
extern "C" __global__ void takesTurns(int* out, int rounds) {
    __shared__ int first[32];
    __shared__ int second[32];
    const int t = int(threadIdx.x);
    first[t] = t;
    __syncthreads();
    int *from = first, *to = second;
    for (int r = 0; r < rounds; ++r) {
        to[t] = from[(t + 1) % 32];
        __syncthreads();
        int* const other = from;
        from = to;
        to = other;
    }
    int sum = 0;
    for (const int* p = first + t; p < first + 32; p += 8)
        sum += *p;
    out[t] = from[t] + sum;
}

__device__ __noinline__ int pick(const int* in, int n) {
    int own[4];
    for (int k = 0; k < 4; ++k)
        own[k] = in[k] + 1;
    return own[n];
}
extern "C" __global__ void picksFromFrames(int* out, int n) {
    int kept[4];
    for (int k = 0; k < 4; ++k)
        kept[k] = out[k];
    out[threadIdx.x] = pick(kept, n) + kept[n & 3];
}
