// SPDX-License-Identifier: GPL-3.0-or-later
// Seven sums in shared memory, each mending one fault of the one before (after M. Harris, "Optimizing Parallel Reduction in
// CUDA"). The host fills the data up with zeros to whole tiles.

extern __shared__ int sdata[];

// Interleaved addresses, working threads scattered: divergence and a slow remainder.
extern "C" __global__ void reduce0(int* g_idata, int* g_odata) {
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = g_idata[i];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = sdata[0];
    }
}

// The first threads work, at a growing stride: no divergence, but bank conflicts.
extern "C" __global__ void reduce1(int* g_idata, int* g_odata) {
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = g_idata[i];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x) {
            sdata[index] += sdata[index + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = sdata[0];
    }
}

// Sequential addresses: no conflict.
extern "C" __global__ void reduce2(int* g_idata, int* g_odata) {
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = g_idata[i];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = sdata[0];
    }
}

// The first addition happens while loading: no thread is idle from the start.
extern "C" __global__ void reduce3(int* g_idata, int* g_odata) {
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = g_idata[i] + g_idata[i + blockDim.x];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = sdata[0];
    }
}

__device__ void warpReduce(volatile int* sdata, int tid) {
    sdata[tid] += sdata[tid + 32];
    sdata[tid] += sdata[tid + 16];
    sdata[tid] += sdata[tid + 8];
    sdata[tid] += sdata[tid + 4];
    sdata[tid] += sdata[tid + 2];
    sdata[tid] += sdata[tid + 1];
}

// The last warp goes on without barriers and without conditions.
extern "C" __global__ void reduce4(int* g_idata, int* g_odata) {
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = g_idata[i] + g_idata[i + blockDim.x];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid < 32) {
        warpReduce(sdata, tid);
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = sdata[0];
    }
}

template <unsigned int blockSize>
__device__ void warpReduce(volatile int* sdata, int tid) {
    if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
    if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
    if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
    if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
    if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
    if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}

// All steps from the block's length down, those that do not apply left out by the compiler. A block of 32 threads or fewer
// reads past its elements in the last steps: the host gives it twice the shared memory, and it is cleared here.
template <unsigned int blockSize>
__device__ void foldBlock(int* sdata, unsigned int tid) {
    if (blockSize <= 32) {
        sdata[tid + blockSize] = 0;
    }
    __syncthreads();
    if (blockSize >= 512) {
        if (tid < 256) {
            sdata[tid] += sdata[tid + 256];
        }
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128) {
            sdata[tid] += sdata[tid + 128];
        }
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64) {
            sdata[tid] += sdata[tid + 64];
        }
        __syncthreads();
    }
    if (tid < 32) {
        warpReduce<blockSize>(sdata, tid);
    }
}

// Completely unrolled.
template <unsigned int blockSize>
__global__ void reduce5(int* g_idata, int* g_odata) {
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
    sdata[tid] = g_idata[i] + g_idata[i + blockSize];
    foldBlock<blockSize>(sdata, tid);
    if (tid == 0) {
        g_odata[blockIdx.x] = sdata[0];
    }
}

// Each thread adds many elements before the block folds them.
template <unsigned int blockSize>
__global__ void reduce6(int* g_idata, int* g_odata, unsigned int n) {
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += g_idata[i] + g_idata[i + blockSize];
        i += gridSize;
    }
    foldBlock<blockSize>(sdata, tid);
    if (tid == 0) {
        g_odata[blockIdx.x] = sdata[0];
    }
}

template __global__ void reduce5<1>(int*, int*);
template __global__ void reduce5<2>(int*, int*);
template __global__ void reduce5<4>(int*, int*);
template __global__ void reduce5<8>(int*, int*);
template __global__ void reduce5<16>(int*, int*);
template __global__ void reduce5<32>(int*, int*);
template __global__ void reduce5<64>(int*, int*);
template __global__ void reduce5<128>(int*, int*);
template __global__ void reduce5<256>(int*, int*);
template __global__ void reduce5<512>(int*, int*);

template __global__ void reduce6<1>(int*, int*, unsigned int);
template __global__ void reduce6<2>(int*, int*, unsigned int);
template __global__ void reduce6<4>(int*, int*, unsigned int);
template __global__ void reduce6<8>(int*, int*, unsigned int);
template __global__ void reduce6<16>(int*, int*, unsigned int);
template __global__ void reduce6<32>(int*, int*, unsigned int);
template __global__ void reduce6<64>(int*, int*, unsigned int);
template __global__ void reduce6<128>(int*, int*, unsigned int);
template __global__ void reduce6<256>(int*, int*, unsigned int);
template __global__ void reduce6<512>(int*, int*, unsigned int);
