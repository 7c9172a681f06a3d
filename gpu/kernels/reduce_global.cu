// SPDX-License-Identifier: GPL-3.0-or-later
// Sums in global memory, in place: each block folds its tile of g_idata and writes one number to g_odata.
//
// The block is a power of two. A tile is one block's length of elements; the host fills the last tile up with zeros, so
// that a thread may add its partner without asking whether there is one.

// Threads 0, 2, 4, ... then 0, 4, 8, ...: the working threads lie scattered over all warps.
extern "C" __global__ void reduceNeighbored(int* g_idata, int* g_odata, unsigned int n) {
    unsigned int tid = threadIdx.x;
    unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int* idata = g_idata + blockIdx.x * blockDim.x;
    if (idx >= n) {
        return;
    }
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        if ((tid % (2 * stride)) == 0) {
            idata[tid] += idata[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = idata[0];
    }
}

// The same pairs, but the first threads do the work: whole warps fall silent.
extern "C" __global__ void reduceNeighboredLess(int* g_idata, int* g_odata, unsigned int n) {
    unsigned int tid = threadIdx.x;
    unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int* idata = g_idata + blockIdx.x * blockDim.x;
    if (idx >= n) {
        return;
    }
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        int index = 2 * stride * tid;
        if (index < blockDim.x) {
            idata[index] += idata[index + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = idata[0];
    }
}

// The first half adds the second half: neighbours in the warp touch neighbours in memory.
extern "C" __global__ void reduceInterleaved(int* g_idata, int* g_odata, unsigned int n) {
    unsigned int tid = threadIdx.x;
    unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int* idata = g_idata + blockIdx.x * blockDim.x;
    if (idx >= n) {
        return;
    }
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) {
            idata[tid] += idata[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = idata[0];
    }
}

// The guard of one document asks for the thread's number in the block, not for the element's: with whole tiles of data
// it never turns a thread away, unless there are fewer elements than threads in a block.
extern "C" __global__ void reduceNeighboredTidGuard(int* g_idata, int* g_odata, unsigned int n) {
    unsigned int tid = threadIdx.x;
    if (tid >= n) {
        return;
    }
    int* idata = g_idata + blockIdx.x * blockDim.x;
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        if ((tid % (2 * stride)) == 0) {
            idata[tid] += idata[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = idata[0];
    }
}

// In float.
extern "C" __global__ void reduceInterleavedFloat(float* g_idata, float* g_odata, unsigned int n) {
    unsigned int tid = threadIdx.x;
    unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
    float* idata = g_idata + blockIdx.x * blockDim.x;
    if (idx >= n) {
        return;
    }
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) {
            idata[tid] += idata[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        g_odata[blockIdx.x] = idata[0];
    }
}
