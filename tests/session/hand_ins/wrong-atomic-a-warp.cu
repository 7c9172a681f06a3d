// SPDX-License-Identifier: GPL-3.0-or-later; fewer-atomics misses goal 1 at line 9: lanes
__global__ void addUp(int* total, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = i < n ? in[i] : 0;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 != 0)
        return;
    atomicAdd(total, sum);
}
