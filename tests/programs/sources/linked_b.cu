// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ int own = 10;
__device__ int shared = 500;

__device__ int fromOther(int x) {
    return 2 * x + own;
}

__global__ void otherKernel(int* out) {
    out[threadIdx.x] = own * int(threadIdx.x);
}
