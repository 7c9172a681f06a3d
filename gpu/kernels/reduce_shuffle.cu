// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of float through shared memory of a fixed length, and at last through registers alone.

extern "C" __global__ void reduceSum(float* input, float* output, int N) {
    __shared__ float sdata[256];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < N) ? input[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

extern "C" __global__ void reduce_v1(float* input, float* output, int N) {
    __shared__ float sdata[256];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < N) ? input[i] : 0;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

extern "C" __global__ void reduce_v2(float* input, float* output, int N) {
    __shared__ float sdata[256];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < N) ? input[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

__device__ float warpReduce(float val) {
    for (int offset = 16; offset > 0; offset >>= 1) {
        val += __shfl_down_sync(0xffffffff, val, offset);
    }
    return val;
}

// Each warp folds its 32 values in registers; then the whole first warp folds the warps' sums, so that all the lanes a
// shuffle names are there.
extern "C" __global__ void reduce_v3(float* input, float* output, int N) {
    __shared__ float sdata[32];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float val = (i < N) ? input[i] : 0;
    val = warpReduce(val);
    if (tid % 32 == 0) {
        sdata[tid / 32] = val;
    }
    __syncthreads();
    if (tid < 32) {
        val = (tid < blockDim.x / 32) ? sdata[tid] : 0;
        val = warpReduce(val);
        if (tid == 0) {
            output[blockIdx.x] = val;
        }
    }
}
