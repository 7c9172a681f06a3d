// SPDX-License-Identifier: GPL-3.0-or-later; sum-by-shuffles misses goal 1: requests
__global__ void warpSums(int* out, int* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, first = i / 32 * 32, sum = 0;
    if (i != first)
        return;
    for (int k = 0; k < 32; ++k)
        sum += atomicOr(in + first + k, 0);
    out[first / 32] = sum;
}
