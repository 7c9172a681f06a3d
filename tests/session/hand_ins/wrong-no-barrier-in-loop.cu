// SPDX-License-Identifier: GPL-3.0-or-later; reduce-with-whole-warps misses clean at line 8: shared
__global__ void blockSum(int* out, const int* in) {
    __shared__ int cell[256];
    int t = threadIdx.x;
    cell[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
        if (t < stride) cell[t] += cell[t + stride];
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = cell[0];
}
