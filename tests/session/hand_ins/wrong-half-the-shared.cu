// SPDX-License-Identifier: GPL-3.0-or-later; a-full-wave misses goal 1: waves is 2
__global__ void rotateBlocks(int* out, const int* in) {
    __shared__ int cell[6000];
    int t = threadIdx.x, base = blockIdx.x * blockDim.x;
    cell[t] = in[base + t];
    __syncthreads();
    out[base + t] = cell[(t + 1) % blockDim.x];
}
