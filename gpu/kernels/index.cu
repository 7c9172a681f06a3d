// SPDX-License-Identifier: GPL-3.0-or-later
// Who am I: a thread's place in the grid, from blockIdx and threadIdx, in one, two and three dimensions.
//
// Each thread writes into its own element the number of the warp, in its block, that carried it: thread numbers run x
// first, then y, then z, and every 32 of them make a warp.

__device__ int warpInBlock() {
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    return thread / warpSize;
}

extern "C" __global__ void index1D(int* warpOf, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        warpOf[idx] = warpInBlock();
    }
}

extern "C" __global__ void index2D(int* warpOf, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int idx = row * (gridDim.x * blockDim.x) + col;
    if (idx < n) {
        warpOf[idx] = warpInBlock();
    }
}

extern "C" __global__ void index3D(int* warpOf, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int idx = z * (gridDim.x * blockDim.x) * (gridDim.y * blockDim.y) + y * (gridDim.x * blockDim.x) + x;
    if (idx < n) {
        warpOf[idx] = warpInBlock();
    }
}
