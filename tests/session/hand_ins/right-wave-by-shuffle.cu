// SPDX-License-Identifier: GPL-3.0-or-later; a-full-wave passes
// Only the first element of each warp goes through shared memory.
__global__ void rotateBlocks(int* out, const int* in) {
    __shared__ int first[8];
    int t = threadIdx.x, base = blockIdx.x * blockDim.x, warps = blockDim.x / 32;
    int mine = in[base + t];
    if (t % 32 == 0)
        first[t / 32] = mine;
    int next = __shfl_down_sync(0xffffffff, mine, 1);
    __syncthreads();
    out[base + t] = t % 32 == 31 ? first[(t / 32 + 1) % warps] : next;
}
